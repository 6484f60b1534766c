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
