import { startSimulator, type FaultRule, type Simulator } from '../index';
import { goodFields, NOW, readStatusCode, request, send, until, type RawRequest } from './client';

let simulator: Simulator;

beforeAll(async () => {
	simulator = await startSimulator({ now: () => NOW });
});
afterAll(async () => await simulator.stop());
beforeEach(() => simulator.reset());

const to = (operation: 'LandingCalls' | 'TemplateSMS', numbers: string): RawRequest => {
	const fields = { ...goodFields(simulator.credentials.appId)[operation], to: numbers };
	return request(simulator.credentials, operation, fields);
};
const busy: FaultRule = { kind: 'statusCode', statusCode: '160016' };

test.each<[string, Partial<FaultRule>, string[]]>([
	['the next request, once', {}, ['160016', '000000', '000000']],
	['the next two', { times: 2 }, ['160016', '160016', '000000']],
	[
		'those to one number, called or among recipients',
		{ number: '13800000001', times: Infinity },
		['000000', '160016', '160016'],
	],
])('a fault hits %s', async (_name, match, expected) => {
	simulator.fail({ ...busy, ...match });
	const codes: string[] = [];
	for (const each of [
		to('LandingCalls', '13800000000'),
		to('LandingCalls', '13800000001'),
		to('TemplateSMS', '13800000000,13800000001'),
	]) {
		codes.push(readStatusCode(await send(simulator, each)));
	}
	expect(codes).toEqual(expected);
});

test.each<[FaultRule, string]>([
	[busy, 'answered'],
	[{ kind: 'http', status: 502, body: 'Bad Gateway' }, 'answered'],
	[{ kind: 'reset' }, 'reset'],
	[{ kind: 'silence' }, 'silence'],
])('the fault says whether the request was accepted first: %j', async (fault, end) => {
	for (const accept of [false, true]) {
		simulator.reset();
		simulator.fail({ ...fault, accept });
		void send(simulator, to('LandingCalls', '13800000000')).catch(() => undefined);
		await until(() => simulator.record.requests.some((one) => one.end === end));
		expect(simulator.accepted()).toHaveLength(accept ? 1 : 0);
		expect(simulator.record.requests).toMatchObject([{ accepted: accept, end }]);
		expect(simulator.violations()).toEqual([]);
	}
});
