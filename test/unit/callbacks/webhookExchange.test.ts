import type { IWebhookFunctions } from 'n8n-workflow';

import {
	acknowledge,
	answerJson,
	readRequest,
	reject,
	undoIfN8nFails,
} from '../../../nodes/Yuntongxun/callbacks/webhookExchange';
import { FakeResponse } from '../../support/fakeN8n';

const BODY = Buffer.from('{"action":"SellingCall","callSid":"c1"}');

async function read(request: {
	originalUrl: string;
	[member: string]: unknown;
}): Promise<{ url: string; body: Buffer }> {
	const context = { getRequestObject: () => request } as unknown as IWebhookFunctions;
	const { address, body } = await readRequest(context);
	return { url: address.url, body };
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
		[
			'cannot be read',
			async () => {
				throw new Error('Unsupported');
			},
		],
	])('is empty if it %s', async (_, readRawBody) => {
		expect(await read({ originalUrl: '/a', readRawBody })).toEqual({
			url: '/a',
			body: Buffer.alloc(0),
		});
	});
});

/** A webhook, and the response that it answers with. */
function webhook() {
	const response = new FakeResponse();
	const context = { getResponseObject: () => response } as unknown as IWebhookFunctions;
	return { context, response };
}

describe('an answer', () => {
	it('an answer of n8n is the acknowledgement, or JSON', () => {
		const { context, response } = webhook();
		expect(acknowledge(context)).toEqual({
			webhookResponse:
				'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>',
		});
		expect(response.answer).toEqual({ contentType: 'application/xml', count: 0 });
		expect(answerJson(context, { wait: 'over' })).toEqual({ webhookResponse: '{"wait":"over"}' });
		expect(response.answer).toEqual({ contentType: 'application/json', count: 0 });
	});

	it('an answer of our own rejects a delivery', () => {
		const { context, response } = webhook();
		expect(reject(context, 'unavailable')).toEqual({ noWebhookResponse: true });
		expect(response.answer).toEqual({
			status: 503,
			contentType: 'text/plain',
			body: 'The result cannot be taken right now.',
			count: 1,
		});
	});
});

it.each<[string, Partial<FakeResponse>, 'finish' | 'close', number]>([
	['n8n could not go on', { statusCode: 500 }, 'finish', 1],
	['n8n has gone on', { statusCode: 200 }, 'finish', 0],
	['the client has left, so that nobody knows', { statusCode: 500 }, 'close', 0],
	['n8n failed after the client has left', { statusCode: 500, closed: true }, 'finish', 0],
])('what was done for a request is undone only if n8n fails: %s', (_, ending, event, undone) => {
	const { context, response } = webhook();
	const undo = jest.fn();
	undoIfN8nFails(context, undo);
	Object.assign(response, ending);
	response.emit(event);
	expect(undo).toHaveBeenCalledTimes(undone);
});
