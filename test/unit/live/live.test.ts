import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { askLive } from '../../live/live';
import { readSettings, WrongUsage, type LiveCall } from '../../live/settings';
import { shapeOf } from '../../live/shape';
import { startSimulator, type Simulator } from '../../simulator';

/* A second simulator plays the live service. */
let live: Simulator;
let simulator: Simulator;
let port: number;

beforeAll(async () => {
	live = await startSimulator({ orderId: 'always', callResultDelayMs: 1 });
	simulator = await startSimulator({ orderId: 'always', callResultDelayMs: 1 });
	const probe = createServer().listen(0, '127.0.0.1');
	await new Promise((resolve) => probe.once('listening', resolve));
	({ port } = probe.address() as AddressInfo);
	await new Promise((resolve) => probe.close(resolve));
});
afterAll(async () => await Promise.all([live.stop(), simulator.stop()]));
beforeEach(() => live.reset());

const call = (changes: Partial<LiveCall> = {}): LiveCall => ({
	to: '13800000010',
	resultUrl: `http://127.0.0.1:${port}/results?from=service`,
	listen: { host: '127.0.0.1', port },
	waitMs: 10_000,
	isConfirmed: false,
	...changes,
});

/** What the door says, and whether all was the same; the person agrees unless told otherwise. */
async function open(wanted?: LiveCall, agrees = true, token = live.credentials.authToken) {
	const said: string[] = [];
	const credential = { ...live.credentials, authToken: token, baseUrl: live.url };
	const isSame = await askLive({ credential, ...(wanted && { call: wanted }) }, simulator, {
		tell: (text) => said.push(text),
		agrees: async () => agrees,
	});
	return { isSame, said: said.join('\n') };
}

const differences = (said: string): string[] =>
	said
		.split('\n')
		.filter((line) => line.startsWith('≠'))
		.map((line) => line.split(/ {2,}/).slice(1).join(' | '));

test.each([0, 1, 2, 5])(
	'finds no difference between two simulators with %d sub-accounts',
	async (count) => {
		live.seedSubAccounts(count);
		const { isSame, said } = await open();
		expect(differences(said)).toEqual([]);
		expect(isSame).toBe(true);
		expect(
			live.record.requests.map(({ operation, answerFormat }) => [operation, answerFormat]),
		).toEqual([
			['AccountInfo', 'json'],
			['AccountInfo', 'xml'],
			['GetSubAccounts', 'json'],
			['GetSubAccounts', 'xml'],
		]);
		expect([...live.violations(), ...simulator.violations()]).toEqual([]);
	},
);

test('makes one call, acknowledges its result, and shows no value of an answer', async () => {
	live.seedSubAccounts(2);
	const { isSame, said } = await open(call());
	expect(differences(said)).toEqual([]);
	expect(isSame).toBe(true);
	await Promise.all([live.idle(), simulator.idle()]);
	expect(live.accepted()).toMatchObject([{ kind: 'call', to: '13800000010' }]);
	expect(live.record.notifications).toMatchObject([{ answer: { httpStatus: 200 } }]);
	expect([...live.violations(), ...simulator.violations()]).toEqual([]);
	expect(said).toMatch(/138\*{4}0010.*pays/);
	expect(said).toMatch(/starttime +date yyyyMMddHHmmss/);

	const { accountSid, authToken, appId } = live.credentials;
	const answered = live.record.notifications[0].body.match(/[\w-]{10,}/g) ?? [];
	const [{ callSid }] = live.record.notifications;
	for (const secret of [accountSid, authToken, appId, callSid, '13800000010', '1024.50']) {
		expect(said).not.toContain(secret);
	}
	expect(answered.filter((word) => /\d/.test(word) && said.includes(word))).toEqual([]);
	expect(said).not.toMatch(/客服中心|北京分公司|@example|[0-9a-f]{32}/);
});

const ACCOUNT =
	'{"statusCode":"000000","Account":{"friendlyName":"a","type":"1","status":"1","dateCreated":"20260102030405","dateUpdated":null,"balance":3,"subBalance":"0.5","note":""}}';

test.each<[string, (is: Simulator) => unknown, string[]]>([
	[
		'a field that is not there',
		(is) => is.configure({ orderId: 'never' }),
		['LandingCall.orderid | - | 24 letters and digits'],
	],
	[
		'blanks around ids',
		(is) => is.configure({ leadingBlanks: true }),
		[
			'LandingCall.callSid | 32 digits, blanks around it | 32 digits',
			'LandingCall.orderid | 24 letters and digits, blanks around it | 24 letters and digits',
		],
	],
	[
		'a body that nobody can read',
		(is) => is.fail({ kind: 'http', nth: 2, altered: 'half', accept: true }),
		[
			'(body) | not XML | -',
			'(declaration) | - | <?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
			'(read by the package as) | The answer cannot be read',
			'(root) | - | Response',
			...[
				'balance',
				'dateCreated',
				'dateUpdated',
				'friendlyName',
				'status',
				'subBalance',
				'type',
			].map((name) => `Account.${name} | - | `),
			'statusCode | - | digits',
		],
	],
	[
		'fields written in another way',
		(is) => is.fail({ kind: 'http', body: ACCOUNT, contentType: 'text/plain' }),
		[
			'(Content-Type) | text/plain | application/json;charset=utf-8',
			'Account.balance | number without quotes | amount like 0.00',
			'Account.dateCreated | date yyyyMMddHHmmss | date yyyy-MM-dd HH:mm:ss',
			'Account.dateUpdated | null | date yyyy-MM-dd HH:mm:ss',
			'Account.note | empty text | -',
			'Account.subBalance | amount like 0.0 | amount like 0.00',
		],
	],
])('tells of %s', async (_name, change, expected) => {
	change(live);
	const { isSame, said } = await open(call());
	expect(isSame).toBe(false);
	expect(differences(said)).toEqual(expected.map((words) => expect.stringContaining(words)));
});

