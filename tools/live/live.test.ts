import { freePorts } from '../../test/harness/freePorts';
import { readCredential } from './ask';
import { askLive } from './live';
import { startSimulator, type Simulator } from '../../simulator/index';

/* A second simulator plays the live service. */
let live: Simulator;
let simulator: Simulator;

beforeAll(async () => {
	live = await startSimulator({ callResultDelayMs: 1 });
	simulator = await startSimulator({ callResultDelayMs: 1 });
});
afterAll(async () => await Promise.all([live.stop(), simulator.stop()]));
beforeEach(() => live.reset());

async function open(authToken = live.credentials.authToken, call?: Parameters<typeof askLive>[3]) {
	const said: string[] = [];
	const credential = { ...live.credentials, authToken, baseUrl: live.url };
	const isSame = await askLive(credential, simulator, (text) => said.push(text), call);
	return { isSame, said: said.join('\n') };
}

const differences = (said: string): string[] =>
	said
		.split('\n')
		.filter((line) => line.startsWith('≠'))
		.map((line) => line.split(/ {2,}/).slice(1).join(' | '));

test.each([0, 5])(
	'finds no difference between two simulators with %d sub-accounts and shows no value',
	async (count) => {
		live.seedSubAccounts(count);
		const { isSame, said } = await open();
		expect(differences(said)).toEqual([]);
		expect(isSame).toBe(true);
		expect(live.record.requests).toHaveLength(4);
		expect([...live.violations(), ...simulator.violations()]).toEqual([]);
		const { accountSid, authToken, appId } = live.credentials;
		for (const secret of [accountSid, authToken, appId, '1024.50']) {
			expect(said).not.toContain(secret);
		}
		expect(said).not.toMatch(/客服中心|北京分公司|@example|[0-9a-f]{32}/);
	},
);

const ACCOUNT =
	'{"statusCode":"000000","Account":{"friendlyName":"a","type":"1","status":"1","dateCreated":"20260102030405","dateUpdated":null,"balance":3,"subBalance":"0.5","note":""}}';

test('the comparison reports fields in another format and unreadable answers', async () => {
	live.fail({ kind: 'http', body: ACCOUNT, contentType: 'text/plain' });
	live.fail({ kind: 'http', body: '<Response><statusCode>', contentType: 'application/xml' });
	const { isSame, said } = await open();
	expect(isSame).toBe(false);
	expect(differences(said)).toEqual(
		expect.arrayContaining([
			'(Content-Type) | text/plain | application/json;charset=utf-8',
			'Account.balance | number without quotes | amount like 0.00',
			'Account.note | empty text | -',
			'(body) | not XML | -',
			expect.stringContaining('(read by the package as) | The answer could not be read'),
		]),
	);
});

test.each([
	[
		'the comparison places one call, acknowledges its result, and shows no value of it',
		true,
		'results?from=service',
	],
	['the comparison places no call if the person does not agree', false, ''],
])('%s', async (_, isAgreed, path) => {
	const [port] = await freePorts(1);
	const { isSame, said } = await open(undefined, {
		to: '13800000010',
		resultUrl: `http://127.0.0.1:${port}/${path}`,
		port,
		agrees: async () => isAgreed,
	});
	expect(live.accepted().map(({ kind }) => kind)).toEqual(isAgreed ? ['call'] : []);
	expect([isSame, said.includes('No call was made')]).toEqual([isAgreed, !isAgreed]);
	for (const { callSid, answer, url } of live.record.notifications) {
		expect(answer).toMatchObject({ httpStatus: 200 });
		for (const value of [callSid, url, '13800000010']) expect(said).not.toContain(value);
	}
	expect([...live.violations(), ...simulator.violations()]).toEqual([]);
});

test('the comparison names what the environment lacks but shows no value of it', () => {
	const env = { YUNTONGXUN_ACCOUNT_SID: 'sid', YUNTONGXUN_AUTH_TOKEN: 'secret-token' };
	expect(() => readCredential(env)).toThrow(/^Not set: YUNTONGXUN_APP_ID$/);
	const plain = { ...env, YUNTONGXUN_APP_ID: 'app', YUNTONGXUN_BASE_URL: 'http://a' };
	expect(() => readCredential(plain)).toThrow(/^YUNTONGXUN_BASE_URL must begin with https/);
});
