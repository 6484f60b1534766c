import type { IDataObject } from 'n8n-workflow';

import { findOperation, RESOURCES } from '../../../nodes/Yuntongxun/resources';
import { EXAMPLE_FORMS, exampleForm } from '../../support/exampleForms';
import { CREDENTIAL, tripOf } from '../../support/trip';
import type { Arrival } from '../../support/trip';

type Sent = string | string[] | undefined;

/** What a rule makes of values, wherever a field uses it. */
interface Expectation {
	/** Given and sent; undefined if the field is left out. */
	takes: Array<readonly [given: unknown, sent: Sent]>;
	/** What the message says to do, and values that it refuses with their kind or flaw. */
	refuses: Array<readonly [rule: RegExp, ...Array<readonly [value: unknown, kind: string]>]>;
}

interface FieldRow extends Expectation {
	/** The operations that offer the field. */
	of: string[];
	field: string;
	/** What else the form holds. */
	form?: IDataObject;
	/** Where the request shows the value; the field's own name without it, null for nowhere. */
	wire?: string | null;
}

const NOTHING = [
	['', 'nothing'],
	[null, 'nothing'],
	[undefined, 'nothing'],
] as const;
const LEFT_OUT = NOTHING.map(([value]) => [value, undefined] as const);
const STRUCTURES = [
	[{ a: 1 }, 'an object'],
	[{}, 'an object'],
	[['a'], 'a list'],
	[[], 'a list'],
] as const;
const WRITTEN_OUT = [
	['text', 'text'],
	[42, '42'],
	[0, '0'],
	[1.5, '1.5'],
	[true, 'true'],
	[false, 'false'],
] as const;

const NOT_TEXT = [/Use a text/, ...STRUCTURES] as const;
const REQUIRED = [/Fill it in/, ...NOTHING] as const;

const NOT_BLANK = [/visible text/, [' \n', 'holds only spaces']] as const;

const spokenText: Expectation = {
	takes: [...WRITTEN_OUT, ['  两个空格  ', '  两个空格  ']],
	refuses: [REQUIRED, NOT_BLANK, NOT_TEXT],
};
const requiredText: Expectation = {
	takes: [
		['a.wav;b.wav', 'a.wav;b.wav'],
		[' 7 ', '7'],
		[7, '7'],
	],
	refuses: [REQUIRED, NOT_TEXT],
};
const NO_FILE = [/Use a text/, [{ a: 1 }, 'an object'], [[['a.wav']], 'a list']] as const;
const fileList: Expectation = {
	takes: [
		['a.wav;b.wav', 'a.wav;b.wav'],
		[' a.wav ；；b c.wav; ', 'a.wav;b c.wav'],
		[['a.wav', '', 7, 'b.wav;c.wav'], 'a.wav;7;b.wav;c.wav'],
	],
	refuses: [[/Fill it in/, ...NOTHING, [' ;', 'nothing'], [[], 'nothing']], NO_FILE],
};
const optionalText: Expectation = {
	takes: [['a1', 'a1'], [' a1\n', 'a1'], [4008208820, '4008208820'], ...LEFT_OUT],
	refuses: [NOT_TEXT],
};

/** Both sides of each bound, and each wrong kind. */
const wholeNumber = (min: number, max?: number): Expectation => ({
	takes: [min, max ?? 9999].flatMap((value) => [
		[value, String(value)] as const,
		[` ${value} `, String(value)] as const,
	]),
	refuses: [
		[
			new RegExp(
				`Use a whole number ${max === undefined ? `of at least ${min}` : `from ${min} to ${max}`}`,
			),
			[min - 1, 'a number'],
			...(max === undefined
				? []
				: ([
						[max + 1, 'a number'],
						[String(max + 1), 'text'],
					] as const)),
			[min + 0.5, 'a number'],
			['1.5', 'text'],
			['1e2', 'text'],
			['many', 'text'],
			[true, 'true or false'],
			...STRUCTURES,
		],
	],
});

