import { DEFAULT_TIMEOUT } from '../client/request';
import { guard, notice, option, withDefault } from './field';
import { identifier } from './identifier';
import { limits } from './limits';
import { recipientFilter } from './recipientFilter';
import { boolean, wholeNumber } from './validators';

/** Time-out of a request with its whole answer, in milliseconds. */
const timeout = withDefault(
	option(wholeNumber, {
		displayName: 'Request Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3600000 },
		default: DEFAULT_TIMEOUT,
		description: 'How many milliseconds to wait for the whole answer, from 1 to 3600000',
	}),
);

export const requestsPerSecond = option(wholeNumber, {
	displayName: 'Max Requests per Second',
	name: 'requestsPerSecond',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 1000 },
	default: 0,
	description: 'How many requests may start per second, up to 1000; 0 means no limit',
});

const allowedRecipients = guard(recipientFilter, {
	displayName: 'Allowed Recipients',
	name: 'allowedRecipients',
	type: 'string',
	default: '',
	placeholder: 'e.g. 13800000000, 1390000*',
	noDataExpression: true,
	description:
		'Numbers this node may contact, separated by commas. An asterisk at the end matches any digits. All other numbers are refused. It cannot be empty.',
});

const dryRun = guard(boolean, {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: true,
	noDataExpression: true,
	description:
		'Whether to rehearse: everything is checked and the output looks like that of a real run, but nobody is contacted',
});

/** The user's own key: what is sent with it reaches a number once. */
export const idempotencyKey = guard(identifier, {
	displayName: 'Send Once per ID',
	name: 'idempotencyKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-42-reminder',
	description:
		'ID of this message or event, such as order-42-reminder. Within one n8n process the same ID reaches a number once. <a href="https://github.com/n8n-nodes-yuntongxun/n8n-nodes-yuntongxun/blob/HEAD/docs/safety.md" target="_blank">Learn more</a>.',
});

export const OPTIONS_OF_REQUEST = { timeout };

/** Shown in the tool of an AI agent, for operations that reach people. */
export const toolNotice = notice(
	'toolNotice',
	'An agent decides whom to contact, and every call or SMS costs money. Add Allowed Recipients and Limits, which the agent cannot change. Set Tool Description to Set Manually, and say when to use the tool.',
	{ show: { '@tool': [true] } },
);

export const OPTIONS_OF_SENDING = {
	...OPTIONS_OF_REQUEST,
	requestsPerSecond,
	allowedRecipients,
	dryRun,
	idempotencyKey,
	limits,
};
