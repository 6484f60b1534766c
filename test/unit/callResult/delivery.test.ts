import type { IWebhookFunctions } from 'n8n-workflow';

import { deliveryTo } from '../../../nodes/Yuntongxun/callResult/delivery';

const BODY = Buffer.from('{"action":"SellingCall","callSid":"c1"}');

const read = async (request: object) =>
	await deliveryTo({ getRequestObject: () => request } as unknown as IWebhookFunctions);

describe('the address of a delivery', () => {
	it.each<[string, object, string]>([
		['as it arrived', { originalUrl: '/proxy/webhook/a?b=1', url: '/' }, '/proxy/webhook/a?b=1'],
		['as far as it is known', { url: '/webhook/a?b=1' }, '/webhook/a?b=1'],
		['empty where nothing is known', {}, ''],
	])('is %s', async (_, known, url) => {
		expect((await read({ ...known, rawBody: BODY })).url).toBe(url);
	});
});

describe('the body of a delivery', () => {
	it('is taken as n8n has read it', async () => {
		const readRawBody = jest.fn(async () => {});
		const { body, notification } = await read({ rawBody: BODY, readRawBody });
		expect(body).toEqual(BODY);
		expect(notification).toMatchObject({ action: 'SellingCall', callSid: 'c1' });
		expect(readRawBody).not.toHaveBeenCalled();
	});

	it('is read where n8n has not done so', async () => {
		const request = {
			rawBody: undefined as Buffer | undefined,
			async readRawBody() {
				request.rawBody = BODY;
			},
		};
		expect(await read(request)).toMatchObject({ body: BODY, notification: { callSid: 'c1' } });
	});

	it.each<[string, () => Promise<void>]>([
		['is not there', async () => {}],
		[
			'cannot be read',
			async () => {
				throw new Error('Unsupported');
			},
		],
	])('is empty, and no notification, where it %s', async (_, readRawBody) => {
		expect(await read({ url: '/a', readRawBody })).toEqual({ url: '/a', body: Buffer.alloc(0) });
	});

	it('is no notification where it asks for a decision about a call', async () => {
		const body = Buffer.from('{"action":"CallAuth","callSid":"c1"}');
		expect(await read({ url: '/a', rawBody: body })).toEqual({ url: '/a', body });
	});
});
