import { option, withDefault } from './field';
import type { Field } from './field';
import { ValidationError } from './validationError';
import { choice, flag, trimmed, wholeNumber } from './validators';
import { DEFAULT_TIMEOUT } from '../client/client';
import type { DataFormat } from '../client/codec';

/** Format of requests and answers. Specification section 1, rule 2. */
export const wireFormat = withDefault(
	option(choice<DataFormat>, {
		displayName: 'Data Format',
		name: 'wireFormat',
		type: 'options',
		options: [
			{ name: 'JSON', value: 'json' },
			{ name: 'XML', value: 'xml' },
		],
		default: 'json',
		description:
			'Format of requests and answers on their way to the service. The output is the same.',
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
			'How long to wait for the whole answer, from 1 to 3600000: 30000 is half a minute. After a timeout nobody can tell whether the service accepted the request.',
	}),
);

/** Phone numbers that may be reached, as `recipientFilter` reads them. */
export const allowedRecipients = option(trimmed, {
	displayName: 'Allowed Recipients',
	name: 'allowedRecipients',
	type: 'string',
	default: '',
	placeholder: 'e.g. 13800000000, 1390000*',
	noDataExpression: true,
	description:
		'Numbers that may be reached, separated by commas, such as 13800000000, 1390000*. An asterisk at one end stands for any digits. Any other number is refused before a request. Extensions do not count. Leave empty to allow every number.',
});

/** Whether to check the item and send nothing. */
export const dryRun = option(flag, {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to check everything and show the request without sending it, so nobody is reached and nothing is charged',
});

const keyOption = option(trimmed, {
	displayName: 'Idempotency Key',
	name: 'idempotencyKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-42-reminder',
	description:
		'Unique ID of what this is about, such as order-42-reminder. Nothing is sent twice to a number for the same ID. Two workers of queue mode that get it at the same moment may both send. <a href="https://github.com/n8n-nodes-yuntongxun/n8n-nodes-yuntongxun/blob/HEAD/docs/operations.md#sending-safely">Learn more</a>.',
});

/**
 * The user's own key for a call or SMS: it reaches a number once. An expression that gives nothing
 * is refused, since everybody would be reached again and again.
 */
export const idempotencyKey: Field<string | undefined> = {
	property: keyOption.property,
	read: (item) => {
		const key = keyOption.read(item);
		if (
			key === undefined &&
			'idempotencyKey' in item.options &&
			item.isExpression('idempotencyKey')
		) {
			throw new ValidationError(
				"'Idempotency Key' is an expression that gives nothing for this item. To let the item through, give it a key of its own, such as {{ $execution.id }}-{{ $itemIndex }}",
			);
		}
		return key;
	},
};

/** How often a phone number may be reached within a period; 0 for no limit. */
export const maxPerRecipient = option(wholeNumber, {
	displayName: 'Max per Recipient',
	name: 'maxPerRecipient',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 1000 },
	default: 0,
	description:
		"How often this node may reach a number in an hour or a day, 1 to 1000. Each call and each SMS counts. The limit is the node's own: two nodes with 5 are 10. Use 0 for no limit.",
});

const PERIOD = {
	type: 'options' as const,
	options: [
		{ name: 'Day', value: 'day' },
		{ name: 'Hour', value: 'hour' },
	],
	default: 'day',
};

/** The period of `maxPerRecipient`. */
export const maxPerRecipientPeriod = option(choice<'hour' | 'day'>, {
	displayName: 'Max per Recipient Period',
	name: 'maxPerRecipientPeriod',
	...PERIOD,
	description:
		'What Max per Recipient counts in: the calendar day or the clock hour, in the time of the service (UTC+8)',
});

/** How many calls and SMS a node may make within a period; 0 for no limit. */
export const maxTotal = option(wholeNumber, {
	displayName: 'Max in Total',
	name: 'maxTotal',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 1000 },
	default: 0,
	noDataExpression: true,
	description:
		"How many calls and SMS this node may make an hour or a day, 1 to 1000. Each number of an SMS counts. The limit is the node's own: two nodes with 50 are 100. 0 for no limit.",
});

/** The period of `maxTotal`. */
export const maxTotalPeriod = option(choice<'hour' | 'day'>, {
	displayName: 'Max in Total Period',
	name: 'maxTotalPeriod',
	...PERIOD,
	noDataExpression: true,
	description:
		'What Max in Total counts in: the calendar day or the clock hour, in the time of the service (UTC+8)',
});

/** Most requests under way at the same time. */
export const maxConcurrency = option(wholeNumber, {
	displayName: 'Max Requests in Parallel',
	name: 'maxConcurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 200 },
	default: 10,
	description:
		'How many requests may be under way at the same time, from 1 to 200. The node sends fewer while the service says that it is too much. Read from the first item.',
});

/** Most requests started within a second; 0 for no limit. */
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

/** Options of operations that make requests at a pace. */
export const OPTIONS_OF_PACE = { ...OPTIONS_OF_REQUEST, maxConcurrency, requestsPerSecond };

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
