import type { IDataObject } from 'n8n-workflow';

import { findOperation } from '../../../nodes/Yuntongxun/operation/defineOperation';
import { RESOURCES } from '../../../nodes/Yuntongxun/resources';
import { findDifferences, NO_DIFFERENCE } from '../../support/differences';
import { EXAMPLE_FORMS, exampleForm, takesAppId } from '../../support/exampleForms';
import { CREDENTIAL, sendThroughForm } from '../../support/trip';
import type { Arrival } from '../../support/trip';

// That each field has its own rule, bounds and place in the request. What a rule makes of all kinds of
// values is decided in test/unit/operation, and of templates' variables in sms/variables.test.ts.

type Sent = string | string[] | undefined;

/** What a field makes of values. */
interface Rule {
	/** Given and sent; undefined if the field is left out, or if no request shows it. */
	takes: Array<readonly [given: unknown, sent?: Sent]>;
	/** Given, and what the message says of it behind the field's label. */
	refuses: Array<readonly [given: unknown, words: string]>;
}

const OBJECT = { a: 1 };
const TEXT: Rule = { takes: [[42, '42']], refuses: [[OBJECT, 'is an object. Use a text']] };
const FILES: Rule = {
	takes: [[' a.wav ；b.wav;', 'a.wav;b.wav']],
	refuses: [[OBJECT, 'is an object. Use a text']],
};
const BOOLEAN: Rule = {
	takes: [
		[true, 'true'],
		['false', 'false'],
	],
	refuses: [['yes', 'is text. Use true or false.']],
};

const required = (rule: Rule): Rule => ({
	...rule,
	refuses: [...rule.refuses, ['', 'is empty. Fill it in.']],
});
const optional = (rule: Rule): Rule => ({ ...rule, takes: [...rule.takes, ['', undefined]] });
const guarding = (rule: Rule): Rule => ({
	...rule,
	refuses: [...rule.refuses, [' ', 'is empty. Fill it in or remove the option']],
});

const between = (min: number, max?: number): Rule => ({
	takes: [min, max ?? 9999].map((bound) => [bound, String(bound)]),
	refuses: [min - 1, ...(max === undefined ? [] : [max + 1])].map((outside) => [
		outside,
		`is ${outside}. Use a whole number ${max === undefined ? `of at least ${min}` : `from ${min} to ${max}`}.`,
	]),
});

/** A choice, by its values and what each of them sends. */
const anyOfChoices = (sent: Record<string, Sent>): Rule => ({
	takes: Object.entries(sent),
	refuses: [
		['another', 'is not one of its choices. Use "'],
		['', 'is empty. Use "'],
	],
});
const optionalChoice = (...values: string[]): Rule =>
	optional({
		takes: Object.entries(itself(...values)),
		refuses: [['another', 'is not one of its choices. Use "']],
	});
const itself = (...values: string[]): Record<string, Sent> =>
	Object.fromEntries(values.map((value) => [value, value]));

const matching = (good: string, bad: string, words: string): Rule => ({
	takes: [[good, good]],
	refuses: [[bad, `is not ${words}. Enter ${words}, and nothing else.`]],
});
const SID = matching('a1', 'a-b', 'letters and digits');
const REQUEST_ID = optional(matching('a'.repeat(32), 'a'.repeat(33), '1 to 32 letters and digits'));
const CODES = matching('0042', '123', '4 to 8 letters and digits');

const CALLED: Rule = {
	takes: [['+86 138 0000 0005', '13800000005']],
	refuses: [
		[12, 'has 2 digits'],
		['13800000000;13800000001', 'has more than one number'],
	],
};
const TEXTED: Rule = {
	takes: [['13800000001;13800000002', '13800000001,13800000002']],
	refuses: [['1234', 'has 4 digits']],
};

interface FieldRow extends Rule {
	/** The operations that offer the field. */
	of: string[];
	field: string;
	/** What else the form holds. */
	form?: IDataObject;
	/** Where the request shows the value; null for nowhere. */
	wire: string | null;
}

