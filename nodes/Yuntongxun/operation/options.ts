import { DEFAULT_TIMEOUT } from '../client/client';
import type { DataFormat } from '../client/codec';
import { guard, notice, option, withDefault } from './field';
import { recipientFilter } from './recipientFilter';
import { boolean, choice, trimmed, wholeNumber } from './validators';

/** Format of requests and answers. Specification section 1, rule 2. */
export const wireFormat = withDefault(
	option(choice<DataFormat>, {
		displayName: 'Wire Format',
		name: 'wireFormat',
		type: 'options',
		options: [
			{ name: 'JSON', value: 'json' },
			{ name: 'XML', value: 'xml' },
		],
		default: 'json',
		description:
			'Format of requests and answers on their way to the service, JSON unless you need XML. The output is the same.',
	}),
);

/** Time-out of a request with its whole answer, in milliseconds. */
export const timeout = withDefault(
	option(wholeNumber, {
		displayName: 'Timeout (Milliseconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3600000 },
		default: DEFAULT_TIMEOUT,
		description:
			'How long to wait for the whole answer, from 1 to 3600000: 30000 is half a minute. After a timeout it is not known whether the service accepted the request.',
	}),
);

/** Phone numbers that may be reached. */
export const allowedRecipients = guard(recipientFilter, {
	displayName: 'Allowed Recipients',
	name: 'allowedRecipients',
	type: 'string',
	default: '',
	placeholder: 'e.g. 13800000000, 1390000*',
	noDataExpression: true,
	description:
		'Numbers that may be reached, separated by commas, such as 13800000000, 1390000*. An asterisk at one end stands for any digits. Any other number is refused before a request. A number without an extension also allows its extensions. It must not be empty.',
});

/** Whether to check the item and send nothing. */
export const dryRun = guard(boolean, {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: true,
	description:
		'Whether to check everything and show the request without sending it, so nobody is reached and nothing is charged',
});

/** The user's own key: what is sent with it reaches a number once. */
export const idempotencyKey = guard(trimmed, {
	displayName: 'Send Once per ID',
	name: 'idempotencyKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-42-reminder',
	description:
		'Unique ID (idempotency key) of what this is about, such as order-42-reminder. Nothing is sent twice to a number for the same ID. Two workers that get it at the same moment may both send. <a href="https://github.com/n8n-nodes-yuntongxun/n8n-nodes-yuntongxun/blob/HEAD/docs/operations.md#sending-safely">Learn more</a>.',
});

/** How often a phone number may be reached within a period. */
export const maxPerRecipient = guard(wholeNumber, {
	displayName: 'Limit per Number',
	name: 'maxPerRecipient',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 1000 },
	default: 1,
	description:
		"How often this node may reach a number in a minute, an hour or a day, 1 to 1000. Each call and each SMS counts. The limit is the node's own: two nodes with 5 are 10.",
});

/** The period of `maxPerRecipient`. */
export const maxPerRecipientPeriod = option(choice<'minute' | 'hour' | 'day'>, {
	displayName: 'Limit per Number Period',
	name: 'maxPerRecipientPeriod',
	type: 'options',
	options: [
		{ name: 'Day', value: 'day' },
		{ name: 'Hour', value: 'hour' },
		{ name: 'Minute', value: 'minute' },
	],
	default: 'day',
	description:
		'What Limit per Number counts in: the calendar day, the clock hour or the clock minute, in the time of the service (UTC+8)',
	displayOptions: { show: { maxPerRecipient: [{ _cnd: { exists: true } }] } },
});

/** How many calls and SMS a node may make within a period. */
export const maxTotal = guard(wholeNumber, {
	displayName: 'Limit in Total',
	name: 'maxTotal',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 5000 },
	default: 100,
	noDataExpression: true,
	description:
		"How many calls and SMS this node may make an hour or a day, 1 to 5000. Each number of an SMS counts. The limit is the node's own: two nodes with 50 are 100.",
});

/** The period of `maxTotal`. */
export const maxTotalPeriod = option(choice<'hour' | 'day'>, {
	displayName: 'Limit in Total Period',
	name: 'maxTotalPeriod',
	type: 'options',
	options: [
		{ name: 'Day', value: 'day' },
		{ name: 'Hour', value: 'hour' },
	],
	default: 'day',
	noDataExpression: true,
	description:
		'What Limit in Total counts in: the calendar day or the clock hour, in the time of the service (UTC+8)',
	displayOptions: { show: { maxTotal: [{ _cnd: { exists: true } }] } },
});

/** Maximum number of requests in flight. */
export const maxConcurrency = option(wholeNumber, {
	displayName: 'Max Requests in Parallel',
	name: 'maxConcurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 200 },
	default: 10,
	description:
		'How many requests may be under way at the same time, from 1 to 200. The node slows down by itself while the service refuses requests for load. Read from the first item.',
});

/** Maximum number of requests started per second; 0 for no limit. */
export const requestsPerSecond = option(wholeNumber, {
	displayName: 'Max Requests per Second',
	name: 'requestsPerSecond',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 1000 },
	default: 0,
	description:
		'How many requests may start within a second, from 1 to 1000. Use 0 for no limit. Read from the first item.',
});

/** Options of every operation that makes a request. */
export const OPTIONS_OF_REQUEST = { wireFormat, timeout };

/** Options of operations that make many requests. */
export const OPTIONS_OF_PACE = { ...OPTIONS_OF_REQUEST, maxConcurrency, requestsPerSecond };

/** Shown in the tool of an AI agent, for operations that reach people. */
export const toolNotice = notice(
	'toolNotice',
	'An agent decides whom to reach, and each time costs money. First add Allowed Recipients and Limit in Total under Options: an agent cannot change them. Then set Tool Description to Set Manually, and say when to use this tool and that it returns at once.',
	{ show: { '@tool': [true] } },
);

/** Options of operations that reach people. */
export const OPTIONS_OF_SENDING = {
	...OPTIONS_OF_PACE,
	allowedRecipients,
	dryRun,
	idempotencyKey,
	maxPerRecipient,
	maxPerRecipientPeriod,
	maxTotal,
	maxTotalPeriod,
};
