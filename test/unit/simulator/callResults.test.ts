import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NUMBER_TABLE, startSimulator, type Simulator } from '../../simulator';
import { planResults } from '../../simulator/callResults';
import { goodFields, NOW, request, send, type Fields, type RawAnswer } from './client';

const ACKNOWLEDGED =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';
const DELAY_MS = 1;

interface Received {
	headers: IncomingMessage['headers'];
	body: string;
}

let simulator: Simulator;
let receiver: Server;
let respUrl: string;
let received: Received[];
let acknowledgement: { status: number; body: string; afterMs?: number };

beforeAll(async () => {
	simulator = await startSimulator({ now: () => NOW, callResultDelayMs: DELAY_MS });
	receiver = createServer((incoming, response) => {
		let body = '';
		incoming.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
		incoming.on('end', () => {
			received.push({ headers: incoming.headers, body });
			const { status, body: answer, afterMs = 0 } = acknowledgement;
			setTimeout(() => response.writeHead(status).end(answer), afterMs);
		});
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	respUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/result?x=1`;
});
afterAll(async () => {
	await simulator.stop();
	await new Promise((resolve) => receiver.close(resolve));
});
beforeEach(() => {
	simulator.reset();
	received = [];
	acknowledgement = { status: 200, body: ACKNOWLEDGED };
});

const place = async (operation: string, fields: Fields): Promise<RawAnswer> => {
	const all = { ...goodFields(simulator.credentials.appId)[operation], ...fields };
	return await send(simulator, request(simulator.credentials, operation, all));
};
const callSids = (): string[] =>
	simulator.accepted().map((one) => (one.kind === 'call' ? one.callSid : ''));
const words = (): string[] => simulator.violations().map((violation) => violation.words);

describe('a call result', () => {
	test('of a notification call, with user data', async () => {
		await place('LandingCalls', { respUrl, userData: 'a <b> & "c"\r\n客服' });
		await simulator.idle();
		expect(received).toHaveLength(1);
		expect(received[0].headers['content-type']).toBe('text/plain');
		expect(received[0].body).toBe(
			'<?xml version="1.0" encoding="UTF-8"?>\n' +
				`<request><action>SellingCall</action><callSid>${callSids()[0]}</callSid>` +
				'<number>13800000000</number><state>0</state><starttime>20260102110335</starttime>' +
				'<endtime>20260102110405</endtime><duration>30</duration>' +
				'<userData>a &lt;b&gt; &amp; "c"&#13;\n客服</userData></request>',
		);
		expect(simulator.violations()).toEqual([]);
	});

	test('of a verification call, without user data', async () => {
		await place('VoiceVerify', { respUrl });
		await simulator.idle();
		expect(received[0].body).toMatch(/<Request><action>VoiceCode<\/action>.*<\/Request>$/);
		expect(received[0].body).not.toContain('userData');
	});

	test('is sent only if the call has a respUrl', async () => {
		await place('LandingCalls', {});
		await simulator.idle();
		expect(received).toEqual([]);
		expect(simulator.record.notifications).toEqual([]);
	});

	test('is recorded with the receiver’s answer', async () => {
		await place('LandingCalls', { respUrl });
		await simulator.idle();
		expect(simulator.record.notifications).toMatchObject([
			{
				sequence: 1,
				callSid: callSids()[0],
				url: respUrl,
				contentType: 'text/plain',
				body: received[0].body,
				answer: { httpStatus: 200, body: ACKNOWLEDGED },
				violations: [],
			},
		]);
	});

	test('that cannot be delivered is recorded with the reason', async () => {
		await place('LandingCalls', { respUrl: 'http://127.0.0.1:1/' });
		await simulator.idle();
		expect(simulator.record.notifications[0].error).toContain('ECONNREFUSED');
	});
});

describe('by the called number', () => {
	const field = (name: string, { body }: Received): string | undefined =>
		new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1];

	test.each([
		['13800000000', [['0', '30']]],
		['13800000001', [['1', '0']]],
		['13800000002', [['2', '0']]],
		['13800000003', [['0', '0']]],
		['13800000004', [['0', '30']]],
		['13800000005', []],
		[
			'13800000006',
			[
				['0', '30'],
				['0', '30'],
			],
		],
		['13800000007', [['0', '30']]],
		['13800000008', [['0', '30']]],
		['13800000009', [['9', '0']]],
		['01012345671-0', [['1', '0']]],
	])('%s has the results %j', async (to, expected) => {
		await place('LandingCalls', { respUrl, to });
		await simulator.idle();
		expect(received.map((one) => [field('state', one), field('duration', one)])).toEqual(expected);
		expect(received.every((one) => field('number', one) === to)).toBe(true);
	});

	test('the result may come before the answer', async () => {
		const order: string[] = [];
		receiver.once('request', () => order.push('result'));
		await place('LandingCalls', { respUrl, to: '13800000007' });
		order.push('answer');
		expect(order).toEqual(['result', 'answer']);
		expect(received).toHaveLength(1);
	});

	test('the longer delay is five times the delay', () => {
		expect(planResults('13800000000', 200).map(({ when }) => when)).toEqual([200]);
		expect(planResults('13800000004', 200).map(({ when }) => when)).toEqual([1000]);
	});

	test('the root in the other case, the fields in the other order', async () => {
		await place('LandingCalls', { respUrl, to: '13800000008' });
		await simulator.idle();
		expect(received[0].body).toMatch(
			/<Request><duration>30.*<action>SellingCall<\/action><\/Request>$/,
		);
	});

	test('every last digit has one row', () => {
		const digits = NUMBER_TABLE.map(({ lastDigit }) => lastDigit).join('');
		expect(digits).toBe('0123456789');
	});
});

describe('by a plan', () => {
	const states = (): Array<string | undefined> =>
		received.map(({ body }) => /<state>(\d)</.exec(body)?.[1]);

	test('calls to a number have the planned results, until the table applies again', async () => {
		const planned = (when: number, state: string) => ({ when, state, duration: '0' });
		simulator.planCalls('13800000000', [planned(300, '2'), planned(0, '1')]);
		await place('LandingCalls', { respUrl });
		await simulator.idle();
		expect(states()).toEqual(['1', '2']);
		simulator.planCalls('13800000000', []);
		await place('LandingCalls', { respUrl });
		await simulator.idle();
		expect(states()).toEqual(['1', '2']);
		simulator.planCalls('13800000000');
		await place('LandingCalls', { respUrl });
		await simulator.idle();
		expect(states()).toEqual(['1', '2', '0']);
	});

	test('a reset forgets the plans', async () => {
		simulator.planCalls('13800000000', []);
		simulator.reset();
		await place('LandingCalls', { respUrl });
		await simulator.idle();
		expect(states()).toEqual(['0']);
	});
});

test('many results come shuffled, each once', async () => {
	simulator.configure({ callResultSpreadMs: 200 });
	const userData = Array.from({ length: 30 }, (_value, index) => `call ${index}`);
	for (const each of userData) await place('LandingCalls', { respUrl, userData: each });
	await simulator.idle();
	const order = received.map(({ body }) => /<userData>(.*)<\/userData>/.exec(body)?.[1]);
	expect(order).not.toEqual(userData);
	expect([...order].sort()).toEqual([...userData].sort());
});

describe('the acknowledgement', () => {
	test.each([
		['another HTTP status', 202, ACKNOWLEDGED],
		['capital letters', 200, ACKNOWLEDGED.replaceAll('statuscode', 'statusCode')],
		['another root', 200, ACKNOWLEDGED.replaceAll('Response', 'response')],
		['another code', 200, ACKNOWLEDGED.replace('000000', '000001')],
		['more than the code', 200, ACKNOWLEDGED.replace('</Resp', '<x/></Resp')],
		['text', 200, 'ok'],
		['nothing', 200, ''],
	])('%s is a violation', async (_name, status, body) => {
		acknowledgement = { status, body };
		await place('LandingCalls', { respUrl });
		await simulator.idle();
		expect(words()).toEqual([expect.stringContaining(`result of call ${callSids()[0]}`)]);
		simulator.reset();
		simulator.configure({ checkAcknowledgements: false });
		await place('LandingCalls', { respUrl });
		await simulator.idle();
		expect(words()).toEqual([]);
	});
});

describe('sent by a test', () => {
	test('at once, with the fields of the call', async () => {
		await place('LandingCalls', { respUrl, to: '13800000005', userData: 'u' });
		const sent = await simulator.sendCallResult(callSids()[0]);
		expect(sent.answer?.httpStatus).toBe(200);
		expect(received[0].body).toContain('<userData>u</userData>');
	});

	test('with other and further fields, root and content type', async () => {
		await place('LandingCalls', { respUrl, to: '13800000005' });
		await simulator.sendCallResult(callSids()[0], {
			fields: { state: '1', duration: '0', extra: 'x', starttime: null },
			rootName: 'REQUEST',
			contentType: 'application/xml',
		});
		expect(received[0].headers['content-type']).toBe('application/xml');
		expect(received[0].body).toMatch(/<REQUEST><action>.*<state>1<\/state>.*<extra>x<\/extra>/);
		expect(received[0].body).not.toContain('starttime');
	});

	test('with any body to any address', async () => {
		acknowledgement = { status: 403, body: '' };
		await simulator.sendCallResult('nobody', {
			body: '{"Request":{}}',
			url: respUrl,
			expectAcknowledgement: false,
		});
		expect(received[0].body).toBe('{"Request":{}}');
		expect(words()).toEqual([]);
	});

	test('to a receiver that takes longer than the service waits', async () => {
		acknowledgement = { status: 200, body: ACKNOWLEDGED, afterMs: 1000 };
		simulator.configure({ callResultPatienceMs: 100 });
		const sent = await simulator.sendCallResult('nobody', { url: respUrl });
		expect([sent.answer, sent.error]).toEqual([undefined, 'the receiver did not answer']);
		simulator.configure({ callResultPatienceMs: 10_000 });
		const again = await simulator.sendCallResult('nobody', { url: respUrl });
		expect(again.answer?.httpStatus).toBe(200);
	});

	test('without an address it fails', async () => {
		await expect(simulator.sendCallResult('nobody')).rejects.toThrow('no respUrl');
	});
});

test('a reset cancels the results that are due', async () => {
	simulator.configure({ callResultDelayMs: 60_000 });
	await place('LandingCalls', { respUrl });
	simulator.reset();
	await simulator.idle();
	expect(received).toEqual([]);
});

test('a result goes to HTTPS receivers, too', async () => {
	await place('LandingCalls', { respUrl: `${simulator.url}/nowhere` });
	await simulator.idle();
	expect(simulator.record.notifications[0]).toMatchObject({ answer: { httpStatus: 404 } });
});
