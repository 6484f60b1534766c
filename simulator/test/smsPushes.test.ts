import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { startSimulator, type Simulator } from '../index';
import { goodFields, NOW, request, send } from './client';

const ACKNOWLEDGEMENT =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';

let simulator: Simulator;
let receiver: Server;
let received: Array<{ type?: string; body: string }>;

beforeAll(async () => {
	simulator = await startSimulator({ now: () => NOW });
	receiver = createServer((incoming, response) => {
		void buffer(incoming).then((body) => {
			received.push({ type: incoming.headers['content-type'], body: body.toString() });
			response.end(incoming.url === '/deaf' ? 'thanks' : ACKNOWLEDGEMENT);
		});
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => receiver.once('listening', resolve));
});
afterAll(async () => {
	receiver.close();
	await simulator.stop();
});

const pushUrl = (path = '/') => {
	const { port } = receiver.address() as AddressInfo;
	return `http://127.0.0.1:${port}${path}`;
};

beforeEach(() => {
	simulator.reset();
	simulator.configure({ smsPushUrl: pushUrl() });
	received = [];
});

async function acceptedSms() {
	const fields = goodFields(simulator.credentials.appId).TemplateSMS;
	await send(simulator, request(simulator.credentials, 'TemplateSMS', fields));
	const [message] = simulator.accepted();
	if (message?.kind !== 'message') throw new Error('No SMS was accepted');
	return message;
}

it('a push reports on an accepted SMS in JSON, to the address of the console', async () => {
	const { smsMessageSid, to } = await acceptedSms();
	await simulator.sendSmsReport(smsMessageSid);
	expect(received.map(({ type }) => type)).toEqual(['application/json']);
	const { Request } = JSON.parse(received[0].body) as { Request: object };
	expect(Request).toMatchObject({
		action: 'SMSArrived',
		smsType: '1',
		content: smsMessageSid,
		fromNum: to[0],
		status: '0',
		deliverCode: 'DELIVRD',
		smsCount: '1',
	});
	expect(simulator.violations()).toEqual([]);
});

it('a push reports in XML as it was recorded, with what a test changes', async () => {
	await simulator.sendSmsReport('s1', {
		format: 'xml',
		number: '13800000001',
		fields: { status: '1', apiVersion: null },
	});
	expect(received).toEqual([
		{
			type: 'text/plain',
			body: expect.stringMatching(
				/^<\?xml .*\?>\n<Request><action>SMSArrived<\/action><smsType>1<\/smsType><content>s1<\/content><fromNum>13800000001<\/fromNum><dateSent>\d{14}<\/dateSent><recvTime>\d{14}<\/recvTime><status>1<\/status><appendCode><\/appendCode><\/Request>$/,
			) as string,
		},
	]);
});

it('a push of a reply has its text', async () => {
	await simulator.sendSmsReply({ number: '13800000001', text: '<Y>', appendCode: '07' });
	const format = 'xml';
	await simulator.sendSmsReply({ number: '13800000001', text: '<Y>' }, { format });
	expect(JSON.parse(received[0].body)).toMatchObject({
		Request: { smsType: '0', content: '<Y>', appendCode: '07', fromNum: '13800000001' },
	});
	expect(received[1].body).toContain('<content>&lt;Y&gt;</content>');
});

it('a push that nobody acknowledges is recorded, and one to nowhere refused', async () => {
	const sent = await simulator.sendSmsReport('s1', { url: pushUrl('/deaf') });
	expect(sent).toMatchObject({ about: 'report on SMS s1', answer: { httpStatus: 200 } });
	expect(simulator.violations()).toMatchObject([{ rule: 'acknowledgement' }]);
	simulator.configure({ smsPushUrl: '' });
	await expect(simulator.sendSmsReport('s1')).rejects.toThrow('No address');
});
