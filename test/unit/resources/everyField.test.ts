import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { findOperation } from '../../../nodes/Yuntongxun/operation/defineOperation';
import { RESOURCES } from '../../../nodes/Yuntongxun/resources';
import { OPERATIONS as SIMULATED } from '../../../simulator/operations';
import { EXAMPLE_FORMS, exampleForm, takesAppId } from '../../support/exampleForms';
import { CREDENTIAL, sendThroughForm } from '../../support/trip';
import type { Arrival } from '../../support/trip';

// That each field has its own rule and place in the request. Bounds, choices and conditions are those of
// its form, which docs/maintainers/forms.tsv holds. What a rule makes of all kinds of values is decided in
// test/unit/operation.

type Sent = string | string[] | undefined;

/** What a field makes of values. */
interface Rule {
	/** Given and sent; undefined if the field is left out. */
	takes: Array<readonly [given: unknown, sent?: Sent]>;
	/** Given, and what the message says of it behind the field's label. */
	refuses: Array<readonly [given: unknown, words: string]>;
	/** What an empty one comes to, if not what the form says. */
	empty?: Rule;
	/** Where the request shows the value, if it has no field of that name; null for nowhere. */
	wire?: string | null;
}

const OBJECT = { a: 1 };
const NO_OBJECT: Rule['refuses'] = [[OBJECT, 'is an object']];

/** What the form itself says of a field. @param example a value that it takes */
function readRule({ type, typeOptions, options = [] }: INodeProperties, example: unknown): Rule {
	const { minValue: min = 0, maxValue: max, multipleValues = false } = typeOptions ?? {};
	const choices = options.flatMap((each) => ('value' in each ? [String(each.value)] : []));
	if (type === 'options') {
		const words = 'is not one of its choices. Use "';
		return { takes: choices.map((each) => [each, each]), refuses: [['another', words]] };
	}
	if (type === 'number') {
		const words = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
		return {
			takes: [min, max ?? 9999].map((each) => [each, String(each)]),
			refuses: [min - 1, ...(max === undefined ? [] : [max + 1])].map((each) => [
				each,
				`is ${each}. Use a whole number ${words}.`,
			]),
		};
	}
	if (type === 'boolean') {
		return { takes: [[true], ['false']], refuses: [['yes', 'is text. Use true or false.']] };
	}
	if (multipleValues) return { takes: [], refuses: [] };
	return {
		takes: [typeof example === 'string' ? [example, example] : [42, '42']],
		refuses: NO_OBJECT,
	};
}

/** What an empty field comes to, as its form says it. */
function readEmptyRule({ type, typeOptions, required }: INodeProperties): Rule {
	const isText = type === 'string' || type === 'resourceLocator';
	if (!isText || typeOptions?.multipleValues) return { takes: [], refuses: [] };
	if (required) return { takes: [], refuses: [['', 'is empty. Fill it in.']] };
	return { takes: [['']], refuses: [] };
}

const matching = (good: string, bad: string, words: string): Partial<Rule> => ({
	takes: [[good, good]],
	refuses: [[bad, `is not ${words}. Enter ${words}, and nothing else.`]],
});
const SID: Partial<Rule> = {
	...matching('a1', 'a-b', 'letters and digits'),
	takes: [[' a1 ', 'a1']],
};
const FILES: Partial<Rule> = { takes: [[' a.wav ；b.wav;', 'a.wav;b.wav']], refuses: NO_OBJECT };
const CALLED: Partial<Rule> = {
	takes: [['+86 138 0000 0005', '13800000005']],
	refuses: [
		[12, 'is not a phone number'],
		['13800000000;13800000001', 'is a list'],
	],
};
const guarding = (...takes: Rule['takes']): Partial<Rule> => ({
	takes,
	refuses: [['', 'is empty. Fill it in or remove the option']],
	empty: { takes: [], refuses: [] },
});
const ADDRESS = 'https://n8n.example.com/webhook/x?a=%20';

