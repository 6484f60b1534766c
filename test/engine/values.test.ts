import type { GenericValue, IDataObject, INodeParameters } from 'n8n-workflow';

import type { RecordedRequest } from '../simulator';
import { runNode } from './support/engine';
import { itemsOf, jsonOf, oneByOne, operation, reportIn } from './support/expectations';
import { useSimulator } from './support/simulator';

const service = useSimulator();
const NUMBER = '13800000005';
/** Stands for the value under test, which comes from the input item. */
const VALUE = '={{ $json.value }}';

type Value = GenericValue | IDataObject | GenericValue[] | IDataObject[] | undefined;
type Sent = string | string[] | undefined;

interface FieldTest {
	/** Name of the field in the form and, unless `wire` says otherwise, in the request. */
	name: string;
	wire?: string;
	/** What the form calls it. */
	label: string;
	/** Parameters of the node in which the field holds {@link VALUE}. */
	form: INodeParameters;
	/** Given and sent; undefined where the field is left out. */
	accepted: Array<[Value, Sent]>;
	/** The rule that the message names, and values that break it, with the kind that it names. */
	refused: Array<[rule: RegExp, ...Array<[Value, string]>]>;
}

const NOTHING: Array<[Value, string]> = [
	['', 'nothing'],
	[null, 'nothing'],
	[undefined, 'nothing'],
];
const LEFT_OUT: Array<[Value, Sent]> = [
	['', undefined],
	[null, undefined],
	[undefined, undefined],
];
const STRUCTURES: Array<[Value, string]> = [
	[{ a: 1 }, 'an object'],
	[{}, 'an object'],
	[['a'], 'a list'],
	[[], 'a list'],
];
const WRITTEN_OUT: Array<[Value, Sent]> = [
	['text', 'text'],
	[42, '42'],
	[0, '0'],
	[1.5, '1.5'],
	[true, 'true'],
	[false, 'false'],
];

const notify = (parameters: INodeParameters, options: INodeParameters = {}) =>
	operation('call', 'notify', { to: NUMBER, mediaTxt: 'Hello', ...parameters }, options);
const verify = (parameters: INodeParameters, options: INodeParameters = {}) =>
	operation('call', 'verify', { to: NUMBER, verifyCode: '1234', ...parameters }, options);
const sms = (parameters: INodeParameters, options: INodeParameters = {}) =>
	operation('sms', 'send', { to: NUMBER, templateId: '100000', ...parameters }, options);
const getAll = (parameters: INodeParameters, options: INodeParameters = {}) =>
	operation('subAccount', 'getAll', parameters, options);

/** Numbers of one rule: both sides of each bound, and each wrong kind. */
const whole = (min: number, max: number): Pick<FieldTest, 'accepted' | 'refused'> => ({
	accepted: [[min, String(min)], [max, String(max)], [String(max), String(max)], ...LEFT_OUT],
	refused: [
		[
			new RegExp(`whole number.*${min}.*${max}`),
			[min - 1, 'a number'],
			[max + 1, 'a number'],
			[String(max + 1), 'text'],
			[min + 0.5, 'a number'],
			['1.5', 'text'],
			['1e2', 'text'],
			['many', 'text'],
			[true, 'true or false'],
			[[1], 'a list'],
			[{ a: 1 }, 'an object'],
		],
	],
});

const CALL_TO = /3 to 20 digits/;
const HYPHEN = /hyphen/;
const SPREADSHEET = /spreadsheet/;
const ONE_NUMBER = /one number/;
const SMS_TO = /5 to 20 digits/;

