import type { IWebhookFunctions } from 'n8n-workflow';

import {
	acknowledge,
	answerJson,
	readRequest,
	reject,
} from '../../../nodes/Yuntongxun/callbacks/webhookExchange';

const BODY = Buffer.from('{"action":"SellingCall","callSid":"c1"}');

async function read(request: {
	originalUrl: string;
	[member: string]: unknown;
}): Promise<{ url: string; body: Buffer }> {
	const context = { getRequestObject: () => request } as unknown as IWebhookFunctions;
	const { address, body } = await readRequest(context);
	return { url: address.url, body };
}

it('readRequest gives the address as it arrived', async () => {
	const originalUrl = '/proxy/webhook/a?b=1';
	expect(await read({ originalUrl, url: '/', rawBody: BODY })).toEqual({
		url: originalUrl,
		body: BODY,
	});
});

describe('the body of a request', () => {
	it('is what n8n has read', async () => {
		const readRawBody = jest.fn(async () => {});
		expect((await read({ originalUrl: '/a', rawBody: BODY, readRawBody })).body).toEqual(BODY);
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

/** A delivery, and what was answered to it past n8n. */
function delivery() {
	const answer: unknown[] = [];
	const note = (...values: unknown[]) => {
		answer.push(...values);
		return response;
	};
	const response = { status: note, type: note, send: note };
	const context = { getResponseObject: () => response } as unknown as IWebhookFunctions;
	return { context, answer };
}

describe('an answer', () => {
	it('an answer of n8n is the acknowledgement, or JSON', () => {
		const { context, answer } = delivery();
		expect(acknowledge(context)).toEqual({
			webhookResponse:
				'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>',
		});
		expect(answerJson(context, { wait: 'over' })).toEqual({ webhookResponse: '{"wait":"over"}' });
		expect(answer).toEqual(['application/xml', 'application/json']);
	});

	it('an answer of our own rejects a delivery', () => {
		const { context, answer } = delivery();
		expect(reject(context, 'unavailable')).toEqual({ noWebhookResponse: true });
		expect(answer).toEqual([503, 'text/plain', 'The result cannot be taken right now.']);
	});
});
