import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_EVENTS, EVENT_LABELS } from '../callbacks/notification';

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
				description: 'A call that read out a text or played audio has ended',
			},
			{
				name: EVENT_LABELS.voiceVerification,
				value: 'voiceVerification',
				action: 'On voice verification call ended',
				description: 'A call with a verification code has ended',
			},
			{
				name: EVENT_LABELS.smsReport,
				value: 'smsReport',
				action: 'On SMS delivery report',
				description: 'An SMS was delivered or could not be delivered',
			},
			{
				name: EVENT_LABELS.smsReply,
				value: 'smsReply',
				action: 'On SMS reply',
				description: 'Somebody has replied to an SMS',
			},
			{
				name: EVENT_LABELS.other,
				value: 'other',
				action: 'On other notification',
				description: 'Anything else that the service reports to this address',
			},
		],
		default: [...DEFAULT_EVENTS],
		description: 'Which notifications start the workflow',
	},
	{
		displayName:
			'With a credential, this trigger takes results of calls only at addresses that this package made for the same account: remove it for calls that are made elsewhere, or to try the Test URL with curl. Without one, anybody who knows the address can start the workflow.',
		name: 'credentialNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName:
			'Enter the Production URL in the Yuntongxun console, for SMS reports and replies. <a href="https://github.com/n8n-nodes-yuntongxun/n8n-nodes-yuntongxun/blob/HEAD/docs/call-results.md#sms-reports-and-replies" target="_blank">How to set it up</a>.',
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
					{
						name: 'Unknown',
						value: 'unknown',
						description: 'The service reported some other state',
					},
				],
				default: [],
				description: 'Which outcomes of a call start the workflow. Leave empty for all.',
			},
		],
	},
];