const FIELDS: FieldTest[] = [
	{
		name: 'to',
		label: 'To',
		form: notify({ to: VALUE }),
		accepted: [
			['123', '123'],
			['1'.repeat(20), '1'.repeat(20)],
			[13800000005, NUMBER],
			['+12025550105', '+12025550105'],
			[`+${'1'.repeat(20)}`, `+${'1'.repeat(20)}`],
			[' 138 0000\t0005 ', NUMBER],
			['138\u00a00000\u30000005', NUMBER],
			['01012345675-8', '01012345675-8'],
			['01012345675-12345678', '01012345675-12345678'],
			['+8613800000005', NUMBER],
			['+86 138 0000 0005', NUMBER],
			['008613800000005', NUMBER],
			['+8613800000005-12', `${NUMBER}-12`],
			['+861012345675', '+861012345675'],
			['8613800000005', '8613800000005'],
			['13800000005\n', NUMBER],
		],
		refused: [
			[/is required/, ...NOTHING],
			[
				CALL_TO,
				['12', 'text'],
				['1'.repeat(21), 'text'],
				[12, 'a number'],
				['01012345675-', 'text'],
				['01012345675-123456789', 'text'],
				['call me', 'text'],
				['1380000000x', 'text'],
				['+', 'text'],
				['++12025550105', 'text'],
				['138+00000005', 'text'],
				['１３８００００００００', 'text'],
				[true, 'true or false'],
			],
			[
				HYPHEN,
				['010-12345678', 'text'],
				['0755-82345678', 'text'],
				['138-00000000', 'text'],
				['138-0000-0000', 'text'],
				['1380000-0000', 'text'],
				['+86-13800000000', 'text'],
				['0755-8234-5678', 'text'],
			],
			[SPREADSHEET, ['1.38E+10', 'text'], ['1.3800000005e10', 'text'], ['138E8', 'text']],
			[
				ONE_NUMBER,
				['13800000000,13800000001', 'text'],
				['13800000000，13800000001', 'text'],
				['13800000000;13800000001', 'text'],
				['13800000000；13800000001', 'text'],
				['13800000000\n13800000001', 'text'],
			],
			[/must be/, [['13800000000'], 'a list'], [{ to: NUMBER }, 'an object']],
		],
	},
	{
		name: 'mediaTxt',
		label: 'Text to Speak',
		form: notify({ mediaTxt: VALUE }),
		accepted: [...WRITTEN_OUT, ['  两个空格  ', '  两个空格  ']],
		refused: [
			[/is required/, ...NOTHING],
			[/must be text/, ...STRUCTURES],
		],
	},
	{
		name: 'mediaName',
		label: 'Audio Files',
		form: notify({ content: 'audio', mediaName: VALUE }),
		accepted: [
			['a.wav;b.wav', 'a.wav;b.wav'],
			[7, '7'],
		],
		refused: [
			[/is required/, ...NOTHING],
			[/must be text/, ...STRUCTURES],
		],
	},
	{
		name: 'mediaNameType',
		label: 'Audio Source',
		form: notify({ content: 'audio', mediaName: 'a.wav', mediaNameType: VALUE }),
		accepted: [
			['0', '0'],
			['1', '1'],
			[1, '1'],
		],
		refused: [
			[
				/"0", "1"/,
				...NOTHING,
				['2', 'text'],
				[2, 'a number'],
				[true, 'true or false'],
				...STRUCTURES,
			],
		],
	},
	{
		name: 'content',
		wire: 'mediaTxt',
		label: 'Content',
		form: notify({ content: VALUE, mediaName: 'a.wav' }),
		accepted: [['text', 'Hello']],
		refused: [[/"text"/, ...NOTHING, ['video', 'text'], [1, 'a number'], ...STRUCTURES]],
	},
	{
		name: 'respUrl',
		label: 'Result URL',
		form: notify({ resultDelivery: 'url', respUrl: VALUE }),
		accepted: [
			['https://n8n.example.com/webhook/x?a=%20', 'https://n8n.example.com/webhook/x?a=%20'],
			['http://203.0.113.9:5678/', 'http://203.0.113.9:5678/'],
			['HTTPS://N8N.EXAMPLE.COM', 'HTTPS://N8N.EXAMPLE.COM'],
		],
		refused: [
			[/is required/, ...NOTHING],
			[
				/https?:\/\//,
				['n8n.example.com/webhook', 'text'],
				['/webhook/x', 'text'],
				['//n8n.example.com/x', 'text'],
				['ftp://n8n.example.com', 'text'],
				['javascript:alert(1)', 'text'],
				['https://', 'text'],
				['https:n8n.example.com', 'text'],
				['https://n8n example.com', 'text'],
				[42, 'a number'],
			],
			[/must be/, ...STRUCTURES],
		],
	},
	{
		name: 'resultDelivery',
		wire: 'respUrl',
		label: 'Call Result',
		form: notify({ resultDelivery: VALUE, respUrl: 'https://n8n.example.com' }),
		accepted: [
			['none', undefined],
			['url', 'https://n8n.example.com'],
		],
		refused: [
			[/"none", "url"/, ...NOTHING, ['mail', 'text'], [true, 'true or false'], ...STRUCTURES],
		],
	},
	{
		name: 'displayNum',
		label: 'Caller Number',
		form: notify({}, { displayNum: VALUE }),
		accepted: [['01012345678', '01012345678'], [4008208820, '4008208820'], ...LEFT_OUT],
		refused: [[/must be text/, ...STRUCTURES]],
	},
	{
		name: 'userData',
		label: 'User Data',
		form: notify({}, { userData: VALUE }),
		accepted: [
			...WRITTEN_OUT,
			[{ order: 42, 名: ['<a>'] }, '{"order":42,"名":["<a>"]}'],
			[[1, 'two'], '[1,"two"]'],
			[[], '[]'],
			[{}, '{}'],
			...LEFT_OUT,
		],
		refused: [],
	},
	{
		name: 'playTimes',
		label: 'Play Times',
		form: notify({}, { playTimes: VALUE }),
		...whole(1, 3),
	},
	{
		name: 'txtSpeed',
		label: 'Speech Speed',
		form: notify({}, { txtSpeed: VALUE }),
		...whole(-500, 500),
	},
	{
		name: 'txtVolume',
		label: 'Speech Volume',
		form: notify({}, { txtVolume: VALUE }),
		...whole(-20, 20),
	},
	{
		name: 'txtPitch',
		label: 'Speech Pitch',
		form: notify({}, { txtPitch: VALUE }),
		...whole(-500, 500),
	},
	{
		name: 'txtBgsound',
		label: 'Background Sound',
		form: notify({}, { txtBgsound: VALUE }),
		accepted: [['0', '0'], ['6', '6'], [3, '3'], ...LEFT_OUT],
		refused: [
			[
				/one of/,
				['7', 'text'],
				['-1', 'text'],
				[7, 'a number'],
				[1.5, 'a number'],
				[true, 'true or false'],
				...STRUCTURES,
			],
		],
	},
	{
		name: 'voice',
		wire: 'verifyCode',
		label: 'Voice',
		form: verify({ voice: VALUE, playVerifyCode: 'a.wav' }),
		accepted: [['default', '1234']],
		refused: [
			[/"default", "custom"/, ...NOTHING, ['robot', 'text'], [1, 'a number'], ...STRUCTURES],
		],
	},
	{
		name: 'codeSource',
		wire: 'verifyCode',
		label: 'Code Source',
		form: verify({ codeSource: VALUE }),
		accepted: [['given', '1234']],
		refused: [[/"given", "generate"/, ...NOTHING, ['guess', 'text'], ...STRUCTURES]],
	},
	{
		name: 'verifyCode',
		label: 'Code',
		form: verify({ verifyCode: VALUE }),
		accepted: [
			['1234', '1234'],
			['aB3dE6gH', 'aB3dE6gH'],
			[384512, '384512'],
			['0042', '0042'],
			['true', 'true'],
		],
		refused: [
			[/is required/, ...NOTHING],
			[
				/4 to 8 letters and digits/,
				['123', 'text'],
				['123456789', 'text'],
				[123, 'a number'],
				['12-34', 'text'],
				['12 34', 'text'],
				['１２３４', 'text'],
				['验证码码', 'text'],
				[12.5, 'a number'],
			],
			[/must be/, ...STRUCTURES],
		],
	},
	{
		name: 'verifyCode',
		label: 'Code',
		form: verify({ voice: 'custom', playVerifyCode: 'a.wav', verifyCode: VALUE }),
		accepted: [['1234', '1234'], ['12345678', '12345678'], ...LEFT_OUT],
		refused: [
			[/4 to 8 letters and digits/, ['123', 'text'], ['123456789', 'text']],
			[/must be/, ...STRUCTURES],
		],
	},
	{
		name: 'playVerifyCode',
		label: 'Audio Files',
		form: verify({ voice: 'custom', playVerifyCode: VALUE }),
		accepted: [
			['a.wav;b.wav', 'a.wav;b.wav'],
			[7, '7'],
		],
		refused: [
			[/is required/, ...NOTHING],
			[/must be text/, ...STRUCTURES],
		],
	},
	{
		name: 'lang',
		label: 'Language',
		form: verify({}, { lang: VALUE }),
		accepted: [['zh', 'zh'], ['en', 'en'], ...LEFT_OUT],
		refused: [[/"zh", "en"/, ['fr', 'text'], ['ZH', 'text'], [1, 'a number'], ...STRUCTURES]],
	},
	{
		name: 'welcomePrompt',
		label: 'Welcome Prompt',
		form: verify({}, { welcomePrompt: VALUE }),
		accepted: [['a.wav', 'a.wav'], [7, '7'], ...LEFT_OUT],
		refused: [[/must be text/, ...STRUCTURES]],
	},
	{
		name: 'maxCallTime',
		label: 'Max Call Time',
		form: verify({}, { maxCallTime: VALUE }),
		accepted: [[0, undefined], ['0', undefined], [1, '1'], ['3600', '3600'], ...LEFT_OUT],
		refused: [
			[
				/whole number/,
				[-1, 'a number'],
				[0.5, 'a number'],
				['long', 'text'],
				[true, 'true or false'],
				...STRUCTURES,
			],
		],
	},
	{
		name: 'to',
		label: 'To',
		form: sms({ to: VALUE }),
		accepted: [
			['12345', '12345'],
			['1'.repeat(20), '1'.repeat(20)],
			[13800000005, NUMBER],
			['+12025550105', '+12025550105'],
			['+8613800000005', NUMBER],
			['008613800000005', NUMBER],
			['138-0000-0005', NUMBER],
			['138 0000 0005', NUMBER],
			['13800000001,13800000002', '13800000001,13800000002'],
			['13800000001，13800000002', '13800000001,13800000002'],
			['13800000001;13800000002', '13800000001,13800000002'],
			['13800000001；13800000002', '13800000001,13800000002'],
			['13800000001\r\n13800000002\n', '13800000001,13800000002'],
			[',, 13800000001 ,;', '13800000001'],
			[['13800000001', 13800000002, '', null], '13800000001,13800000002'],
			[['13800000001;13800000002', '13800000003'], '13800000001,13800000002,13800000003'],
			['13800000001,+86 138-0000-0001,13800000001', '13800000001'],
		],
		refused: [
			[/is required/, ...NOTHING, [[], 'nothing'], [[''], 'nothing'], [' ,;\n', 'nothing']],
			[
				SMS_TO,
				['1234', 'text'],
				['1'.repeat(21), 'text'],
				['13800000001,1234', 'text'],
				['13800000001,name', 'text'],
				['1.38E+10', 'text'],
				['13800000001 13800000002', 'text'],
				['138+00000001', 'text'],
				[['13800000001', '12'], 'a list'],
				[true, 'true or false'],
			],
			[/must be/, [{ to: NUMBER }, 'an object'], [[{ to: NUMBER }], 'an object']],
		],
	},
	{
		name: 'templateId',
		label: 'Template ID',
		form: sms({ templateId: VALUE }),
		accepted: [
			['100000', '100000'],
			[100000, '100000'],
		],
		refused: [
			[/is required/, ...NOTHING],
			[/must be text/, ...STRUCTURES],
		],
	},
	{
		name: 'datas',
		label: 'Variables',
		form: sms({ templateId: '100002', datas: ['={{ $json.value }}', 'second'] }),
		accepted: [
			['first', ['first', 'second']],
			['', ['', 'second']],
			[null, ['', 'second']],
			[undefined, ['', 'second']],
			[42, ['42', 'second']],
			[false, ['false', 'second']],
			[['one'], ['one', 'second']],
		],
		refused: [[/must be text/, [{ a: 1 }, 'an object'], [[{ a: 1 }], 'an object']]],
	},
	{
		name: 'datas',
		label: 'Variables',
		form: sms({ templateId: '100002', datas: [VALUE] }),
		accepted: [
			[
				['one', 2],
				['one', '2'],
			],
			[
				['', 'two'],
				['', 'two'],
			],
		],
		refused: [],
	},
	{
		name: 'datas',
		label: 'Variables',
		form: sms({ templateId: '={{ $json.value.length ? "100002" : "100000" }}', datas: VALUE }),
		accepted: [
			[[], undefined],
			[
				['one', 'two'],
				['one', 'two'],
			],
		],
		refused: [],
	},
	{
		name: 'friendlyName',
		label: 'Friendly Name',
		form: operation('subAccount', 'create', { friendlyName: VALUE }),
		accepted: [
			['shop@example.com', 'shop@example.com'],
			['店铺 42 <&>', '店铺 42 <&>'],
			['8a216da8-5f5c-89b1', '8a216da8-5f5c-89b1'],
			[42, '42'],
			['a'.repeat(300), 'a'.repeat(300)],
		],
		refused: [
			[/is required/, ...NOTHING],
			[/must be text/, ...STRUCTURES],
		],
	},
	{
		name: 'onDuplicate',
		wire: 'friendlyName',
		label: 'If the Name Exists',
		form: operation('subAccount', 'create', { friendlyName: 'one', onDuplicate: VALUE }),
		accepted: [['returnExisting', 'one']],
		refused: [[/"error", "returnExisting"/, ...NOTHING, ['replace', 'text'], ...STRUCTURES]],
	},
	{
		name: 'limit',
		wire: 'offset',
		label: 'Limit',
		form: getAll({ limit: VALUE }),
		accepted: [
			[1, '1'],
			['7', '7'],
			[1000, '100'],
		],
		refused: [
			[
				/whole number of at least 1/,
				[0, 'a number'],
				[-1, 'a number'],
				[1.5, 'a number'],
				['all', 'text'],
				[true, 'true or false'],
				...STRUCTURES,
			],
		],
	},
	{
		name: 'startNo',
		label: 'Start Number',
		form: getAll({}, { startNo: VALUE }),
		accepted: [
			[0, '0'],
			['250', '250'],
		],
		refused: [
			[
				/whole number of at least 0/,
				[-1, 'a number'],
				[0.5, 'a number'],
				['first', 'text'],
				[true, 'true or false'],
				...STRUCTURES,
			],
		],
	},
	{
		name: 'returnAll',
		wire: 'offset',
		label: 'Return All',
		form: getAll({ returnAll: VALUE, limit: 7 }),
		accepted: [
			[true, '100'],
			['true', '100'],
			[false, '7'],
			['false', '7'],
		],
		refused: [[/true or false/, ...NOTHING, ['yes', 'text'], [1, 'a number'], ...STRUCTURES]],
	},
	{
		name: 'omitSecrets',
		wire: 'appId',
		label: 'Omit Secrets',
		form: getAll({}, { omitSecrets: VALUE }),
		accepted: [],
		refused: [[/true or false/, ['yes', 'text'], [1, 'a number'], ...STRUCTURES]],
	},
	{
		name: 'dryRun',
		wire: 'to',
		label: 'Dry Run',
		form: notify({}, { dryRun: VALUE }),
		accepted: [[false, NUMBER]],
		refused: [[/true or false/, ['yes', 'text'], [1, 'a number'], ...STRUCTURES]],
	},
	{
		name: 'wireFormat',
		wire: 'to',
		label: 'Wire Format',
		form: notify({}, { wireFormat: VALUE }),
		accepted: [
			['json', NUMBER],
			['xml', NUMBER],
		],
		refused: [[/"json", "xml"/, ['yaml', 'text'], ['JSON', 'text'], ...STRUCTURES]],
	},
	{
		name: 'timeout',
		wire: 'to',
		label: 'Timeout',
		form: notify({}, { timeout: VALUE }),
		accepted: [
			[60_000, NUMBER],
			['60000', NUMBER],
		],
		refused: [
			[/whole number/, ['soon', 'text'], [-1, 'a number'], [1000.5, 'a number'], ...STRUCTURES],
		],
	},
	{
		name: 'subAccountSid',
		label: 'Sub-Account',
		form: operation('subAccount', 'close', {
			subAccountSid: { __rl: true, mode: 'id', value: VALUE },
		}),
		accepted: [],
		refused: [
			[/is required/, ...NOTHING],
			[/letters and digits/, ['a-b', 'text'], ['a b', 'text'], ['子账户', 'text']],
		],
	},
];