test('tells what the package says of a refusal', async () => {
	const { isSame, said } = await open(undefined, true, 'x'.repeat(32));
	expect(isSame).toBe(false);
	expect(said).toMatch(/read by the package as\) +.*\(code 111109\).* success/);
	expect(said).toMatch(
		/Not as on the simulator: The account, JSON; The account, XML; .*sub-accounts/,
	);
});

test.each<[string, Partial<LiveCall>, boolean, RegExp]>([
	['the person does not agree', {}, false, /No call was made\.\n/],
	[
		'its result cannot arrive',
		{ resultUrl: 'http://127.0.0.1:1/', isConfirmed: true },
		true,
		/No call was made: .*--result-url/,
	],
])('makes no call if %s', async (_name, changes, agrees, words) => {
	const { isSame, said } = await open(call(changes), agrees);
	expect(isSame).toBe(false);
	expect(said).toMatch(words);
	expect(live.accepted()).toEqual([]);
});

test('gives up if no result arrives, and takes none that a stranger sends', async () => {
	const wanted = call({ to: '13800000015', waitMs: 3000, isConfirmed: true });
	const opened = open(wanted, false);
	while (live.accepted().length === 0) await new Promise((resolve) => setImmediate(resolve));
	const stranger = await fetch(wanted.resultUrl, { method: 'POST', body: '<Request/>' });
	expect(stranger.status).toBe(404);
	expect((await opened).said).toMatch(/No result arrived in time/);
});

describe('the command line', () => {
	const ENV = {
		YUNTONGXUN_ACCOUNT_SID: 'sid',
		YUNTONGXUN_AUTH_TOKEN: 'secret-token',
		YUNTONGXUN_APP_ID: 'app',
	};
	const CALL = ['--to', '13800000000', '--result-url', 'https://a.example/', '--listen', '8899'];

	test('reads only unless told otherwise, from production', () => {
		expect(readSettings([], ENV)).toEqual({
			credential: {
				accountSid: 'sid',
				authToken: 'secret-token',
				appId: 'app',
				baseUrl: 'https://app.cloopen.com:8883',
			},
		});
	});

	test('names the call', () => {
		expect(readSettings([...CALL, '--wait', '2', '--yes'], ENV).call).toEqual({
			to: '13800000000',
			resultUrl: 'https://a.example/',
			listen: { host: '127.0.0.1', port: 8899 },
			waitMs: 120_000,
			isConfirmed: true,
		});
		const { listen } = readSettings([...CALL.slice(0, -1), '0.0.0.0:80'], ENV).call ?? {};
		expect(listen).toEqual({ host: '0.0.0.0', port: 80 });
	});

	test.each<[string, string[], Record<string, string>, RegExp]>([
		['no credential', [], { YUNTONGXUN_APP_ID: 'a' }, /ACCOUNT_SID, YUNTONGXUN_AUTH_TOKEN$/],
		['a blank token', [], { ...ENV, YUNTONGXUN_AUTH_TOKEN: ' ' }, /^Not set: .*AUTH_TOKEN$/],
		['plain HTTP', [], { ...ENV, YUNTONGXUN_BASE_URL: 'http://a' }, /BASE_URL must/],
		['an unknown option', ['--call'], ENV, /--call/],
		['a number alone', ['--to', '13800000000'], ENV, /all of/],
		['no phone number', [...CALL, '--to', 'me'], ENV, /--to/],
		['no address', [...CALL, '--result-url', 'a.example'], ENV, /--result-url/],
		['no port', [...CALL, '--listen', 'here'], ENV, /--listen/],
		['no time', [...CALL, '--wait', 'long'], ENV, /--wait/],
	])('refuses %s', (_name, args, env, words) => {
		const read = () => readSettings(args, env);
		expect(read).toThrow(WrongUsage);
		expect(read).toThrow(words);
		expect(read).not.toThrow(/secret-token/);
	});
});

test.each<[string, string, Record<string, string>]>([
	[
		'json',
		'{"a":null,"b":1,"c":true,"d":[],"e":[{"f":"2"},{"f":""}]}',
		{
			a: 'null',
			b: 'number without quotes',
			c: 'boolean without quotes',
			d: 'empty list',
			e: 'list',
			'e[].f': 'digits or empty text',
		},
	],
	[
		'json',
		'{"a":"2026-01-02 03:04:05.0","b":"-1.5","c":"80000000000001","d":"ab-c"}',
		{
			a: 'date yyyy-MM-dd HH:mm:ss with a fraction',
			b: 'amount like 0.0',
			c: '14 digits',
			d: 'text',
		},
	],
	['json', '', { '(body)': 'empty' }],
	['json', '<a/>', { '(body)': 'not JSON' }],
	[
		'xml',
		'<a><b>1</b><b>x</b></a>',
		{ '(declaration)': 'none', '(root)': 'a', b: 'list', 'b[]': 'digits or text' },
	],
	['xml', '<a>', { '(body)': 'not XML' }],
])('the shape of a body in %s: %s', (format, body, expected) => {
	expect(Object.fromEntries(shapeOf(body, format as 'json' | 'xml'))).toEqual(expected);
});
