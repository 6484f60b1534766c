import type { INodeProperties } from 'n8n-workflow';

/** Events that can start the workflow, with their names in the form and on the canvas. */
const EVENTS = [
	{
		name: 'Other Notification',
		value: 'other',
		description: 'Anything else the platform reports to this address',
		short: 'Other',
	},
	{
		name: 'Voice Notification Call Ended',
		value: 'voiceNotification',
		description: 'A call made with Send Notification has ended',
		short: 'Notification',
	},
	{
		name: 'Voice Verification Call Ended',
		value: 'voiceVerification',
		description: 'A call made with Send Verification Code has ended',
		short: 'Verification',
	},
];

const SHORT_NAMES = JSON.stringify(
	Object.fromEntries(EVENTS.map(({ value, short }) => [value, short])),
);

/** What the canvas shows below the trigger: the chosen events. */
export const triggerSubtitle = `={{ $parameter["events"].map((event) => (${SHORT_NAMES})[event]).join(", ") }}`;

/** The form of the trigger. */
export const triggerProperties: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: EVENTS.map(({ name, value, description }) => ({ name, value, description })),
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
