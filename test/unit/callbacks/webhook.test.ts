import type { IWebhookFunctions } from 'n8n-workflow';

import { readRequest } from '../../../nodes/Yuntongxun/callbacks/webhook';

const BODY = Buffer.from('{"action":"SellingCall","callSid":"c1"}');

const read = async (request: object) =>
	await readRequest({ getRequestObject: () => request } as unknown as IWebhookFunctions);

describe('the address of a request', () => {
	it.each<[string, object, string]>([
		['as it arrived', { originalUrl: '/proxy/webhook/a?b=1', url: '/' }, '/proxy/webhook/a?b=1'],
		['as far as it is known', { url: '/webhook/a?b=1' }, '/webhook/a?b=1'],
		['empty where nothing is known', {}, ''],
	])('is %s', async (_, known, url) => {
		expect((await read({ ...known, rawBody: BODY })).url).toBe(url);
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
		expect(await read({ url: '/a', readRawBody })).toEqual({ url: '/a', body: Buffer.alloc(0) });
	});
});