const titled = (tests: FieldTest[]) =>
	tests.map((test) => {
		const { resource, operation: name } = test.form;
		return { ...test, title: `${String(resource)}.${String(name)}: ${test.name}` };
	});
const itemWith = (value: Value) => (value === undefined ? {} : { value });
const fieldOf = ({ fields }: RecordedRequest, name: string) => fields[name];

describe('a value is sent as the service wants it', () => {
	it.each(titled(FIELDS.filter(({ accepted }) => accepted.length > 0)))(
		'$title',
		async ({ name, wire = name, form, accepted }) => {
			const run = await runNode({
				parameters: oneByOne(form),
				items: accepted.map(([value]) => itemWith(value)),
				settings: { onError: 'continueRegularOutput' },
				credential: service.credential(),
			});
			const failures = jsonOf(run).filter(({ error }) => error !== undefined);
			expect(failures).toEqual([]);
			const sent = service.simulator.record.requests.map((each) => fieldOf(each, wire));
			const expected = accepted.map(([, value]) => value);
			// Get Many has no pace of its own, so its items' requests arrive in any order.
			if (form.operation === 'getAll') {
				sent.sort();
				expected.sort();
			}
			expect(sent).toEqual(expected);
		},
	);
});

describe('a value that breaks a rule is refused, with field, item, rule and kind', () => {
	it.each(titled(FIELDS.filter(({ refused }) => refused.length > 0)))(
		'$title',
		async ({ form, label, refused }) => {
			const cases = refused.flatMap(([rule, ...values]) =>
				values.map(([value, kind]) => ({ rule, value, kind })),
			);
			const run = await runNode({
				parameters: form,
				items: cases.map(({ value }) => itemWith(value)),
				settings: { onError: 'continueRegularOutput' },
				credential: service.credential(),
			});
			const items = itemsOf(run);
			expect(items).toHaveLength(cases.length);
			cases.forEach(({ rule, value, kind }, index) => {
				const { message, statusCode, statusMsg } = reportIn(items[index].json);
				expect([value, message]).toEqual([value, expect.stringMatching(rule)]);
				expect(message).toContain(`'${label}'`);
				expect([value, message]).toEqual([
					value,
					expect.stringMatching(new RegExp(`holds ${kind} \\[item ${index}\\]$`)),
				]);
				expect([statusCode, statusMsg]).toEqual(['', '']);
				expect(items[index].pairedItem).toEqual({ item: index });
			});
			expect(service.simulator.record.requests).toEqual([]);
		},
	);
});

