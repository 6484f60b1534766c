import type { IWebhookFunctions } from 'n8n-workflow';

import { readRequest, undoIfN8nFails } from '../../../nodes/Yuntongxun/callbacks/webhookExchange';
import { FakeResponse } from '../../support/fakeN8n';

const BODY = Buffer.from('{"action":"SellingCall","callSid":"c1"}');

async function read(request: {
	originalUrl: string;
	[member: string]: unknown;
}): Promise<{ url: string; body: Buffer }> {
	const context = { getRequestObject: () => request } as unknown as IWebhookFunctions;
	return await readRequest(context);
}

describe('the body of a request', () => {
	it('is what n8n has read, and the address is as it arrived', async () => {
		const originalUrl = '/proxy/webhook/a?b=1';
		const readRawBody = jest.fn(async () => {});
		expect(await read({ originalUrl, url: '/', rawBody: BODY, readRawBody })).toEqual({
			url: originalUrl,
			body: BODY,
		});
		expect(readRawBody).not.toHaveBeenCalled();
	});

	it('is read if n8n has not read it', async () => {
		const request = {
			originalUrl: '/a',
			rawBody: undefined as Buffer | undefined,
			async readRawBody() {
				request.rawBody = BODY;
			},
		};
		expect((await read(request)).body).toEqual(BODY);
	});

	it.each<[string, () => Promise<void>]>([
		['is not there', async () => {}],
		['cannot be read', async () => await Promise.reject(new Error('Unsupported'))],
	])('is empty if it %s', async (_, readRawBody) => {
		expect((await read({ originalUrl: '/a', readRawBody })).body).toEqual(Buffer.alloc(0));
	});
});

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
