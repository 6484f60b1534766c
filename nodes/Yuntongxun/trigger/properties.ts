import type { INodeProperties } from 'n8n-workflow';

/** The form of the trigger. */
export const triggerProperties: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{
				name: 'Other Notification',
				value: 'other',
				description: 'Anything else the platform reports to this address',
			},
			{
				name: 'Voice Notification Call Ended',
				value: 'voiceNotification',
				description: 'A call made with Send Notification has ended',
			},
			{
				name: 'Voice Verification Call Ended',
				value: 'voiceVerification',
				description: 'A call made with Send Verification Code has ended',
			},
		],
		default: ['voiceVerification', 'voiceNotification'],
		description: 'Which notifications start the workflow',
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
					'Whether to start nothing for a result that arrives again within 24 hours. The last 5,000 are remembered. Copies that reach different n8n processes at the same moment may each start an execution. Tests in the editor are not affected.',
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
					'Which outcomes of a call start the workflow. Leave empty for all. Other notifications are not affected.',
			},
			{
				displayName: 'Require Signed URL',
				name: 'requireSignedUrl',
				type: 'boolean',
				default: false,
				description:
					'Whether to refuse results whose address lacks the signature of the account in the credential. Turn on Sign Result URL in the node that makes the call.',
			},
		],
	},
];
