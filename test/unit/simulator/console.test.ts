import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { startSimulator, type Simulator } from '../../simulator';
import { goodFields, NOW, request, send, statusCodeOf, type Fields } from './client';

let simulator: Simulator;

beforeAll(async () => {
	simulator = await startSimulator({ now: () => NOW, consolePort: 0 });
});
afterAll(async () => await simulator.stop());
beforeEach(() => simulator.reset());

interface Answer {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	body: string;
}

async function ask(method: string, url: string, input?: unknown): Promise<Answer> {
	const outgoing = (url.startsWith('https') ? httpsRequest : httpRequest)(url, {
		method,
		ca: simulator.ca,
		agent: false,
	});
	outgoing.end(input === undefined ? undefined : JSON.stringify(input));
	return await new Promise((resolve, reject) => {
		outgoing.on('error', reject);
		outgoing.on('response', (response) => {
			let body = '';
			response.on('data', (chunk: Buffer) => (body += chunk.toString()));
			response.on('end', () =>
				resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
			);
		});
	});
}

const api = async (method: string, part: string, input?: unknown) => {
	const { status, body } = await ask(method, `${simulator.url}/_simulator/${part}`, input);
	return { status, output: JSON.parse(body) as Record<string, unknown> };
};
const place = async (operation: string, fields: Fields = {}) => {
	const all = { ...goodFields(simulator.credentials.appId)[operation], ...fields };
	return await send(simulator, request(simulator.credentials, operation, all));
};

describe('the record from outside', () => {
	test('has everything first, and later only what changed', async () => {
		await place('VoiceVerify', { playTimes: '9' });
		await place('TemplateSMS');
		const first = (await api('GET', 'record')).output;
		expect(first).toMatchObject({
			totals: { requests: 2, violations: 1 },
			requests: [{ sequence: 1 }, { sequence: 2, answer: { statusCode: '000000' } }],
			accepted: [{ kind: 'message' }],
			violations: [{ rule: 'field:playTimes', request: 1 }],
		});
		await place('TemplateSMS');
		const next = (await api('GET', `record?after=${first.revision}`)).output;
		expect(next).toMatchObject({ totals: { requests: 3 }, requests: [{ sequence: 3 }] });
		const { output } = await api('GET', `record?after=${next.revision}`);
		expect(output).toMatchObject({ requests: [], accepted: [] });
	});

	test('never shows a token', async () => {
		const { authToken } = simulator.credentials;
		await place('VoiceVerify', { userData: authToken });
		const { body } = await ask('GET', `${simulator.url}/_simulator/record`);
		expect(body).toContain('[token]');
		expect(body).not.toContain(authToken);
	});
});

describe('control from outside', () => {
	test('faults', async () => {
		await api('POST', 'faults', { kind: 'statusCode', statusCode: '160016', times: null });
		expect(statusCodeOf(await place('TemplateSMS'))).toBe('160016');
		expect(statusCodeOf(await place('TemplateSMS'))).toBe('160016');
		simulator.reset();
		await api('POST', 'faults', { kind: 'http', bodyBase64: 'eA==', status: 502 });
		expect(await place('TemplateSMS')).toMatchObject({ status: 502, body: 'x' });
	});

	test.each([
		['settings', { latency: 5 }],
		['settings', { latencyMs: '5' }],
		['faults', { kind: 'nothing' }],
		['faults', { kind: 'reset', operation: 'Nothing' }],
		['faults', { kind: 'reset', status: 500 }],
		['plans', { number: '1', results: [{ when: -1, state: '0', duration: '0' }] }],
		['call-results', {}],
		['call-results', { callSid: 'nobody' }],
		['sub-accounts', { count: 0 }],
	])('%s refuses %j with the reason', async (part, input) => {
		const { status, output } = await api('POST', part, input);
		expect(status).toBe(400);
		expect(output.error).toEqual(expect.stringMatching(/\w/));
	});
});