/** @param wire where the request shows it; null for nowhere */
const row = (
	of: string | string[],
	field: string,
	rule: Rule,
	form?: IDataObject,
	wire: string | null = field,
): FieldRow => ({ of: [of].flat(), field, ...rule, form, wire });
/** A field that no request shows: what its rule sends counts for nothing. */
const unseen = (of: string | string[], field: string, rule: Rule, form?: IDataObject): FieldRow =>
	row(of, field, rule, form, null);

const NOTIFY = 'call.notify';
const VERIFY = 'call.verify';
const CALLS = [NOTIFY, VERIFY];
const SMS = 'sms.send';
const CODE = 'verificationCode.send';
const SENDING = [...CALLS, SMS, CODE];
const LIST = 'subAccount.getAll';
const NAMED = ['subAccount.create', 'subAccount.getByName'];
const REQUESTING = EXAMPLE_FORMS.filter(({ endpoint }) => endpoint !== undefined).map(
	({ resource, operation }) => `${resource}.${operation}`,
);

const AUDIO = { content: 'audio', mediaName: 'a.wav' };
const CUSTOM = { voice: 'custom', playVerifyCode: 'a.wav' };
const BY_SMS = { channel: 'sms', templateId: '1' };
const AS_LIST = { variablesMode: 'list', datas: ['a'] };
const WAITING = { resultDelivery: 'wait' };
const ADDRESS = 'https://n8n.example.com/webhook/x?a=%20';
const TO_URL = { resultDelivery: 'url', respUrl: ADDRESS };