describe('text that XML cannot carry', () => {
	const BAD = ['\u0000', '\u0008', '\u000b', '\u001f', '\ud800', 'a\udc00b', '\ufffe', '\uffff'];
	const GOOD = [
		'\t\n',
		'\r',
		'a\r\nb',
		'\ud7ff\ue000\ufffc',
		'\u{1f4de}\u{10fffd}',
		'\u0085\u2028',
	];
	const PLACES: Array<[string, string, INodeParameters]> = [
		['mediaTxt', 'Text to Speak', notify({ mediaTxt: VALUE })],
		['mediaName', 'Audio Files', notify({ content: 'audio', mediaName: VALUE })],
		['userData', 'User Data', notify({}, { userData: VALUE })],
		['datas', 'Variables', sms({ templateId: '100001', datas: [VALUE] })],
		['friendlyName', 'Friendly Name', operation('subAccount', 'create', { friendlyName: VALUE })],
	];
	const inFormat = ({ options, ...form }: INodeParameters, wireFormat: string) => ({
		...form,
		options: { ...(options as INodeParameters), wireFormat, maxConcurrency: 1 },
	});

	it.each(PLACES)('%s: refused in XML', async (_, label, form) => {
		const run = await runNode({
			parameters: inFormat(form, 'xml'),
			items: BAD.map((bad) => ({ value: `a${bad}b` })),
			settings: { onError: 'continueRegularOutput' },
			credential: service.credential(),
		});
		const messages = jsonOf(run).map((json) => reportIn(json).message);
		expect(messages).toEqual(
			BAD.map((__, index) => expect.stringMatching(`'${label}'.*XML.*\\[item ${index}\\]$`)),
		);
		expect(service.simulator.record.requests).toEqual([]);
	});

	it.each(PLACES)('%s: sent in JSON', async (name, __, form) => {
		const items = [...GOOD, '\u0000', '\u001f', '\ufffe'].map((text) => ({ value: `a${text}b` }));
		const run = await runNode({
			parameters: inFormat(form, 'json'),
			items,
			credential: service.credential(),
		});
		expect(itemsOf(run)).toHaveLength(items.length);
		expect(
			service.simulator.record.requests.map((each) => [fieldOf(each, name)].flat()[0]),
		).toEqual(items.map(({ value }) => value));
		expect(service.simulator.violations()).toEqual([]);
	});

	it.each(PLACES)('%s: whatever XML can carry arrives as it is', async (name, __, form) => {
		const items = GOOD.map((text) => ({ value: `a${text}b &amp;<![CDATA[x]]>` }));
		const run = await runNode({
			parameters: inFormat(form, 'xml'),
			items,
			credential: service.credential(),
		});
		expect(itemsOf(run)).toHaveLength(items.length);
		expect(
			service.simulator.record.requests.map((each) => [fieldOf(each, name)].flat()[0]),
		).toEqual(items.map(({ value }) => value));
		expect(service.simulator.violations()).toEqual([]);
	});
});

