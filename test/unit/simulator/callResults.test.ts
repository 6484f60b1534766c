import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSimulator, type Simulator } from '../../simulator';
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
