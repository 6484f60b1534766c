import { freePorts } from '../../test/harness/loopback';
import { startSimulator, type Simulator } from '../../simulator/index';
import { askLive, type LiveCall } from './live';

/* A second simulator plays the live service. */
let live: Simulator;
let simulator: Simulator;

beforeAll(async () => {
	[live, simulator] = await Promise.all([1, 2].map(() => startSimulator({ callResultDelayMs: 1 })));
});
afterAll(async () => await Promise.all([live.stop(), simulator.stop()]));
beforeEach(() => live.reset());

async function compare(call?: LiveCall) {
	const said: string[] = [];
	const credential = { ...live.credentials, baseUrl: live.url };
	const isSame = await askLive(credential, simulator, (text) => said.push(text), call);
	return { isSame, said: said.join('\n') };
}

test('finds no difference between two simulators, and shows no value of an answer', async () => {
	live.seedSubAccounts(5);
	const [port] = await freePorts(1);
	const call = { to: '13800000010', resultUrl: `http://127.0.0.1:${port}/results?a=b`, port };
	const { isSame, said } = await compare(call);
	expect(said.match(/≠.*/g)).toBeNull();
	expect(isSame).toBe(true);
	expect(live.record.requests).toHaveLength(5);
	expect(said).toContain('SubAccount[].voipAccount: xxxxxxxxxxxxxx');
	expect([...live.violations(), ...simulator.violations()]).toEqual([]);
	const secrets = Object.values(live.credentials);
	for (const secret of [...secrets, '1024.50', call.to, call.resultUrl]) {
		expect(said).not.toContain(secret);
	}
	expect(said).not.toMatch(/客服中心|北京分公司|@example|[0-9a-f]{32}/);
});

const ACCOUNT =
	'{"statusCode":"000000","Account":{"friendlyName":"a","type":"1","status":"1","dateCreated":"20260102030405","dateUpdated":null,"balance":3,"subBalance":"0.5","note":""}}';

test('reports parts of another kind, and answers that cannot be read', async () => {
	live.fail({ kind: 'http', body: ACCOUNT, contentType: 'text/plain' });
	live.fail({ kind: 'http', body: '<Response><statusCode>', contentType: 'application/xml' });
	const { isSame, said } = await compare();
	expect(isSame).toBe(false);
	for (const difference of [
		'(Content-Type): text/plain; on the simulator application/json;charset=utf-8',
		'Account.balance: number without quotes; on the simulator 9.99',
		'Account.note: empty text; on the simulator nothing',
		'(body): no XML; on the simulator nothing',
		'(read by the package as): The answer could not be read',
	]) {
		expect(said).toContain(`≠ ${difference}`);
	}
});