describe('more than one recipient of a text', () => {
	const numbers = (count: number) =>
		Array.from({ length: count }, (_, index) => String(13900000000 + index));

	it('200 go in one request', async () => {
		const run = await runNode({
			parameters: sms({ to: VALUE }),
			items: [{ value: [...numbers(200), ...numbers(200)] }],
			credential: service.credential(),
		});
		expect(jsonOf(run)).toEqual([expect.objectContaining({ to: numbers(200).join(',') })]);
		expect(service.simulator.accepted()).toEqual([
			expect.objectContaining({ kind: 'message', to: numbers(200) }),
		]);
	});

	it('201 go in two, and the item tells of both', async () => {
		const run = await runNode({
			parameters: oneByOne(sms({ to: VALUE })),
			items: [{ value: numbers(201).join('\n') }],
			credential: service.credential(),
		});
		const parts = [numbers(200), numbers(201).slice(200)];
		expect(service.simulator.accepted()).toEqual(
			parts.map((to) => expect.objectContaining({ kind: 'message', to }) as object),
		);
		expect(jsonOf(run)).toEqual([
			expect.objectContaining({
				to: numbers(201).join(','),
				messages: parts.map((to) => expect.objectContaining({ to: to.join(',') }) as object),
			}),
		]);
	});
});