const FIELDS: FieldRow[] = [
	row(REQUESTING.filter(takesAppId), 'appId', {
		...TEXT,
		takes: [...TEXT.takes, ['', CREDENTIAL.appId as string]],
	}),
	unseen(REQUESTING, 'timeout', optional(between(1, 3_600_000))),

	row([...CALLS, CODE], 'to', required(CALLED)),
	row(CODE, 'to', required({ ...CALLED, refuses: TEXTED.refuses }), BY_SMS),
	row(SMS, 'to', required(TEXTED)),
	unseen(SENDING, 'maxConcurrency', optional(between(1, 200))),
	unseen(SENDING, 'requestsPerSecond', optional(between(0, 1000))),
	unseen(SENDING, 'allowedRecipients', guarding({ ...TEXT, takes: [['138*']] })),
	unseen(SENDING, 'idempotencyKey', guarding(TEXT)),
	unseen(SENDING, 'dryRun', guarding({ takes: [[false]], refuses: BOOLEAN.refuses })),

	row(
		NOTIFY,
		'content',
		anyOfChoices({ text: undefined, audio: 'a.wav', textAndAudio: 'a.wav' }),
		AUDIO,
		'mediaName',
	),
	row(NOTIFY, 'mediaTxt', required({ ...TEXT, takes: [['  空格 ', '  空格 ']] })),
	row(NOTIFY, 'mediaTxt', { takes: [], refuses: [[' \n', 'contains only spaces']] }),
	row(NOTIFY, 'mediaName', required(FILES), AUDIO),
	row(NOTIFY, 'mediaNameType', anyOfChoices({ 0: undefined, 1: '1' }), AUDIO),
	row(NOTIFY, 'txtSpeed', optional(between(-500, 500))),
	row(NOTIFY, 'txtVolume', optional(between(-20, 20))),
	row(NOTIFY, 'txtPitch', optional(between(-500, 500))),
	row(NOTIFY, 'txtBgsound', optionalChoice('0', '6')),
	row([...CALLS, CODE], 'displayNum', optional(TEXT)),
	row([...CALLS, CODE], 'playTimes', optional(between(1, 3))),

	row(
		VERIFY,
		'voice',
		anyOfChoices({ default: undefined, custom: 'a.wav' }),
		CUSTOM,
		'playVerifyCode',
	),
	row(VERIFY, 'verifyCode', required(CODES)),
	row(VERIFY, 'verifyCode', optional(CODES), CUSTOM),
	row(VERIFY, 'playVerifyCode', required(FILES), CUSTOM),
	row(VERIFY, 'welcomePrompt', optional({ ...FILES, takes: [[' a.wav ；;', 'a.wav']] })),
	row([VERIFY, CODE], 'lang', optionalChoice('zh', 'en')),
	row(
		VERIFY,
		'maxCallTime',
		optional({
			...between(0),
			takes: [
				[0, undefined],
				[3600, '3600'],
			],
		}),
	),

	row(CALLS, 'resultDelivery', anyOfChoices({ none: undefined, url: ADDRESS }), TO_URL, 'respUrl'),
	row(
		CALLS,
		'respUrl',
		required({
			takes: [[` ${ADDRESS}`, ADDRESS]],
			refuses: [['n8n.example.com/x', 'is not a complete web address']],
		}),
		TO_URL,
	),
	row(
		CALLS,
		'userData',
		optional({
			takes: [
				[{ order: 42 }, '{"order":42}'],
				['您'.repeat(341), '您'.repeat(341)],
			],
			refuses: [
				['您'.repeat(342), 'has 1026 bytes. The result brings back at most 1024 bytes of UTF-8'],
				[['&'.repeat(171)], 'has 1030 bytes'],
			],
		}),
		TO_URL,
	),
	unseen(CALLS, 'waitLimit', between(1), WAITING),
	unseen(CALLS, 'waitLimitUnit', anyOfChoices(itself('hours', 'minutes', 'seconds')), WAITING),
	unseen(
		CALLS,
		'rehearsedOutcome',
		optionalChoice('completed', 'failed', 'noAnswer', 'timeout'),
		WAITING,
	),
	row('call.getResult', 'callSid', required(SID), undefined, 'callsid'),

	unseen(CODE, 'channel', { ...anyOfChoices({}), takes: [['call']] }),
	row(CODE, 'templateId', required({ takes: [['1', '1']], refuses: TEXT.refuses }), BY_SMS),
	row(
		CODE,
		'datas',
		{ takes: [], refuses: [['10', 'has no row with {code}. Put {code} into at least one row']] },
		BY_SMS,
	),
	unseen(CODE, 'templateText', optional({ ...TEXT, takes: [['{1} {2}']] }), BY_SMS),
	row(CODE, 'reqId', REQUEST_ID, BY_SMS),
	unseen(CODE, 'resendToken', {
		takes: [['']],
		refuses: [['v1', 'is not a token of this account']],
	}),
	unseen(CODE, 'codeLength', optional(between(4, 8))),
	unseen(CODE, 'codeLifetime', optional(between(1, 1440))),

	row([SMS, 'smsTemplate.get'], 'templateId', required({ ...TEXT, takes: [[100000, '100000']] })),
	unseen(SMS, 'variablesMode', anyOfChoices(itself('fields', 'list'))),
	row(
		SMS,
		'variables',
		{
			takes: [
				[{ value: { 2: 'two' } }, ['', 'two']],
				[{ value: null }, undefined],
			],
			refuses: [[{ value: { 1: ['a'] } }, 'has several for {1}']],
		},
		{ variablesMode: 'fields' },
		'datas',
	),
	row(
		SMS,
		'datas',
		{
			takes: [
				[
					['one', 2],
					['one', '2'],
				],
				['', undefined],
			],
			refuses: [[[{ a: [1] }], 'is a list. Use a text']],
		},
		AS_LIST,
	),
	unseen(SMS, 'templateText', optional({ ...TEXT, takes: [['Hello {1}']] }), AS_LIST),
	row(SMS, 'reqId', REQUEST_ID),
	row(SMS, 'subAppend', optional(matching('0042', '12345', '1 to 4 digits'))),
	unseen('smsTemplate.getAll', 'returnAll', BOOLEAN),
	unseen('smsTemplate.getAll', 'limit', between(1)),

	row(
		NAMED,
		'friendlyName',
		required({
			takes: [[' shop@example.com ', 'shop@example.com']],
			refuses: [['\u200b', 'contains only spaces']],
		}),
	),
	row(
		'subAccount.create',
		'onDuplicate',
		anyOfChoices({ error: 'one', returnExisting: 'one' }),
		{ friendlyName: 'one' },
		'friendlyName',
	),
	row(
		LIST,
		'returnAll',
		{
			...BOOLEAN,
			takes: [
				[true, '100'],
				['false', '7'],
			],
		},
		{ limit: 7 },
		'offset',
	),
	row(
		LIST,
		'limit',
		{
			...between(1),
			takes: [
				[1, '1'],
				[1000, '100'],
			],
		},
		undefined,
		'offset',
	),
	row(LIST, 'startNo', between(0)),
	row('subAccount.close', 'subAccountSid', required(SID)),
	unseen([...NAMED, LIST], 'omitSecrets', BOOLEAN),
	unseen(['account.get', 'smsTemplate.get', 'smsTemplate.getAll'], 'simplify', BOOLEAN),
];

