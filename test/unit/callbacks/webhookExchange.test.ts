import type { IWebhookFunctions } from 'n8n-workflow';

import { readRequest, undoIfN8nFails } from '../../../nodes/Yuntongxun/callbacks/webhookExchange';
import { FakeResponse } from '../../support/fakeN8n';

const BODY = Buffer.from('{"action":"SellingCall","callSid":"c1"}');
const EMPTY = Buffer.alloc(0);

type Request = { rawBody?: Buffer };

it.each<[string, Buffer | undefined, (request: Request) => Promise<void>, Buffer]>([
	['what n8n has read', BODY, async () => await Promise.reject(new Error('Read twice')), BODY],
	['read, if n8n has not', undefined, async (request) => void (request.rawBody = BODY), BODY],
	['empty if there is none', undefined, async () => {}, EMPTY],
	[
		'empty if n8n cannot read it',
		undefined,
		async () => await Promise.reject(new Error('')),
		EMPTY,
	],
])(
	'the body of a request is %s, and its address is as it arrived',
	async (_, rawBody, read, body) => {
		const originalUrl = '/proxy/webhook/a?b=1';
		const request = {
			originalUrl,
			url: '/',
			rawBody,
			readRawBody: async () => await read(request),
		};
		const context = { getRequestObject: () => request } as unknown as IWebhookFunctions;
		expect(await readRequest(context)).toEqual({ url: originalUrl, body });
	},
);

it.each<[string, Partial<FakeResponse>, 'finish' | 'close', number]>([
	['n8n could not go on', { statusCode: 500 }, 'finish', 1],
	['n8n has gone on', { statusCode: 200 }, 'finish', 0],
	['the client has left, so that nobody knows', { statusCode: 500 }, 'close', 0],
	['n8n failed after the client has left', { statusCode: 500, closed: true }, 'finish', 0],
])('what was done for a request is undone only if n8n fails: %s', (_, ending, event, undone) => {
	const response = new FakeResponse();
	const context = { getResponseObject: () => response } as unknown as IWebhookFunctions;
	const undo = jest.fn();
	undoIfN8nFails(context, undo);
	Object.assign(response, ending);
	response.emit(event);
	expect(undo).toHaveBeenCalledTimes(undone);
});