describe('what another choice made disappear is neither sent nor checked', () => {
	const LEFTOVERS = {
		mediaTxt: { left: 'over' },
		mediaName: ['left over'],
		mediaNameType: 'left over',
		respUrl: 'left over',
		codeSource: 'left over',
		codeLength: 99,
		verifyCode: 'left over',
		playVerifyCode: ['left over'],
		templateId: { left: 'over' },
		friendlyName: { left: 'over' },
		limit: -1,
	};
	const OPTIONS = { txtSpeed: 9999, txtVolume: 'loud', txtPitch: 1.5, txtBgsound: '99' };
	/** Choices given as they are, and worked out for the item: n8n drops leftovers of the former. */
	const ways: Array<[string, (choices: INodeParameters) => [INodeParameters, IDataObject]]> = [
		['chosen in the form', (choices) => [choices, {}]],
		[
			'chosen by an expression',
			(choices) => [
				Object.fromEntries(Object.keys(choices).map((name) => [name, `={{ $json.${name} }}`])),
				choices as IDataObject,
			],
		],
	];

	describe.each(ways)('%s', (_, way) => {
		it.each<[string, string, INodeParameters, INodeParameters, INodeParameters, IDataObject]>([
			[
				'call',
				'notify',
				{ content: 'text', resultDelivery: 'none' },
				{ mediaTxt: 'Hello' },
				{},
				{ mediaTxt: 'Hello' },
			],
			[
				'call',
				'notify',
				{ content: 'audio', resultDelivery: 'none' },
				{ mediaName: 'a.wav', mediaNameType: '1' },
				OPTIONS,
				{ mediaName: 'a.wav', mediaNameType: '1' },
			],
			[
				'call',
				'verify',
				{ voice: 'default', codeSource: 'given', resultDelivery: 'none' },
				{ verifyCode: '1234' },
				{},
				{ verifyCode: '1234' },
			],
			[
				'call',
				'verify',
				{ voice: 'custom', resultDelivery: 'none' },
				{ playVerifyCode: 'a.wav', verifyCode: '={{ null }}' },
				{},
				{ playVerifyCode: 'a.wav' },
			],
		])('%s.%s with %j', async (resource, name, choices, values, options, sent) => {
			const [chosen, item] = way(choices);
			const parameters = operation(
				resource,
				name,
				{ ...LEFTOVERS, to: NUMBER, ...values, ...chosen },
				options,
			);
			const run = await runNode({
				parameters,
				items: [item],
				credential: service.credential(),
			});
			expect(itemsOf(run)).toHaveLength(1);
			expect(service.simulator.record.requests.map(({ fields }) => fields)).toEqual([
				{ appId: service.simulator.credentials.appId, to: NUMBER, ...sent },
			]);
			expect(service.simulator.violations()).toEqual([]);
		});

		it('subAccount.getAll that returns all', async () => {
			const [chosen, item] = way({ returnAll: true });
			const run = await runNode({
				parameters: getAll({ ...LEFTOVERS, ...chosen }),
				items: [item],
				credential: service.credential(),
			});
			expect(itemsOf(run)).toEqual([]);
			expect(service.simulator.record.requests).toEqual([
				expect.objectContaining({ fields: expect.objectContaining({ offset: '100' }) as unknown }),
			]);
		});
	});

	it('a code length that is not asked for does not matter, one that is does', async () => {
		const bad = { codeSource: '={{ $json.source }}', codeLength: 3 };
		const run = await runNode({
			parameters: verify(bad),
			items: [{ source: 'given' }, { source: 'generate' }],
			settings: { onError: 'continueRegularOutput' },
			credential: service.credential(),
		});
		const [given, generated] = jsonOf(run);
		expect(given).toMatchObject({ statusCode: '000000' });
		expect(reportIn(generated).message).toMatch(/^'Code Length' .*4 to 8.*\[item 1\]$/);
	});
});

describe('the application', () => {
	const OPERATIONS: Array<[string, INodeParameters]> = [
		['call.notify', notify({})],
		['call.verify', verify({})],
		['sms.send', sms({})],
		['subAccount.create', operation('subAccount', 'create', { friendlyName: 'one' })],
		['subAccount.getByName', operation('subAccount', 'getByName', { friendlyName: 'one' })],
		['subAccount.getAll', getAll({})],
	];

	it.each(OPERATIONS)('%s: that of the credential where the node names none', async (_, form) => {
		const items = [{ value: '' }, { value: null }, {}, { value: '  ' }];
		await runNode({
			parameters: { ...form, appId: VALUE },
			items,
			settings: { onError: 'continueRegularOutput' },
			credential: service.credential(),
		});
		const { appId } = service.simulator.credentials;
		expect(service.simulator.record.requests.map((each) => fieldOf(each, 'appId'))).toEqual(
			items.map(() => appId),
		);
	});

	it.each(OPERATIONS)('%s: refused where neither names one', async (_, form) => {
		const { error } = await runNode({
			parameters: form,
			credential: service.credential({ appId: '' }),
		});
		expect(error?.message).toMatch(/^'App ID' .*required.*credential.*\[item 0\]$/);
		expect(service.simulator.record.requests).toEqual([]);
	});

	it.each(STRUCTURES)('%j is no application', async (value) => {
		const { error } = await runNode({
			parameters: { ...notify({}), appId: VALUE },
			items: [{ value }],
			credential: service.credential(),
		});
		expect(error?.message).toMatch(/^'App ID' must be text.*\[item 0\]$/);
		expect(service.simulator.record.requests).toEqual([]);
	});

	it('closing a sub-account needs none', async () => {
		const subAccountSid = { __rl: true, mode: 'id', value: 'unknown' };
		const { error } = await runNode({
			parameters: operation('subAccount', 'close', { subAccountSid }),
			credential: service.credential({ appId: '' }),
		});
		expect(error).toMatchObject({ httpCode: '111157' });
	});
});