const optional = ({ takes, refuses }: Expectation): Expectation => ({
	takes: [...takes, ...LEFT_OUT],
	refuses,
});

const choice = (...values: Array<readonly [unknown, Sent]>): Expectation => ({
	takes: values,
	refuses: [
		[
			new RegExp(`Use .*"${String(values[0][0])}"`),
			['another', 'is not one of its choices'],
			[`${String(values[0][0])} `, 'is not one of its choices'],
			[99, 'a number'],
			[true, 'true or false'],
			...STRUCTURES,
		],
	],
});
/** A choice that an expression leaves empty is none. */
const requiredChoice = (...values: Array<readonly [unknown, Sent]>): Expectation => {
	const { takes, refuses } = choice(...values);
	return { takes, refuses: [...refuses, [/Use "/, ...NOTHING]] };
};

const onOrOff = (...values: Array<readonly [unknown, Sent]>): Expectation => ({
	takes: values,
	refuses: [[/Use true or false/, ['yes', 'text'], [1, 'a number'], ...STRUCTURES]],
});

const calledNumber: Expectation = {
	takes: [
		['123', '123'],
		['+86 138 0000 0005', '13800000005'],
	],
	refuses: [
		REQUIRED,
		[/3 to 20 digits/, [12, 'has 2 digits']],
		[/is dialed/, ['010-12345678', 'has a hyphen inside the number']],
		[
			/Split Out/,
			['13800000000;13800000001', 'has more than one number'],
			[['13800000000'], 'a list'],
		],
		[/number as text/, [{ to: '1' }, 'an object']],
	],
};

const textedNumbers: Expectation = {
	takes: [
		['+86 138-0000-0005', '13800000005'],
		[['13800000001；13800000002\n13800000001', 10086, ''], '13800000001,13800000002,10086'],
	],
	refuses: [
		REQUIRED,
		[
			/5 to 20 digits/,
			['13800000001,1234', 'has an entry that cannot be used: entry 2 has 4 digits'],
		],
		[/number as text/, [[{ to: '1' }], 'an object']],
	],
};

const NO_REQUEST_ID = 'is not 1 to 32 letters and digits';
const NO_SUFFIX = 'is not 1 to 4 digits';
const NO_SID = 'is not letters and digits';
const CODE_FLAW = 'is not 4 to 8 letters and digits';

const CODES: Expectation = {
	takes: [
		['0042', '0042'],
		['aB3dE6gH', 'aB3dE6gH'],
		[384512, '384512'],
	],
	refuses: [[/Enter 4 to 8/, ['123', CODE_FLAW], ['123456789', CODE_FLAW]], NOT_TEXT],
};

/** Values of variables as n8n's resource mapper stores them. */
const mapped = (value: object | null) => ({ mappingMode: 'defineBelow', value });

/** A setting that no request shows. */
const unseen = ({ takes, refuses }: Expectation): Expectation & { wire: null } => ({
	takes,
	refuses,
	wire: null,
});

const NOTIFY = 'call.notify';
const VERIFY = 'call.verify';
const CALLS = [NOTIFY, VERIFY];
const CODE = 'verificationCode.send';
const SENDING = [...CALLS, 'sms.send', CODE];
const BY_SMS = { channel: 'sms', templateId: '1' };
const REQUESTING = EXAMPLE_FORMS.filter(({ endpoint }) => endpoint !== undefined).map(
	({ resource, operation }) => `${resource}.${operation}`,
);
const WITH_APP = REQUESTING.filter(
	(name) => !['account.get', 'subAccount.close', 'call.getResult'].includes(name),
);
const NAMED = ['subAccount.create', 'subAccount.getByName'];

const AUDIO = { content: 'audio', mediaName: 'a.wav' };
const CUSTOM = { voice: 'custom', playVerifyCode: 'a.wav' };
const ADDRESS = 'https://n8n.example.com/webhook/x?a=%20';

const row = (
	of: string[],
	field: string,
	expected: Expectation & { wire?: string | null },
	form?: IDataObject,
): FieldRow => ({
	...{ of, field, form },
	...expected,
});
const WAITING = { resultDelivery: 'wait' };
const TO_URL = { resultDelivery: 'url', respUrl: 'https://n8n.example.com/x' };
const SWITCH = unseen(onOrOff([true, ''], ['false', '']));
const guarded = ({ takes, refuses }: Expectation): Expectation => ({
	takes,
	refuses: [...refuses, [/remove the option/, ...NOTHING, [' ', 'nothing']]],
});
const LENGTH = unseen(optional(wholeNumber(4, 8)));
const LIFETIME = unseen(optional(wholeNumber(1, 1440)));
const anyText = (written: string): Expectation =>
	unseen(optional({ takes: [[written, '']], refuses: [NOT_TEXT] }));

const REQUEST_ID: Expectation = {
	takes: [['order42', 'order42'], ['a'.repeat(32), 'a'.repeat(32)], [42, '42'], ...LEFT_OUT],
	refuses: [
		[/Enter 1 to 32/, ['a'.repeat(33), NO_REQUEST_ID], ['order-42', NO_REQUEST_ID]],
		NOT_TEXT,
	],
};

const requiredOption = (written: string): Expectation => ({
	takes: [[written, '']],
	refuses: [NOT_TEXT],
});

const FIELDS: FieldRow[] = [
	row(WITH_APP, 'appId', {
		takes: [
			[' 42 ', '42'],
			...['', null, undefined, '  '].map((value) => [value, CREDENTIAL.appId as string] as const),
		],
		refuses: [NOT_TEXT],
	}),
	row([...CALLS, CODE], 'to', calledNumber),
	row(
		[CODE],
		'to',
		{
			takes: [['+86 138-0000-0005', '13800000005']],
			refuses: [
				[/5 to 20 digits/, ['1234', 'has 4 digits']],
				[/Split Out/, ['13800000000;13800000001', 'has more than one number']],
			],
		},
		BY_SMS,
	),
	row([CODE], 'channel', unseen(requiredChoice(['call', '']))),
	row([CODE], 'templateId', { ...requiredText, takes: [['1', '1']] }, BY_SMS),
	row(
		[CODE],
		'datas',
		{
			takes: [],
			refuses: [
				[
					/Put \{code\} into one row/,
					[['10', '{minutes}'], 'has no row with {code}'],
					['', 'has no row with {code}'],
				],
				[/Use a text/, [[{ a: { b: 1 } }], 'an object']],
			],
		},
		BY_SMS,
	),
	row([CODE], 'templateText', anyText('{1} {2}'), BY_SMS),
	row(
		[CODE],
		'resendToken',
		unseen({
			takes: [
				['', ''],
				[null, ''],
			],
			refuses: [[/whole verificationToken/, ['v1', 'is not a token of this account']], NOT_TEXT],
		}),
	),
	row([CODE], 'codeLength', LENGTH),
	row([CODE], 'codeLifetime', LIFETIME),
	row(['sms.send'], 'to', textedNumbers),

	row([NOTIFY], 'mediaTxt', spokenText),
	row([NOTIFY], 'mediaName', fileList, AUDIO),
	row([NOTIFY], 'mediaNameType', requiredChoice(['0', undefined], ['1', '1'], [1, '1']), AUDIO),
	{
		of: [NOTIFY],
		field: 'content',
		wire: 'mediaName',
		form: AUDIO,
		...requiredChoice(['text', undefined], ['audio', 'a.wav'], ['textAndAudio', 'a.wav']),
	},
	{
		of: CALLS,
		field: 'resultDelivery',
		wire: 'respUrl',
		form: { respUrl: ADDRESS },
		...requiredChoice(['none', undefined], ['url', ADDRESS]),
	},
	row(
		CALLS,
		'respUrl',
		{
			takes: [
				[ADDRESS, ADDRESS],
				[' http://203.0.113.9:5678/ ', 'http://203.0.113.9:5678/'],
			],
			refuses: [
				REQUIRED,
				[/https?:\/\//, ['n8n.example.com/x', 'is not a complete web address']],
				NOT_TEXT,
			],
		},
		{ resultDelivery: 'url' },
	),
	row([...CALLS, CODE], 'displayNum', optionalText),
	row([...CALLS, CODE], 'playTimes', optional(wholeNumber(1, 3))),
	row(
		CALLS,
		'userData',
		{
			takes: [
				...WRITTEN_OUT,
				[{ order: 42, 名: ['<a>'] }, '{"order":42,"名":["<a>"]}'],
				[[1, 'two'], '[1,"two"]'],
				...LEFT_OUT,
			],
			refuses: [],
		},
		TO_URL,
	),
	row([NOTIFY], 'txtSpeed', optional(wholeNumber(-500, 500))),
	row([NOTIFY], 'txtVolume', optional(wholeNumber(-20, 20))),
	row([NOTIFY], 'txtPitch', optional(wholeNumber(-500, 500))),
	row([NOTIFY], 'txtBgsound', optional(choice(['0', '0'], ['6', '6'], [3, '3']))),

	{
		of: [VERIFY],
		field: 'voice',
		wire: 'playVerifyCode',
		form: CUSTOM,
		...requiredChoice(['default', undefined], ['custom', 'a.wav']),
	},
	row([VERIFY], 'verifyCode', { ...CODES, refuses: [REQUIRED, ...CODES.refuses] }),
	row([VERIFY], 'verifyCode', optional(CODES), CUSTOM),
	row([VERIFY], 'playVerifyCode', fileList, CUSTOM),
	row([VERIFY, CODE], 'lang', optional(choice(['zh', 'zh'], ['en', 'en']))),
	row([VERIFY], 'welcomePrompt', {
		takes: [['a.wav', 'a.wav'], [' a.wav ；;', 'a.wav'], [['', 'a.wav'], 'a.wav'], ...LEFT_OUT],
		refuses: [NO_FILE],
	}),
	row([VERIFY], 'maxCallTime', {
		...wholeNumber(0),
		takes: [[0, undefined], ['0', undefined], [1, '1'], ['3600', '3600'], ...LEFT_OUT],
	}),

	row(['sms.send', 'smsTemplate.get'], 'templateId', {
		takes: [[100000, '100000']],
		refuses: [REQUIRED, NOT_TEXT],
	}),
	row(['sms.send'], 'reqId', REQUEST_ID),
	row([CODE], 'reqId', REQUEST_ID, BY_SMS),
	row(['sms.send'], 'subAppend', {
		takes: [['0042', '0042'], [7, '7'], ...LEFT_OUT],
		refuses: [[/Enter 1 to 4/, ['12345', NO_SUFFIX], ['4a', NO_SUFFIX], [-1, NO_SUFFIX]], NOT_TEXT],
	}),
	row(['smsTemplate.getAll'], 'returnAll', SWITCH),
	row(['smsTemplate.getAll'], 'limit', unseen(wholeNumber(1))),
	row(['call.getResult'], 'callSid', {
		wire: 'callsid',
		takes: [[' 1506021A ', '1506021A']],
		refuses: [REQUIRED, [/letters and digits/, ['a-b', NO_SID], ['a b', NO_SID]], NOT_TEXT],
	}),
	row(['sms.send'], 'variablesMode', unseen(requiredChoice(['fields', ''], ['list', '']))),
	row(
		['sms.send'],
		'variables',
		{
			wire: 'datas',
			takes: [
				[mapped({ 1: 'one', 2: 42, 3: true }), ['one', '42', 'true']],
				[mapped({ 3: 'three', 1: '' }), ['', '', 'three']],
				[mapped({ 1: 'one', 2: null, 3: undefined }), ['one']],
				[mapped({ 1: new Date(0) }), ['1970-01-01T00:00:00.000Z']],
				[{ ...mapped({ 1: 'one' }), schema: null }, ['one']],
				[mapped({}), undefined],
				[mapped(null), undefined],
				...LEFT_OUT,
			],
			refuses: [
				[
					/As List/,
					[mapped({ 2: ['a'] }), 'has several for {2}'],
					[mapped({ 1: { a: 1 } }), 'has several for {1}'],
					[mapped({ 0: 'a' }), 'has a field that is no number from 1 to 100'],
					[mapped({ 101: 'a' }), 'has a field that is no number from 1 to 100'],
					[mapped({ name: 'a' }), 'has a field that is no number from 1 to 100'],
				],
				[/found no such field/, [mapped({ 1: 'undefined' }), 'is the word "undefined"']],
			],
		},
		{ variablesMode: 'fields' },
	),
	row(
		['sms.send'],
		'datas',
		{
			takes: [
				[
					['', 42, ['one', null], { code: 'two', minutes: 2 }],
					['', '42', 'one', '', 'two', '2'],
				],
				['one', ['one']],
				[[], undefined],
				...LEFT_OUT,
			],
			refuses: [[/Use a text/, [[{ a: { b: 1 } }], 'an object'], [[{ a: [1] }], 'a list']]],
		},
		{ variablesMode: 'list' },
	),

	row(NAMED, 'friendlyName', {
		takes: [
			[' shop-42@example.com ', 'shop-42@example.com'],
			['a'.repeat(300), 'a'.repeat(300)],
		],
		refuses: [REQUIRED, [/visible text/, ['\u200b', 'holds only spaces']], NOT_TEXT],
	}),
	{
		of: ['subAccount.create'],
		field: 'onDuplicate',
		wire: 'friendlyName',
		form: { friendlyName: 'one' },
		...requiredChoice(['error', 'one'], ['returnExisting', 'one']),
	},
	{
		of: ['subAccount.getAll'],
		field: 'returnAll',
		wire: 'offset',
		form: { limit: 7 },
		...onOrOff([true, '100'], ['true', '100'], [false, '7'], ['false', '7']),
	},
	{
		of: ['subAccount.getAll'],
		field: 'limit',
		wire: 'offset',
		...wholeNumber(1),
		takes: [
			[1, '1'],
			[1000, '100'],
		],
	},
	row(['subAccount.getAll'], 'startNo', wholeNumber(0)),
	row(['subAccount.close'], 'subAccountSid', {
		takes: [['a1', 'a1']],
		refuses: [REQUIRED, [/letters and digits/, ['a-b', NO_SID], ['子账户', NO_SID]], NOT_TEXT],
	}),

	row(CALLS, 'waitLimit', unseen(wholeNumber(1)), WAITING),
	row(
		CALLS,
		'waitLimitUnit',
		unseen(requiredChoice(['hours', ''], ['minutes', ''], ['seconds', ''])),
		WAITING,
	),
	row(
		CALLS,
		'rehearsedOutcome',
		unseen(optional(choice(['completed', ''], ['failed', ''], ['noAnswer', ''], ['timeout', '']))),
		WAITING,
	),
	row(CALLS, 'signRespUrl', SWITCH, TO_URL),

	row(REQUESTING, 'timeout', unseen(optional(wholeNumber(1, 3_600_000)))),
	row(SENDING, 'maxConcurrency', unseen(optional(wholeNumber(1, 200)))),
	row(SENDING, 'requestsPerSecond', unseen(optional(wholeNumber(0, 1000)))),
	row(SENDING, 'allowedRecipients', unseen(guarded(requiredOption('138*')))),
	row(SENDING, 'dryRun', unseen(guarded(onOrOff([false, ''], ['false', ''])))),
	row(SENDING, 'idempotencyKey', unseen(guarded(requiredOption('order-42')))),
	row(['sms.send'], 'templateText', anyText('Hello {1}'), {
		variablesMode: 'list',
		datas: ['a'],
	}),
	row([...NAMED, 'subAccount.getAll'], 'omitSecrets', SWITCH),
	row(['account.get', 'smsTemplate.get', 'smsTemplate.getAll'], 'simplify', SWITCH),
];

/** A row for one of its operations, and how it fills in the form. */
const CASES = FIELDS.flatMap((row) =>
	row.of.map((name) => {
		const [resource, operation] = name.split('.');
		const known = findOperation(resource, operation);
		if (known === undefined) throw new Error(`There is no operation ${name}`);
		const field = [...Object.values(known.fields), ...Object.values(known.options)].find(
			({ property }) => property.name === row.field,
		);
		const isOption = Object.values(known.options).some((each) => each === field);
		const basis = { ...exampleForm(resource, operation).parameters, ...row.form } as IDataObject;
		const tripWith = async (value: unknown, options: IDataObject = {}) => {
			const own = { [row.field]: value } as IDataObject;
			return await tripOf(
				resource,
				operation,
				isOption
					? { ...basis, options: { ...(row.form?.options as IDataObject), ...options, ...own } }
					: { ...basis, ...own, options },
			);
		};
		return {
			...row,
			title: `${name}: ${row.field}${row.form ? ` with ${JSON.stringify(row.form)}` : ''}`,
			label: field?.property.displayName ?? 'no such field',
			tripWith,
		};
	}),
);

/** What arrives under a name, in the order of the fields if it is a list. */
const arrived = ({ content }: Arrival, name: string): Sent =>
	name === 'datas' ? content.datas && [...content.datas] : content.fields.get(name);

const sentOf = (trip: Awaited<ReturnType<typeof tripOf>>, name: string) => {
	if ('refused' in trip) return trip;
	return { sent: arrived(trip, name), against: [...trip.violations, ...trip.fieldViolations] };
};

/** What a refusal says of a value; a number is shown, a text never. */
function flawOf(kind: string, value: unknown): string {
	switch (kind) {
		case 'nothing':
			return 'is empty';
		case 'a list':
		case 'an object':
			return `is ${kind}`;
		case 'true or false':
		case 'a number':
			return `is ${String(value)}`;
		case 'text':
			return /^[\d.]+$/.test(String(value)) ? `is ${String(value)}` : 'is text';
		default:
			return kind;
	}
}

describe.each(CASES)('$title', ({ field, wire = field, label, takes, refuses, tripWith }) => {
	it('is sent as the service wants it', async () => {
		const seen = takes.map(async ([given]) => [given, sentOf(await tripWith(given), wire ?? '')]);
		expect(await Promise.all(seen)).toEqual(
			takes.map(([given, sent]) => [
				given,
				{ sent: wire === null ? undefined : sent, against: [] },
			]),
		);
	});

	it('is refused in words about field, rule and kind', async () => {
		for (const [rule, ...values] of refuses) {
			for (const [value, kind] of values) {
				const trip = await tripWith(value);
				const message = 'refused' in trip ? trip.refused : 'sent';
				expect([value, message]).toEqual([value, expect.stringMatching(rule)]);
				expect([value, message]).toEqual([
					value,
					expect.stringContaining(`'${label}' ${flawOf(kind, value)}. `),
				]);
			}
		}
	});
});

it('every field of every operation that makes a request has a row', () => {
	const rows = CASES.map(({ title }) => title.split(' with ')[0]);
	const fields = RESOURCES.flatMap(({ value, operations }) =>
		operations
			.filter(({ endpoint }) => endpoint !== undefined)
			.flatMap((operation) =>
				[...Object.values(operation.fields), ...Object.values(operation.options)]
					.filter(({ property }) => property.type !== 'notice')
					.map(({ property }) => `${value}.${operation.value}: ${property.name}`),
			),
	);
	const closing = 'subAccount.close: appId';
	const limits = SENDING.map((name) => `${name}: limits`);
	expect([...new Set(rows), closing, ...limits].sort()).toEqual([...new Set(fields)].sort());
});
