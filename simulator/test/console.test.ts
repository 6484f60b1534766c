import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { startSimulator, type Simulator } from '..';
import { goodFields, NOW, request, send, type Fields } from './client';

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

it('gives everything first, and later only what changed', async () => {
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

it('never shows a token', async () => {
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

	it('say that they have no address', async () => {
		expect(await push('sms-reply', { text: 'Y' })).toEqual({
			error: 'No address for pushes about SMS is set',
		});
	});
});