describe('all items are checked before the first request', () => {
	const items = [{ to: NUMBER }, { to: '13900000005' }, { to: 'nobody' }];

	it('one bad item: nothing is sent', async () => {
		const run = await runNode({
			parameters: notify({ to: '={{ $json.to }}' }),
			items,
			credential: service.credential(),
		});
		expect(run.error?.message).toMatch(/^'To' .*\[item 2\]$/);
		expect(run.error?.name).toBe('NodeOperationError');
		expect(run.error?.context).toMatchObject({
			accepted: [],
			notAttempted: expect.arrayContaining([0, 1]) as unknown,
		});
		expect(service.simulator.record.requests).toEqual([]);
	});

	it('two bad items: the one of lowest index is named', async () => {
		const run = await runNode({
			parameters: notify({ to: '={{ $json.to }}' }),
			items: [{ to: NUMBER }, { to: '' }, { to: 'nobody' }],
			credential: service.credential(),
		});
		expect(run.error?.message).toMatch(/^'To' is required.*\[item 1\]$/);
	});

	it.each([
		['continueRegularOutput', 0],
		['continueErrorOutput', 1],
	] as const)('with %s only the bad item fails', async (onError, output) => {
		const run = await runNode({
			parameters: notify({ to: '={{ $json.to }}' }),
			items: [items[2], items[0], items[1]],
			settings: { onError },
			credential: service.credential(),
		});
		const failed = itemsOf(run, output).filter(({ json }) => json.error !== undefined);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		expect(reportIn(failed[0].json)).toMatchObject({ accepted: 'no' });
		expect(service.simulator.record.requests.map((each) => fieldOf(each, 'to')).sort()).toEqual([
			NUMBER,
			'13900000005',
		]);
		const succeeded = itemsOf(run).filter(({ json }) => json.error === undefined);
		expect(succeeded.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 2 }]);
	});
});

describe('allowed recipients', () => {
	it.each<[string, string[], string[]]>([
		['', [NUMBER, '+12025550105'], []],
		[NUMBER, [NUMBER, '+86 13800000005'], ['13800000006', '138000000055', '3800000005']],
		['13900000000, 13800000005', [NUMBER, '13900000000'], ['13900000001']],
		['138*', [NUMBER, '138'], ['13900000005', '+13800000005', '0138000']],
		['*0005', [NUMBER, '13900000005'], ['13800000006', '00050']],
		['*', [NUMBER, '+12025550105'], []],
		['1*5', [], [NUMBER]],
		['+12025550105', ['+12025550105'], ['12025550105']],
	])('%j lets through %j and not %j', async (allowedRecipients, through, refused) => {
		const items = [...through, ...refused].map((to) => ({ to }));
		for (const form of [notify, sms]) {
			service.simulator.reset();
			// A text goes to numbers of five digits or more.
			const own = items.filter(({ to }) => form === notify || to.replace(/\D/g, '').length >= 5);
			const run = await runNode({
				parameters: form({ to: '={{ $json.to }}' }, { allowedRecipients }),
				items: own,
				settings: { onError: 'continueRegularOutput' },
				credential: service.credential(),
			});
			const reached = jsonOf(run).map(({ error }) => error === undefined);
			expect(reached).toEqual(own.map(({ to }) => through.includes(to)));
			expect(service.simulator.record.requests).toHaveLength(reached.filter(Boolean).length);
			for (const [index, json] of jsonOf(run).entries()) {
				if (reached[index]) continue;
				expect(reportIn(json).message).toMatch(/^'To' .*Allowed Recipients.*\[item \d+\]$/);
			}
		}
	});

	it('one other number among several stops the whole text', async () => {
		const { error } = await runNode({
			parameters: sms({ to: '13800000000,13900000000' }, { allowedRecipients: '138*' }),
			credential: service.credential(),
		});
		expect(error?.message).toMatch(/Allowed Recipients/);
		expect(service.simulator.record.requests).toEqual([]);
	});

	// The older generation works the expression out, the newer one takes it for the text itself.
	it.each(['={{ "138*" }}', '={{ $json.allowed }}', '={{ $json.missing }}'])(
		'the expression %s lets nobody through',
		async (allowedRecipients) => {
			for (const form of [notify, verify, sms]) {
				const { error } = await runNode({
					parameters: form({}, { allowedRecipients }),
					items: [{ allowed: '138*' }],
					credential: service.credential(),
				});
				expect(error?.message).toMatch(/Allowed Recipients.*\[item 0\]$/);
			}
			expect(service.simulator.record.requests).toEqual([]);
		},
	);
});

