import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import {
	endOf,
	handedOver,
	handOver,
	handOverBodies,
} from '../../../nodes/Yuntongxun/callResult/handOver';
import type { HandOverEnd, KeptResult } from '../../../nodes/Yuntongxun/callResult/handOver';

const ACKNOWLEDGED =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';
const WAITING = '{"wait":"waiting","missing":["c2"],"until":1800000000000,"firstAnswered":false}';

// n8n's bodies as 1.123.0 and 2.41.1 sent them.
it.each<[HandOverEnd, number, string]>([
	['taken', 200, ACKNOWLEDGED],
	['waiting', 200, WAITING],
	['notYet', 200, '{"wait":"goingOn"}'],
	['over', 200, '{"wait":"over"}'],
	['stranger', 200, '<html>Please log in</html>'],
	['stranger', 200, `<html>${ACKNOWLEDGED}</html>`],
	['stranger', 204, ''],
	['stranger', 302, ''],
	['refused', 403, 'This address is not signed, or its signature has expired.'],
	['stranger', 403, '<html>403 Forbidden</html>'],
	['refused', 401, '{"error":"Invalid token"}'],
	['stranger', 401, '<html>Authorization Required</html>'],
	['stranger', 401, '{"error":"Unauthorized"}'],
	['stranger', 400, 'Bad Request'],
	['deleted', 404, '{"code":404,"message":"The execution \\"7\\" does not exist."}'],
	[
		'over',
		404,
		'{"code":404,"message":"The workflow for execution \\"7\\" does not contain a waiting webhook with a matching path/method."}',
	],
	['notYet', 404, '{"code":404,"message":"Could not find node to process webhook."}'],
	['stranger', 404, '<html>404 Not Found</html>'],
	['over', 409, '{"code":409,"message":"The execution \\"7 has finished already."}'],
	['over', 409, '{"code":409,"message":"The execution \\"7\\" has finished with error."}'],
	['notYet', 409, '{"code":409,"message":"The execution \\"7\\" is running already."}'],
	['stranger', 409, 'Conflict'],
	['notYet', 500, '{"code":0,"message":"Cannot read properties of undefined"}'],
	['notYet', 502, ''],
	['notYet', 503, 'n8n is starting up. Please wait'],
	['notYet', 504, ''],
	['notYet', 429, ''],
	['stranger', 413, 'Payload Too Large'],
])('%s: HTTP %i %s', (end, status, body) => {
	expect(endOf(status, body)).toBe(end);
});

describe('a hand-over', () => {
	const xml = (callSid: string, userData = 'order') =>
		`<request><action>SellingCall</action><callSid>${callSid}</callSid><userData>${userData}</userData></request>`;
	const kept = (callSid: string, userData?: string): KeptResult => [1000, xml(callSid, userData)];

	it('holds all results, and reads back as it was', () => {
		const [body, ...more] = handOverBodies([kept('c1', '王芳'), [2000, xml('c2')]]);
		expect(more).toEqual([]);
		expect(handedOver(Buffer.from(body))).toEqual([
			{
				at: 1000,
				notification: expect.objectContaining({ callSid: 'c1', userData: '王芳' }) as object,
			},
			{ at: 2000, notification: expect.objectContaining({ callSid: 'c2' }) as object },
		]);
	});

	it('stays below 900 KB, bytes counted; more goes in several', () => {
		const results = Array.from({ length: 500 }, (_, at) => kept(`c${at}`, '您'.repeat(1500)));
		const bodies = handOverBodies(results);
		expect(bodies.length).toBeGreaterThan(2);
		for (const body of bodies) expect(Buffer.byteLength(body)).toBeLessThan(900_000);
		const all = bodies.flatMap((body) => handedOver(Buffer.from(body)) ?? []);
		expect(all.map(({ notification }) => notification.callSid)).toEqual(
			results.map((_, at) => `c${at}`),
		);
	});

	it('of 500 usual results is one', () => {
		const results = Array.from({ length: 500 }, (_, at) => kept(`c${at}`, 'x'.repeat(200)));
		expect(handOverBodies(results)).toHaveLength(1);
	});

	it.each(['', xml('c1'), '{"action":"SellingCall","callSid":"c1"}', '[]', 'hello'])(
		'is not %j',
		(body) => {
			expect(handedOver(Buffer.from(body))).toBeUndefined();
		},
	);

	it('leaves out what is not a notification', () => {
		const [body] = handOverBodies([[1, 'hello'], kept('c1')]);
		expect(handedOver(Buffer.from(body))).toHaveLength(1);
	});
});

describe('handing over', () => {
	async function handed(answer: () => unknown) {
		const requests: IHttpRequestOptions[] = [];
		const helpers = {
			httpRequest: async (request: IHttpRequestOptions) => {
				requests.push(request);
				return answer();
			},
		} as unknown as IAllExecuteFunctions['helpers'];
		return { requests, came: await handOver({ helpers }, 'https://n8n.example.com/x', 'body') };
	}

	it('is one POST that follows no redirect and says what the body is', async () => {
		const { requests, came } = await handed(() => ({ statusCode: 200, body: ACKNOWLEDGED }));
		expect(requests).toEqual([
			expect.objectContaining({
				method: 'POST',
				url: 'https://n8n.example.com/x',
				body: 'body',
				headers: { 'Content-Type': 'text/plain; charset=utf-8' },
				disableFollowRedirect: true,
				ignoreHttpStatusErrors: true,
				timeout: 20_000,
			}),
		]);
		expect(came).toEqual({ end: 'taken', detail: 'HTTP 200' });
	});

	it('tells how the wait stands', async () => {
		const { came } = await handed(() => ({ statusCode: 200, body: WAITING }));
		expect(came.end).toBe('waiting');
		expect(came.standing).toMatchObject({ missing: ['c2'], until: 1_800_000_000_000 });
	});

	it.each<[string, () => unknown]>([
		['a connection that fails', () => Promise.reject(new Error('connect ECONNREFUSED'))],
		['something else that is thrown', () => Promise.reject('no')],
	])('ends without an answer after %s', async (_, answer) => {
		expect((await handed(answer)).came.end).toBe('noAnswer');
	});
});
