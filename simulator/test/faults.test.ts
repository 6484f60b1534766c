import { startSimulator, type FaultRule, type Simulator } from '../index';
import { goodFields, NOW, request, send, readStatusCode, type RawRequest } from './client';

let simulator: Simulator;

beforeAll(async () => {
	simulator = await startSimulator({ now: () => NOW });
});
afterAll(async () => await simulator.stop());
beforeEach(() => simulator.reset());

const call = (to = '13800000000'): RawRequest => {
	const fields = { ...goodFields(simulator.credentials.appId).LandingCalls, to };
	return request(simulator.credentials, 'LandingCalls', fields);
};
const message = (to: string): RawRequest => {
	const fields = { ...goodFields(simulator.credentials.appId).TemplateSMS, to };
	return request(simulator.credentials, 'TemplateSMS', fields);
};
const code = async (raw: RawRequest): Promise<string> => readStatusCode(await send(simulator, raw));
const busy: FaultRule = { kind: 'statusCode', statusCode: '160016' };

/** Resolves once something is so. */
async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

describe('which requests a fault hits', () => {
	test.each<[string, Partial<FaultRule>, string[]]>([
		['the next one, once', {}, ['160016', '000000', '000000', '000000']],
		[
			'those of one operation',
			{ operation: 'TemplateSMS', times: 2 },
			['000000', '000000', '160016', '160016'],
		],
		[
			'those to one number, called or among recipients',
			{ number: '13800000001', times: Infinity },
			['000000', '160016', '160016', '000000'],
		],
		['the third and the fourth', { nth: 3, times: 2 }, ['000000', '000000', '160016', '160016']],
	])('%s', async (_name, match, expected) => {
		const fault = simulator.fail({ ...busy, ...match } as FaultRule);
		expect([
			await code(call()),
			await code(call('13800000001')),
			await code(message('13800000000,13800000001')),
			await code(message('13800000000,13800000002')),
		]).toEqual(expected);
		expect(fault.hits()).toBe(expected.filter((each) => each !== '000000').length);
	});
});

describe('whether the request was accepted first', () => {
	test.each<[FaultRule, string]>([
		[busy, 'answered'],
		[{ kind: 'http', status: 502, body: 'Bad Gateway' }, 'answered'],
		[{ kind: 'reset' }, 'reset'],
		[{ kind: 'silence' }, 'silence'],
	])('depends on the fault: %j', async (fault, end) => {
		for (const accept of [false, true]) {
			simulator.reset();
			simulator.fail({ ...fault, accept });
			const sent = send(simulator, call()).catch(() => undefined);
			await until(() => simulator.record.requests.some((one) => one.end === end));
			if (end !== 'silence') await sent;
			expect(simulator.accepted()).toHaveLength(accept ? 1 : 0);
			expect(simulator.record.requests).toMatchObject([{ accepted: accept, end }]);
			expect(simulator.violations()).toEqual([]);
		}
	});
});