describe('a dry run', () => {
	const appId = () => service.simulator.credentials.appId;
	it.each<[string, INodeParameters, () => IDataObject]>([
		[
			'call.notify',
			notify(
				{ content: 'textAndAudio', mediaName: 'a.wav', mediaNameType: '1' },
				{ playTimes: 2, userData: VALUE, dryRun: true },
			),
			() => ({
				endpoint: 'LandingCalls',
				request: {
					appId: appId(),
					to: NUMBER,
					mediaTxt: 'Hello',
					mediaName: 'a.wav',
					mediaNameType: '1',
					playMode: '1',
					playTimes: '2',
					userData: '7',
				},
				to: NUMBER,
			}),
		],
		[
			'call.verify in XML',
			verify({}, { maxCallTime: 0, dryRun: true, wireFormat: 'xml' }),
			() => ({
				endpoint: 'VoiceVerify',
				request: { appId: appId(), to: NUMBER, verifyCode: '1234' },
				to: NUMBER,
			}),
		],
		[
			'sms.send',
			sms(
				{ to: '13800000000;138-0000-0001', datas: [VALUE, ''] },
				{ dryRun: '={{ $json.value === 7 }}' },
			),
			() => ({
				endpoint: 'TemplateSMS',
				request: {
					appId: appId(),
					to: '13800000000,13800000001',
					templateId: '100000',
					datas: ['7', ''],
				},
				to: '13800000000,13800000001',
			}),
		],
	])('of %s shows the request and sends none', async (_, parameters, shown) => {
		const run = await runNode({
			parameters,
			items: [{ value: 7 }],
			credential: service.credential(),
		});
		expect(itemsOf(run)).toEqual([{ json: { dryRun: true, ...shown() }, pairedItem: { item: 0 } }]);
		expect(service.simulator.record.requests).toEqual([]);
	});

	it('makes every check', async () => {
		for (const [form, words] of [
			[notify({ to: '12' }, { dryRun: true }), /^'To' /],
			[notify({}, { dryRun: true, playTimes: 9 }), /^'Play Times' /],
			[notify({}, { dryRun: true, allowedRecipients: '139*' }), /Allowed Recipients/],
			[sms({ to: 'nobody' }, { dryRun: true }), /^'To' /],
		] as const) {
			const { error } = await runNode({ parameters: form, credential: service.credential() });
			expect(error?.message).toMatch(words);
		}
		expect(service.simulator.record.requests).toEqual([]);
	});
});

describe('a generated code', () => {
	it.each([
		['as long as it is at first', {}, 6],
		['the shortest', { codeLength: 4 }, 4],
		['the longest', { codeLength: 8 }, 8],
	])(
		'%s: digits, another one for each item, and the called person hears them',
		async (_, more, length) => {
			const run = await runNode({
				parameters: oneByOne(verify({ codeSource: 'generate', verifyCode: 'left', ...more })),
				items: Array.from({ length: 12 }, () => ({})),
				credential: service.credential(),
			});
			const codes = jsonOf(run).map(({ verifyCode }) => verifyCode);
			expect(codes).toEqual(codes.map(() => expect.stringMatching(`^\\d{${length}}$`) as unknown));
			expect(new Set(codes).size).toBeGreaterThan(6);
			const heard = service.simulator.record.requests.map((each) => fieldOf(each, 'verifyCode'));
			expect(codes).toEqual(heard);
		},
	);

	it.each([
		['given', verify({})],
		['beside own audio', verify({ voice: 'custom', playVerifyCode: 'a.wav' })],
	])('a code that was %s is not in the output', async (_, parameters) => {
		const run = await runNode({ parameters, credential: service.credential() });
		expect(jsonOf(run)[0]).not.toHaveProperty('verifyCode');
	});

	it.each([3, 9, 6.5, 'six', true, null])('a length of %j', async (codeLength) => {
		const run = await runNode({
			parameters: verify({ codeSource: 'generate', codeLength: VALUE }),
			items: [{ value: codeLength }],
			credential: service.credential(),
		});
		if (codeLength === null) expect(jsonOf(run)[0].verifyCode).toMatch(/^\d{6}$/);
		else expect(run.error?.message).toMatch(/^'Code Length' .*4 to 8.*\[item 0\]$/);
	});
});

describe('a caller number that is the called number', () => {
	it.each([
		['call.notify', notify],
		['call.verify', verify],
	])('%s: is sent, with a hint', async (_, form) => {
		const run = await runNode({
			parameters: oneByOne(form({}, { displayNum: '={{ $json.from }}' })),
			settings: { onError: 'continueRegularOutput' },
			items: [{ from: NUMBER }, { from: '01012345678' }, { from: NUMBER }],
			credential: service.credential(),
		});
		expect(itemsOf(run)).toHaveLength(3);
		expect(service.simulator.record.requests.map((each) => fieldOf(each, 'displayNum'))).toEqual([
			NUMBER,
			'01012345678',
			NUMBER,
		]);
		expect(run.hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/caller number/i),
		]);
	});

	it('another one: no hint', async () => {
		const run = await runNode({
			parameters: notify({}, { displayNum: '01012345678' }),
			credential: service.credential(),
		});
		expect(run.hints).toEqual([]);
	});

	it('written in another way, it is still the called number', async () => {
		const run = await runNode({
			parameters: notify({ to: '+86 138 0000 0005' }, { displayNum: NUMBER }),
			credential: service.credential(),
		});
		expect(run.hints).toHaveLength(1);
	});
});