/** A row for one of its operations, and how it fills in the form. */
const CASES = FIELDS.flatMap(({ of, ...row }) =>
	of.map((name) => {
		const [resource, operation] = name.split('.');
		const known = findOperation(RESOURCES, resource, operation);
		if (known === undefined) throw new Error(`There is no operation ${name}`);
		const findField = (fields: typeof known.fields) =>
			Object.values(fields).find(({ property }) => property.name === row.field);
		const option = findField(known.options);
		const basis = { ...exampleForm(resource, operation).parameters, ...row.form } as IDataObject;
		return {
			...row,
			title: `${name}: ${row.field}${row.form ? ` with ${JSON.stringify(row.form)}` : ''}`,
			label: (option ?? findField(known.fields))?.property.displayName ?? 'no such field',
			tripWith: async (value: unknown) => {
				const own = { [row.field]: value } as IDataObject;
				const form = option ? { ...basis, options: own } : { ...basis, ...own };
				return await sendThroughForm(resource, operation, form);
			},
		};
	}),
);

/** What arrives under a name, in the order of the fields if it is a list. */
const arrived = ({ content }: Arrival, name: string): Sent =>
	name === 'datas' ? content.datas && [...content.datas] : content.fields.get(name);

describe.each(CASES)('$title', ({ wire, label, takes, refuses, tripWith }) => {
	it('is sent as the service wants it', async () => {
		for (const [given, sent] of takes) {
			const trip = await tripWith(given);
			if ('refused' in trip) throw new Error(`${JSON.stringify(given)}: ${trip.refused}`);
			if (wire !== null) expect([given, arrived(trip, wire)]).toEqual([given, sent]);
			expect([...trip.violations, ...trip.fieldViolations]).toEqual([]);
		}
	});

	it('is refused in words about field, rule and kind', async () => {
		for (const [given, words] of refuses) {
			const trip = await tripWith(given);
			const said = 'refused' in trip ? trip.refused : 'sent';
			expect([given, said]).toEqual([given, expect.stringContaining(`'${label}' ${words}`)]);
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
	const elsewhere = ['subAccount.close: appId', ...SENDING.map((name) => `${name}: limits`)];
	expect(findDifferences([...rows, ...elsewhere], fields)).toEqual(NO_DIFFERENCE);
});

it.each(REQUESTING)(
	'%s without an App ID in form and credential is refused if it needs one',
	async (name) => {
		const [resource, operation] = name.split('.');
		const parameters = exampleForm(resource, operation).parameters as IDataObject;
		const trip = await sendThroughForm(resource, operation, parameters, {
			...CREDENTIAL,
			appId: '',
		});
		const said = 'refused' in trip ? trip.refused : 'sent';
		expect(said).toMatch(
			takesAppId(name) ? /^'App ID' is empty\. Enter one here or in the credential/ : /^sent$/,
		);
	},
);
