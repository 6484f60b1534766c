import type { DataFormat } from '../client/codec';
import { DEFAULT_TIMEOUT } from '../client/timeout';
import { guard, notice, option, withDefault } from './field';
import { PACE_OPTIONS } from './paceOptions';
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
			'Data format used with the service. Keep JSON unless you need XML. The output is the same.',
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
		'Numbers that may be reached, separated by commas, such as 13800000000, 1390000*. An asterisk behind stands for any digits. Any other number is refused. A number without an extension also allows its extensions. It must not be empty.',
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
		'ID of this message or event (idempotency key), such as order-42-reminder. Nothing is sent twice to a number for the same ID. With several n8n workers, two that run at once may both send. <a href="https://github.com/n8n-nodes-yuntongxun/n8n-nodes-yuntongxun/blob/HEAD/docs/operations.md#sending-safely">Learn more</a>.',
});

/** How often a phone number may be reached within a period. */
export const maxPerRecipient = guard(wholeNumber, {
	displayName: 'Limit per Number',
	name: 'maxPerRecipient',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 1000 },
	default: 1,
	description:
		'How often this node may reach a number per minute, per hour or per day, 1 to 1000. Each call and each SMS counts. Each node counts separately: two nodes set to 5 allow 10 together.',
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
		'How many calls and SMS this node may make per hour or per day, 1 to 5000. Each number of an SMS counts. Each node counts separately: two nodes set to 50 allow 100 together.',
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

/** Options of every operation that makes a request. */
export const OPTIONS_OF_REQUEST = { wireFormat, timeout };

/** Shown in the tool of an AI agent, for operations that reach people. */
export const toolNotice = notice(
	'toolNotice',
	'An agent decides whom to reach, and each time costs money. First add Allowed Recipients and Limit in Total under Options: an agent cannot change them. Then set Tool Description to Set Manually, and say when to use this tool and that it returns at once.',
	{ show: { '@tool': [true] } },
);

/** Options of operations that reach people. */
export const OPTIONS_OF_SENDING = {
	...OPTIONS_OF_REQUEST,
	...PACE_OPTIONS,
	allowedRecipients,
	dryRun,
	idempotencyKey,
	maxPerRecipient,
	maxPerRecipientPeriod,
	maxTotal,
	maxTotalPeriod,
};