/** What is not as its form alone says it, by field, or by operation and field. */
const RULES: Record<string, Partial<Rule>> = {
	appId: { empty: { takes: [['', CREDENTIAL.appId as string]], refuses: [] } },
	to: CALLED,
	allowedRecipients: { ...guarding(['138*']), wire: null },
	idempotencyKey: { ...guarding([42]), wire: null },
	dryRun: guarding([false]),

	content: {
		takes: [['text'], ['audio', 'a.wav'], ['textAndAudio', 'a.wav']],
		wire: 'mediaName',
	},
	mediaTxt: {
		takes: [['  空格 ', '  空格 ']],
		refuses: [...NO_OBJECT, ['\u0001\u2800', 'contains nothing that can be spoken']],
	},
	mediaName: FILES,
	mediaNameType: { takes: [['0'], ['1', '1']] },
	playVerifyCode: FILES,
	welcomePrompt: { takes: [[' a.wav ；;', 'a.wav']] },
	voice: { takes: [['default'], ['custom', 'a.wav']], wire: 'playVerifyCode' },
	verifyCode: matching('0042', '123', '4 to 8 letters and digits'),
	displayNum: {
		takes: [
			['="+86 (10) 1234-5678"', '+861012345678'],
			['０１０12345678.0', '01012345678'],
			['95588', '95588'],
		],
		refuses: ['138****0000', '1.38E+10', 'abc', '12', '1'.repeat(21)].map((each) => [
			each,
			'is not a phone number. Enter 3 to 20 digits, perhaps with a plus sign in front.',
		]),
	},
	maxCallTime: { takes: [[0], [3600, '3600']] },
	resultDelivery: { takes: [['none'], ['url', ADDRESS]], wire: 'respUrl' },
	respUrl: {
		takes: [[` ${ADDRESS}`, ADDRESS]],
		refuses: [['n8n.example.com/x', 'is not a complete web address']],
	},
	userData: {
		takes: [
			[{ order: 42 }, '{"order":42}'],
			[`${'您'.repeat(341)}a`, `${'您'.repeat(341)}a`],
		],
		refuses: [
			[
				`${'您'.repeat(341)}ab`,
				'has 1025 bytes. The result brings back at most 1024 bytes of UTF-8',
			],
			[['&'.repeat(171)], 'has 1030 bytes'],
		],
	},
	callSid: { ...SID, wire: 'callsid' },

	'sms.send to': {
		takes: [['13800000001;13800000002', '13800000001,13800000002']],
		refuses: [['1234', 'is not a phone number']],
	},
	datas: {
		takes: [
			[
				['one', 2],
				['one', '2'],
			],
			[''],
		],
		refuses: [[[{ a: [1] }], 'is a list']],
		wire: 'datas',
	},
	subAppend: matching('0042', '12345', '1 to 4 digits'),

	'verificationCode.send channel': { takes: [['call']] },
	'verificationCode.send datas': {
		refuses: [['10', 'has no row with {code}. Put {code} into at least one row']],
	},
	'verificationCode.send templateId': { takes: [['1', '1']] },
	resendToken: { takes: [], refuses: [['v1', 'is not a token of this account']] },

	'subAccount.getAll returnAll': {
		takes: [
			[true, '100'],
			['false', '7'],
		],
		wire: 'offset',
	},
	'subAccount.getAll limit': {
		takes: [
			[1, '1'],
			[1000, '100'],
		],
		wire: 'offset',
	},
	friendlyName: {
		takes: [[' shop@example.com ', 'shop@example.com']],
	},
	subAccountSid: SID,
};

