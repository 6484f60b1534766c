import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { startSimulator, type Simulator } from '../index';
import { goodFields, NOW, request, send, readStatusCode, type Fields } from './client';

let simulator: Simulator;
beforeAll(async () => {
	simulator = await startSimulator({ now: () => NOW, consolePort: 0 });
});
afterAll(async () => await simulator.stop());
beforeEach(() => simulator.reset());

const place = async (operation: string, fields: Fields = {}) => {
	const all = { ...goodFields(simulator.credentials.appId)[operation], ...fields };
	return await send(simulator, request(simulator.credentials, operation, all));
};

const record = async (after = 0): Promise<string> =>
	await (await fetch(`${simulator.consoleUrl}_simulator/record?after=${after}`)).text();

it('the console gives everything first, and later only what changed', async () => {
	await place('VoiceVerify', { playTimes: '9' });
	await place('TemplateSMS');
	const first = JSON.parse(await record()) as { revision: number };
	expect(first).toMatchObject({
		totals: { requests: 2, violations: 1 },
		requests: [{ sequence: 1 }, { sequence: 2, answer: { statusCode: '000000' } }],
		accepted: [{ kind: 'message' }],
		violations: [{ rule: 'field:playTimes', request: 1 }],
	});
	await place('TemplateSMS');
	expect(JSON.parse(await record(first.revision))).toMatchObject({
		totals: { requests: 3 },
		requests: [{ sequence: 3 }],
	});
});

it('the console never shows a token', async () => {
	const { authToken } = simulator.credentials;
	await place('VoiceVerify', { userData: authToken });
	const shown = await record();
	expect(shown).toContain('[token]');
	expect(shown).not.toContain(authToken);
});

describe('pushes about SMS', () => {
	const received: string[] = [];
	const receiver = createServer((incoming, response) => {
		void buffer(incoming).then((body) => {
			received.push(body.toString());
			response.end('thanks');
		});
	});
	beforeAll(async () => {
		receiver.listen(0, '127.0.0.1');
		await new Promise((resolve) => receiver.once('listening', resolve));
	});
	afterAll(() => receiver.close());

	const push = async (path: string, fields: Record<string, string>): Promise<unknown> => {
		const query = new URLSearchParams(fields);
		const url = `${simulator.consoleUrl}_simulator/${path}?${query}`;
		return await (await fetch(url, { method: 'POST' })).json();
	};

	it('go out on command, and tell what the receiver answered', async () => {
		const { port } = receiver.address() as AddressInfo;
		simulator.configure({ smsPushUrl: `http://127.0.0.1:${port}/` });
		const of = { number: '13800000001' };
		expect(await push('sms-report', { smsMessageSid: 's1', ...of, status: '1' })).toMatchObject({
			answer: { httpStatus: 200, body: 'thanks' },
		});
		await push('sms-reply', { ...of, text: '退订', appendCode: '07', format: 'xml' });
		expect(JSON.parse(received[0])).toMatchObject({
			Request: { smsType: '1', content: 's1', fromNum: '13800000001', status: '1' },
		});
		expect(received[1]).toMatch(/<appendCode>07<.*<content>退订</);
	});
});

describe('what another process can ask for', () => {
	const ask = async (method: string, path: string, body?: object) => {
		const response = await fetch(`${simulator.consoleUrl}_simulator/${path}`, {
			method,
			...(body && { body: JSON.stringify(body) }),
		});
		return { status: response.status, answer: (await response.json()) as unknown };
	};

	it('a fault hits, is counted, and can be taken away', async () => {
		const rule = { kind: 'statusCode', statusCode: '160042', times: 9 };
		expect(await ask('POST', 'fail', rule)).toMatchObject({ answer: { id: expect.any(Number) } });
		expect(readStatusCode(await place('VoiceVerify'))).toBe('160042');
		const { answer } = await ask('GET', 'faults');
		expect(answer).toMatchObject([{ hits: 1, rule }]);
		const [{ id }] = answer as Array<{ id: number }>;
		expect(await ask('DELETE', `faults?id=${id}`)).toMatchObject({ answer: { removed: [id] } });
		expect(readStatusCode(await place('VoiceVerify'))).toBe('000000');
	});

	it('settings, the account and sub-accounts change', async () => {
		await ask('POST', 'settings', { latencyMs: 1 });
		expect(simulator.settings().latencyMs).toBe(1);
		await ask('POST', 'account', { status: '2' });
		expect(readStatusCode(await place('VoiceVerify'))).toBe('111139');
		expect(JSON.stringify(await ask('GET', 'account'))).not.toContain(
			simulator.credentials.authToken,
		);
		expect(await ask('POST', 'sub-accounts', { count: 2 })).toMatchObject({
			answer: { subAccountSids: [expect.any(String), expect.any(String)] },
		});
	});

	it('the result of a call is planned, and sent at once', async () => {
		const received: string[] = [];
		const receiver = createServer((incoming, response) => {
			void buffer(incoming).then((body) => {
				received.push(body.toString());
				response.end();
			});
		});
		receiver.listen(0, '127.0.0.1');
		await new Promise((resolve) => receiver.once('listening', resolve));
		const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
		const number = '13800000000';
		await ask('POST', 'plan-calls', {
			number,
			results: [{ when: 60_000, state: '1', duration: '0' }],
		});
		await place('VoiceVerify', { to: number, respUrl: url });
		const [call] = simulator.accepted();
		const callSid = call.kind === 'call' ? call.callSid : '';
		const sent = await ask('POST', 'call-result', { callSid, fields: { more: 'x' } });
		receiver.close();
		expect(sent).toMatchObject({ answer: { answer: { httpStatus: 200 } } });
		expect(received[0]).toMatch(/<state>1<.*<more>x</);
	});

	it.each([
		['POST', 'settings', { latency: 1 }, /no setting latency/],
		['POST', 'account', { sid: '1' }, /no member of the account sid/],
		['POST', 'fail', { kind: 'explosion' }, /"kind" must be one of/],
		['POST', 'call-result', {}, /"callSid" must be a text/],
		['POST', 'sub-accounts', {}, /"count" must be/],
	])('%s %s with %j is refused in words', async (method, path, body, words) => {
		expect(await ask(method, path, body)).toMatchObject({
			status: 400,
			answer: { error: expect.stringMatching(words) },
		});
	});
});
