import type { IWebhookFunctions } from 'n8n-workflow';

import { findDoors, knock } from '../../../nodes/Yuntongxun/waiting/knock';
import type { Sender } from '../../../nodes/Yuntongxun/waiting/knock';

const PUBLIC = 'https://n8n.example.com/phone/hooks-paused';

it.each<[string, object, string[]]>([
	['IPv4', { localAddress: '10.0.0.7', localPort: 80 }, ['http://10.0.0.7:80/hooks-paused']],
	[
		'IPv4 in IPv6',
		{ localAddress: '::ffff:127.0.0.1', localPort: 5678 },
		['http://127.0.0.1:5678/hooks-paused'],
	],
	['IPv6', { localAddress: '::1', localPort: 5678 }, ['http://[::1]:5678/hooks-paused']],
	[
		'IPv6 with the like within',
		{ localAddress: 'fe80::ffff:1', localPort: 80 },
		['http://[fe80::ffff:1]:80/hooks-paused'],
	],
	['TLS', { localAddress: '10.0.0.7', localPort: 443, encrypted: true }, []],
	['a connection that is gone', {}, []],
])('a request over %s shows at which doors to knock', (_, socket, own) => {
	const context = {
		getRequestObject: () => ({ socket }),
		additionalData: { webhookWaitingBaseUrl: PUBLIC },
	} as unknown as IWebhookFunctions;
	expect(findDoors(context)).toEqual([...own, PUBLIC]);
});

/** What a knock comes to if n8n answers like this, or breaks. */
async function knockAt(httpRequest: () => Promise<object>) {
	const sender = { helpers: { httpRequest } } as unknown as Sender;
	return await knock(sender, PUBLIC, { execution: '7', waitId: 'w' });
}

it.each<[string, number, unknown]>([
	['the words of n8n with another status', 500, 'The execution "7" does not exist.'],
	['a wait without its results', 200, '{"wait":"waiting","leftMs":1}'],
	['a wait without its limit', 200, '{"wait":"waiting","results":1}'],
	['an answer of another program', 200, '{"wait":"a moment"}'],
	['no text', 200, undefined],
])('an answer is not of the waiting node: %s', async (_what, statusCode, body) => {
	expect(await knockAt(async () => ({ statusCode, body }))).toEqual({
		wait: 'unknown',
		reason: `HTTP ${statusCode}`,
	});
});

it.each<[string, unknown, string]>([
	['its code', { code: 'ECONNRESET', name: 'Error' }, 'ECONNRESET'],
	['its name where the code is a number', { code: 502, name: 'AxiosError' }, 'AxiosError'],
])('a knock that breaks tells why: %s', async (_what, thrown, reason) => {
	const failing = async () => await Promise.reject(Object.assign(new Error('no'), thrown));
	expect(await knockAt(failing)).toEqual({ wait: 'unknown', reason });
});
