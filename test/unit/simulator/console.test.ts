import { createServer, request as httpRequest, type Server } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { startSimulator, type Simulator } from '../../simulator';
import { goodFields, NOW, request, send, statusCodeOf, type Fields } from './client';

let simulator: Simulator;
let receiver: Server;
let receivedBody = '';
let respUrl = '';

beforeAll(async () => {
	simulator = await startSimulator({ now: () => NOW, consolePort: 0 });
	receiver = createServer((incoming, response) => {
		receivedBody = '';
		incoming.on('data', (chunk: Buffer) => (receivedBody += chunk.toString()));
		incoming.on('end', () => response.end());
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	respUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
});
afterAll(async () => {
	await simulator.stop();
	await new Promise((resolve) => receiver.close(resolve));
});
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

describe('the page', () => {
	test('is served over TLS and over plain HTTP, and needs nothing from elsewhere', async () => {
		expect(simulator.consoleUrl).toMatch(/^http:\/\/localhost:\d+\/$/);
		for (const url of [`${simulator.url}/`, simulator.consoleUrl]) {
			const { status, headers, body } = await ask('GET', url);
			expect(status).toBe(200);
			expect(headers['content-type']).toBe('text/html; charset=utf-8');
			expect(headers['content-security-policy']).toContain("default-src 'none'");
			expect(body).not.toMatch(/(src|href)=|innerHTML|https?:/);
		}
		expect(simulator.record.requests).toEqual([]);
	});

	test('is all that plain HTTP serves', async () => {
		const url = `${simulator.consoleUrl}2013-12-26/Accounts/x/AccountInfo`;
		expect((await ask('GET', url)).status).toBe(404);
		expect(simulator.record.requests).toEqual([]);
	});
});

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
	test('settings', async () => {
		expect((await api('POST', 'settings', { memberOrder: 'reversed' })).output).toMatchObject({
			memberOrder: 'reversed',
			latencyMs: 0,
			recordLimit: null,
		});
		expect(simulator.settings().memberOrder).toBe('reversed');
		expect((await api('GET', 'settings')).output).toMatchObject({ memberOrder: 'reversed' });
	});

	test('reset', async () => {
		await place('TemplateSMS');
		const before = (await api('GET', 'record')).output.generation;
		await api('POST', 'reset');
		expect(simulator.record.requests).toEqual([]);
		expect((await api('GET', 'record')).output.generation).not.toBe(before);
	});

	test('call results', async () => {
		await place('LandingCalls', { to: '13800000005', respUrl });
		const [accepted] = simulator.accepted();
		const callSid = accepted.kind === 'call' ? accepted.callSid : '';
		const { output } = await api('POST', 'call-results', {
			callSid,
			state: '1',
			userData: null,
			expectAcknowledgement: false,
		});
		expect(output).toMatchObject({ callSid, answer: { httpStatus: 200 }, violations: [] });
		expect(receivedBody).toContain('<state>1</state>');
		await api('POST', 'call-results', { callSid, bodyBase64: 'eA==', url: respUrl });
		expect(receivedBody).toBe('x');
	});

	test('plans of calls', async () => {
		const results = [{ when: 'beforeAnswer', state: '2', duration: '0' }];
		await api('POST', 'plans', { number: '13800000000', results });
		await place('LandingCalls', { respUrl });
		expect(receivedBody).toContain('<state>2</state>');
		receivedBody = '';
		await api('POST', 'plans', { number: '13800000000', results: null });
		simulator.configure({ callResultDelayMs: 0 });
		await place('LandingCalls', { respUrl });
		await simulator.idle();
		expect(receivedBody).toContain('<state>0</state>');
	});

	test('faults', async () => {
		await api('POST', 'faults', { kind: 'statusCode', statusCode: '160016', times: null });
		expect(statusCodeOf(await place('TemplateSMS'))).toBe('160016');
		expect(statusCodeOf(await place('TemplateSMS'))).toBe('160016');
		simulator.reset();
		await api('POST', 'faults', { kind: 'http', bodyBase64: 'eA==', status: 502 });
		expect(await place('TemplateSMS')).toMatchObject({ status: 502, body: 'x' });
	});

	test('sub-accounts', async () => {
		await api('POST', 'sub-accounts', { count: 3 });
		expect((await place('GetSubAccounts')).body).toContain('"totalCount":"3"');
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

	test('an unknown address', async () => {
		expect((await api('GET', 'nothing')).status).toBe(404);
		expect((await api('GET', 'reset')).status).toBe(404);
	});
});
