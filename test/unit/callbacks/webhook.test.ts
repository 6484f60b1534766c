import type { IWebhookFunctions } from 'n8n-workflow';

import { readRequest } from '../../../nodes/Yuntongxun/callbacks/webhook';

const BODY = Buffer.from('{"action":"SellingCall","callSid":"c1"}');

const read = async (request: object) =>
	await readRequest({ getRequestObject: () => request } as unknown as IWebhookFunctions);

it('gives the address as it arrived', async () => {
	const originalUrl = '/proxy/webhook/a?b=1';
	expect(await read({ originalUrl, url: '/', rawBody: BODY })).toEqual({
		url: originalUrl,
		body: BODY,
	});
});

describe('the body of a request', () => {
	it('is taken as n8n has read it', async () => {
		const readRawBody = jest.fn(async () => {});
		expect((await read({ rawBody: BODY, readRawBody })).body).toEqual(BODY);
		expect(readRawBody).not.toHaveBeenCalled();
	});

	it('is read if n8n has not read it', async () => {
		const request = {
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
