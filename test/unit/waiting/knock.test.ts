import type { IWebhookFunctions } from 'n8n-workflow';

import { findDoors } from '../../../nodes/Yuntongxun/waiting/knock';

const PUBLIC = 'https://n8n.example.com/phone/hooks-paused';

it.each<[string, object, string[]]>([
	['IPv4', { localAddress: '10.0.0.7', localPort: 80 }, ['http://10.0.0.7:80/hooks-paused']],
	[
		'IPv4 in IPv6',
		{ localAddress: '::ffff:127.0.0.1', localPort: 5678 },
		['http://127.0.0.1:5678/hooks-paused'],
	],
	['IPv6', { localAddress: '::1', localPort: 5678 }, ['http://[::1]:5678/hooks-paused']],
	['TLS', { localAddress: '10.0.0.7', localPort: 443, encrypted: true }, []],
	['a connection that is gone', {}, []],
])('a request over %s shows at which doors to knock', (_, socket, own) => {
	const context = {
		getRequestObject: () => ({ socket }),
		additionalData: { webhookWaitingBaseUrl: PUBLIC },
	} as unknown as IWebhookFunctions;
	expect(findDoors(context)).toEqual([...own, PUBLIC]);
});
