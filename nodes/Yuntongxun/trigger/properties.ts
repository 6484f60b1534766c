import type { INodeProperties } from 'n8n-workflow';

import { EVENT_LABELS } from '../callbacks/notification';

/** The form of the trigger. */
export const triggerProperties: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{
				name: EVENT_LABELS.voiceNotification,
				value: 'voiceNotification',
				action: 'On voice notification call ended',
				description: 'A call made with Send Notification has ended',
			},
			{
				name: EVENT_LABELS.voiceVerification,
				value: 'voiceVerification',
				action: 'On voice verification call ended',
				description: 'A call that read out a verification code has ended',
			},
			{
				name: EVENT_LABELS.smsReport,
				value: 'smsReport',
				action: 'On SMS delivery report',
				description:
					'An SMS has reached the phone, or has failed to. Not yet tested with the live service.',
			},
			{
				name: EVENT_LABELS.smsReply,
				value: 'smsReply',
				action: 'On SMS reply',
				description: 'Somebody has replied to an SMS. Not yet tested with the live service.',
			},
			{
				name: EVENT_LABELS.other,
				value: 'other',
				action: 'On other notification',
				description: 'Anything else that the service reports to this address',
			},
		],
		default: ['voiceVerification', 'voiceNotification'],
		description: 'Which notifications start the workflow',
	},
	{
		displayName:
			'SMS reports and replies go to one address that is set in the Yuntongxun console: enter the Production URL there. n8n\'s log shows whether they arrive. They come unsigned, so leave Require Signed URL off; if your calls need it, give them a trigger of their own. <a href="https://github.com/n8n-nodes-yuntongxun/n8n-nodes-yuntongxun/blob/HEAD/docs/sms-reports.md">How to set it up</a>.',
		name: 'smsNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { events: ['smsReport', 'smsReply'] } },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Ignore Duplicates',
				name: 'ignoreDuplicates',
				type: 'boolean',
				default: true,
				description:
					'Whether to start nothing for a notification that arrives again within 24 hours. The last 5,000 are remembered until n8n restarts. Copies that reach different n8n processes may each start an execution. Tests in the editor are not affected.',
			},
			{
				displayName: 'Outcomes',
				name: 'outcomes',
				type: 'multiOptions',
				options: [
					{
						name: 'Completed',
						value: 'completed',
						description: 'The line was connected, perhaps to a voicemail',
					},
					{ name: 'Failed', value: 'failed', description: 'The call could not be placed' },
					{ name: 'No Answer', value: 'noAnswer', description: 'Nobody picked up' },
					{ name: 'Unknown', value: 'unknown', description: 'The service reports another state' },
				],
				default: [],
				description:
					'Which outcomes of a call start the workflow. Leave empty for all. Other events are not affected.',
			},
			{
				displayName: 'Require Signed URL',
				name: 'requireSignedUrl',
				type: 'boolean',
				default: false,
				description:
					'Whether to refuse what comes to an address without the signature of the account in the credential. With Send Result to URL, turn on Sign Result URL there. SMS reports and replies are never signed, so they are refused.',
			},
		],
	},
];
