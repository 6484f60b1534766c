import { notice, option, parameter, withDefault } from '../../operation/field';
import { NOT_IN_TOOLS } from '../../operation/properties';
import { choice, webAddress, wholeNumber } from '../../operation/validators';
import { MAX_AWAITED_CALLS } from '../../waiting/resultTarget';

const resultDelivery = parameter(choice, {
	displayName: 'When the Call Ends',
	name: 'resultDelivery',
	type: 'options',
	options: [
		{ name: 'Do Nothing', value: 'none', description: 'No result is reported' },
		{
			name: 'Send Result to URL',
			value: 'url',
			description: 'The service posts the result to an address that you enter',
		},
		{
			name: 'Start the Trigger in This Workflow',
			value: 'trigger',
			description: 'The result starts this workflow again, at its Yuntongxun Trigger',
		},
		{
			name: 'Wait for Result',
			value: 'wait',
			description: `Continues with the result, through a Yuntongxun Trigger in the active (published) workflow. Up to ${MAX_AWAITED_CALLS} calls at once.`,
			...NOT_IN_TOOLS,
		},
	],
	default: 'none',
	description: 'Where the result of the call goes',
});

const HELP = 'https://github.com/n8n-nodes-yuntongxun/n8n-nodes-yuntongxun#the-result-of-a-call';

/** @param event name of the trigger in n8n's node search */
const buildResultNotice = (event: string) =>
	notice(
		'resultNotice',
		`This n8n must be reachable from the internet. Add a Yuntongxun Trigger ("${event}"), and activate (publish) the workflow. To run it by hand, choose where to start with the arrow beside Execute workflow. <a href="${HELP}" target="_blank">More</a>`,
		{ show: { resultDelivery: ['trigger', 'wait'] } },
	);

const respUrl = parameter(webAddress, {
	displayName: 'Result URL',
	name: 'respUrl',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://example.com/webhook/…/yuntongxun',
	description: 'Address for the result (respUrl), such as the Production URL of a trigger',
	displayOptions: { show: { resultDelivery: ['url'] } },
});

const MAX_WAIT_MINUTES = 365 * 24 * 60;

const waitLimit = withDefault(
	parameter(wholeNumber, {
		displayName: 'Max Wait Time (Minutes)',
		name: 'waitLimit',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_WAIT_MINUTES },
		default: 10,
		description:
			'How long to wait after the last call was placed. If no result ever comes, check that the trigger is in the published version of the workflow, and that the public address of n8n leads here.',
		displayOptions: { show: { resultDelivery: ['wait'] } },
	}),
);

/**
 * Fields of both kinds of call that say what happens with the result.
 *
 * @param event name of the trigger in n8n's node search
 */
export const buildDeliveryFields = (event: string) => ({
	resultDelivery,
	resultNotice: buildResultNotice(event),
	respUrl,
	waitLimit,
});

export type RehearsedOutcome = 'completed' | 'noAnswer' | 'failed' | 'timeout';

const rehearsedOutcome = withDefault(
	option(choice<RehearsedOutcome>, {
		displayName: 'Rehearsed Outcome',
		name: 'rehearsedOutcome',
		type: 'options',
		options: [
			{ name: 'Completed', value: 'completed', description: 'Somebody answers' },
			{ name: 'Failed', value: 'failed' },
			{ name: 'No Answer', value: 'noAnswer' },
			{ name: 'Timeout', value: 'timeout', description: 'No result comes within the limit' },
		],
		default: 'completed',
		description: 'How the call ends in a dry run',
		displayOptions: { show: { '/resultDelivery': ['wait'] } },
	}),
);

export const DELIVERY_OPTIONS = { rehearsedOutcome };
