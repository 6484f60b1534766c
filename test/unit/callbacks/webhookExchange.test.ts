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

it.each([
	[500, 1],
	[200, 0],
])(
	'what was done for a request that n8n answers with %i is undone %i times',
	async (status, times) => {
		jest.useFakeTimers();
		const response = new FakeResponse();
		const context = { getResponseObject: () => response } as unknown as IWebhookFunctions;
		const undo = jest.fn();
		undoIfN8nFails(context, undo);
		await jest.advanceTimersByTimeAsync(60_000);
		Object.assign(response, { statusCode: status, writableEnded: true });
		expect(undo).not.toHaveBeenCalled();
		await jest.advanceTimersByTimeAsync(60_000);
		expect(undo).toHaveBeenCalledTimes(times);
		jest.useRealTimers();
	},
);