/** What stands in the fields beside the one under test, where a choice shows them. */
const BESIDE = { mediaName: 'a.wav', playVerifyCode: 'a.wav', respUrl: ADDRESS };
/** A choice of another field under which a field has another rule. */
const OTHER_FORMS: Record<string, [form: IDataObject, rule: Partial<Rule>]> = {
	'verificationCode.send to': [
		{ channel: 'sms' },
		{ ...CALLED, refuses: [['1234', 'is not a phone number']] },
	],
};

const REQUESTING = EXAMPLE_FORMS.filter(({ endpoint }) => endpoint !== undefined).map(
	({ resource, operation }) => `${resource}.${operation}`,
);

/** The choices under which a form shows a field. */
const findChoices = ({ displayOptions: { show = {} } = {} }: INodeProperties): IDataObject =>
	Object.fromEntries(
		Object.entries(show)
			.filter(([name]) => !/^@|\./.test(name))
			.map(([name, values = []]) => [name.replace('/', ''), values[0] as string]),
	);

/** Each field of each operation that makes a request, with its rule, and how it fills in the form. */
const CASES = REQUESTING.flatMap((name) => {
	const [resource, operation] = name.split('.');
	const known = findOperation(RESOURCES, resource, operation);
	if (known === undefined) throw new Error(`There is no operation ${name}`);
	const { parameters } = exampleForm(resource, operation);
	const example: IDataObject = { ...parameters, ...BESIDE, limit: 7 };

	const toCase = (
		property: INodeProperties,
		isOption: boolean,
		form: IDataObject,
		own: Partial<Rule>,
	) => {
		const rule: Rule = { ...readRule(property, example[property.name]), ...own };
		const empty = rule.empty ?? readEmptyRule(property);
		const basis = { ...example, templateId: '100002', ...findChoices(property), ...form };
		const endpoint =
			(basis as IDataObject).channel === 'sms'
				? 'TemplateSMS'
				: exampleForm(resource, operation).endpoint;
		const service = SIMULATED.find((each) => each.name === endpoint);
		const isSent = service?.fields.some((field) => field.name === property.name) ?? false;
		return {
			takes: [...rule.takes, ...empty.takes],
			refuses: [...rule.refuses, ...empty.refuses],
			title: `${name}: ${property.name} with ${JSON.stringify({ ...findChoices(property), ...form })}`,
			label: property.displayName,
			wire: isSent ? property.name : (rule.wire ?? null),
			tripWith: async (value: unknown) => {
				const given = { [property.name]: value } as IDataObject;
				const filled = isOption ? { ...basis, options: given } : { ...basis, ...given };
				return await sendThroughForm(resource, operation, filled);
			},
		};
	};
	const toCases = (fields: typeof known.fields, isOption: boolean) =>
		Object.values(fields)
			.map(({ property }) => property)
			.filter(({ type }) => type !== 'notice' && type !== 'fixedCollection')
			.flatMap((property) => {
				const id = `${name} ${property.name}`;
				const own = RULES[id] ?? RULES[property.name] ?? {};
				const other = OTHER_FORMS[id];
				return [
					toCase(property, isOption, {}, own),
					...(other ? [toCase(property, isOption, ...other)] : []),
				];
			});
	return [...toCases(known.fields, false), ...toCases(known.options, true)];
});

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

	it('is refused with a message that names field, rule and kind', async () => {
		for (const [given, words] of refuses) {
			const trip = await tripWith(given);
			const said = 'refused' in trip ? trip.refused : 'sent';
			expect([given, said]).toEqual([given, expect.stringContaining(`'${label}' ${words}`)]);
		}
	});
});

it('every rule belongs to a field that exists', () => {
	const fields = new Set(CASES.map(({ title }) => title.split(' with ')[0].replace(':', '')));
	const isUsed = (id: string) => [...fields].some((each) => each === id || each.endsWith(` ${id}`));
	expect([...Object.keys(RULES), ...Object.keys(OTHER_FORMS)].filter((id) => !isUsed(id))).toEqual(
		[],
	);
	expect(CASES.length).toBeGreaterThan(90);
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
