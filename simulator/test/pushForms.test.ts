import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { startSimulator, type Simulator } from '../index';
import type { PUSH_FORMS } from '../pushForms';
import { NOW } from './client';

const ACKNOWLEDGEMENT =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';

let simulator: Simulator;
let receiver: Server;
let received: Array<{ type?: string; body: Buffer }>;
let url: string;

beforeAll(async () => {
	simulator = await startSimulator({ now: () => NOW });
	receiver = createServer((incoming, response) => {
		void buffer(incoming).then((body) => {
			received.push({ type: incoming.headers['content-type'], body });
			response.end(ACKNOWLEDGEMENT);
		});
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => receiver.once('listening', resolve));
	url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
});
afterAll(async () => {
	receiver.close();
	await simulator.stop();
});
beforeEach(() => {
	simulator.reset();
	received = [];
});

/** A call result with this user data, and a reply with this text, in JSON and in XML. */
async function push(pushForm: (typeof PUSH_FORMS)[number], text: string) {
	simulator.configure({ pushForm, smsPushUrl: url });
	await simulator.sendCallResult('c1', { url, fields: { userData: text } });
	const reply = { number: '13800000001', text };
	await simulator.sendSmsReply(reply);
	await simulator.sendSmsReply(reply, { format: 'xml' });
	return received.map(({ type, body }) => [type, body.toString()]);
}

it('a push is proper unless that is set otherwise', async () => {
	expect(simulator.settings().pushForm).toBe('proper');
	const [result, json, xml] = await push('proper', 'a&b\n<c');
	expect(result).toEqual(['text/plain', expect.stringContaining('>a&amp;b\n&lt;c</userData>')]);
	expect(json).toEqual(['application/json', expect.stringContaining('"a&b\\n<c"')]);
	expect(xml).toEqual(['text/plain', expect.stringContaining('>a&amp;b\n&lt;c</content>')]);
});

it('a raw push escapes nothing', async () => {
	const [result, json, xml] = await push('raw', 'a&b\n<c');
	expect(result).toEqual(['text/plain', expect.stringContaining('<userData>a&b\n<c</userData>')]);
	expect(json).toEqual(['text/plain', expect.stringContaining('"a&b\n<c"')]);
	expect(xml).toEqual(['text/plain', expect.stringContaining('<content>a&b\n<c</content>')]);
});

it('a wrapped push has another member beside Request', async () => {
	for (const [type, body] of await push('wrapped', 'Y')) {
		expect(type).toBe('application/json');
		expect(JSON.parse(String(body))).toMatchObject({
			Request: { action: expect.any(String) as string },
			version: '1',
		});
	}
});

it('a push in a list stands beside another one', async () => {
	for (const [type, body] of await push('list', 'Y')) {
		expect(type).toBe('application/json');
		expect(JSON.parse(String(body))).toHaveLength(2);
	}
});

it('a push with a mark begins with it', async () => {
	for (const [, body] of await push('mark', 'Y')) expect(body).toMatch(/^\ufeff[<{]/);
});

it('a push in GBK says so, and is it', async () => {
	await push('gbk', '退订😀');
	expect(received).toHaveLength(3);
	for (const { body } of received) {
		expect(body.toString('latin1')).toMatch(/^<\?xml version="1.0" encoding="GBK"\?>/);
		// U+9000 and U+8BA2 in GBK.
		expect(body.includes(Buffer.from([0xcd, 0xcb, 0xb6, 0xa9, 0x3f]))).toBe(true);
	}
});
