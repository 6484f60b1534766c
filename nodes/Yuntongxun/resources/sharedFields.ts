import { option, parameter, FieldRefusal } from './form';
import type { Field } from './form';
import { MAX_NUMBERS } from './phoneNumber';
import { choice, flag, text, trimmed, wholeNumber } from './rules';
import type { WireFormat } from '../service/wireFormat';

const appIdParameter = parameter(
	{
		displayName: 'App ID',
		name: 'appId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 8a216da85f5c89b1015f7a1b2c3d4e5f',
		description:
			'Application to use, 32 letters and digits such as 8a216da85f5c89b1015f7a1b2c3d4e5f, from its page in the Yuntongxun console. Leave empty to use the App ID of the credential.',
	},
	trimmed,
);

/** The application: the form's own, or else the credential's. Specification section 2.6. */
export const appId: Field<string> = {
	property: appIdParameter.property,
	read: (form) => {
		const chosen = appIdParameter.read(form) ?? form.defaultAppId;
		if (chosen === '') {
			throw new FieldRefusal('App ID', 'is required here or in the credential', chosen);
		}
		return chosen;
	},
};

const wireFormatOption = option(
	{
		displayName: 'Wire Format',
		name: 'wireFormat',
		type: 'options',
		options: [
			{ name: 'JSON', value: 'json' },
			{ name: 'XML', value: 'xml' },
		],
		default: 'json',
		description:
			'How requests and answers are written on their way to the service. The output is the same.',
	},
	choice,
);

/** The format of requests and answers. Specification section 1, rule 2. */
export const wireFormat: Field<WireFormat> = {
	property: wireFormatOption.property,
	read: (form) => (wireFormatOption.read(form) === 'xml' ? 'xml' : 'json'),
};

const timeoutOption = option(
	{
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3600000 },
		default: 30000,
		description:
			'How long to wait for the whole answer, in milliseconds from 1 to 3600000: 30000 is half a minute. When it runs out, nobody can tell whether the service accepted the request.',
	},
	wholeNumber,
);

/** How long a whole exchange may take, in milliseconds. */
export const timeout: Field<number> = {
	property: timeoutOption.property,
	read: (form) => timeoutOption.read(form) ?? Number(timeoutOption.property.default),
};

/** Who may be reached; the text is matched by `isAllowed`. */
export const allowedRecipients = option(
	{
		displayName: 'Allowed Recipients',
		name: 'allowedRecipients',
		type: 'string',
		default: '',
		placeholder: 'e.g. 13800000000, 1390000*',
		noDataExpression: true,
		description:
			'Numbers that may be reached, with commas between, such as 13800000000, 1390000*. An asterisk at one end stands for any digits. Any other number is refused before a request goes out. Leave empty to allow every number.',
	},
	trimmed,
);

/** Whether to check everything and send nothing. */
export const dryRun = option(
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: false,
		description:
			'Whether to check everything and show the request without sending it, so that nobody is reached and nothing is charged',
	},
	flag,
);

/** What a call or text is known by, so that it is not repeated. */
export const idempotencyKey = option(
	{
		displayName: 'Idempotency Key',
		name: 'idempotencyKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. order-42-reminder',
		description:
			'Name of your own for this call or text, such as order-42-reminder. When this node meets the same key again, it sends nothing, and the item says so. The keys are kept in the database of n8n. This is exact within one n8n process, also after a restart; two workers of queue mode that meet the same key at the same moment may both send, and of different keys that they meet at the same moment some may be forgotten.',
	},
	text,
);

/** How many requests may be under way at the same time. */
export const maxConcurrency = option(
	{
		displayName: 'Max Concurrency',
		name: 'maxConcurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 200 },
		default: 10,
		description:
			'How many requests are under way at the same time, at most, from 1 to 200. The node takes fewer by itself while the service says that it is too much. Read from the first item. A call that waits for its result goes out alone.',
	},
	wholeNumber,
);

/** How many requests may be begun within a second; 0 for no limit. */
export const requestsPerSecond = option(
	{
		displayName: 'Requests per Second',
		name: 'requestsPerSecond',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 1000 },
		default: 0,
		description:
			'How many requests are begun within a second, at most, from 1 to 1000. Use 0 for no limit. Read from the first item.',
	},
	wholeNumber,
);

/** Whether items that differ in their numbers only share requests. */
export const combineItems = option(
	{
		displayName: 'Combine Items',
		name: 'combineItems',
		type: 'boolean',
		default: false,
		description: `Whether to send items with the same App ID, template and variables together, in requests of up to ${MAX_NUMBERS} numbers. A number that several of them name gets one text. Read from the first item.`,
	},
	flag,
);

/** What every operation offers under Options. */
export const OPTIONS_OF_ALL = [wireFormat, timeout];

/** What all but the listing offer besides. */
export const OPTIONS_OF_PACE = [maxConcurrency, requestsPerSecond];

/** What the operations that reach people offer besides. */
export const OPTIONS_OF_SENDING = [allowedRecipients, dryRun, idempotencyKey, ...OPTIONS_OF_PACE];
