import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { parseCallEvent } from '../../../nodes/Yuntongxun/callbacks/callEvent';
import type { CallResult } from '../../../nodes/Yuntongxun/callbacks/callEvent';
import {
	deliver,
	deliveredResults,
	deliveryBodies,
	meaningOf,
} from '../../../nodes/Yuntongxun/relay/protocol';

const ACKNOWLEDGED =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';
const WAITING = '{"wait":"waiting","missing":["c2"],"until":1800000000000,"firstAnswered":false}';

// n8n's bodies as 1.123.0 and 2.41.1 sent them.
it.each<[string, number, string]>([
	['taken', 200, ACKNOWLEDGED],
	['waiting', 200, WAITING],
	['notYet', 200, '{"wait":"resuming"}'],
	['over', 200, '{"wait":"over"}'],
	['unexpectedResponder', 200, '<html>Please log in</html>'],
	['unexpectedResponder', 200, `<html>${ACKNOWLEDGED}</html>`],
	['unexpectedResponder', 204, ''],
	['unexpectedResponder', 302, ''],
	['refused', 403, 'This address is not signed, or its signature has expired.'],
	['unexpectedResponder', 403, '<html>403 Forbidden</html>'],
	['refused', 401, '{"error":"Invalid token"}'],
	['unexpectedResponder', 401, '<html>Authorization Required</html>'],
	['unexpectedResponder', 401, '{"error":"Unauthorized"}'],
	['unexpectedResponder', 400, 'Bad Request'],
	['deleted', 404, '{"code":404,"message":"The execution \\"7\\" does not exist."}'],
	[
		'over',
		404,
		'{"code":404,"message":"The workflow for execution \\"7\\" does not contain a waiting webhook with a matching path/method."}',
	],
	['notYet', 404, '{"code":404,"message":"Could not find node to process webhook."}'],
	['unexpectedResponder', 404, '<html>404 Not Found</html>'],
	['over', 409, '{"code":409,"message":"The execution \\"7 has finished already."}'],
	['over', 409, '{"code":409,"message":"The execution \\"7\\" has finished with error."}'],
	['notYet', 409, '{"code":409,"message":"The execution \\"7\\" is running already."}'],
	['unexpectedResponder', 409, 'Conflict'],
	['notYet', 500, '{"code":0,"message":"Cannot read properties of undefined"}'],
	['notYet', 502, ''],
	['notYet', 503, 'n8n is starting up. Please wait'],
	['notYet', 504, ''],
	['notYet', 429, ''],
	['unexpectedResponder', 413, 'Payload Too Large'],
])('%s: HTTP %i %s', (means, status, body) => {
	expect(meaningOf(status, body).means).toBe(means);
});

it.each<[string, number, string, string, string | undefined]>([
	['taken', 200, ACKNOWLEDGED, 'done', undefined],
	['waiting', 200, WAITING, 'wait', undefined],
	['notYet', 500, '', 'again', undefined],
	['over', 200, '{"wait":"over"}', 'done', 'info'],
	['deleted', 404, 'The execution "7" does not exist.', 'done', 'info'],
	['refused', 401, '{"error":"Invalid token"}', 'done', 'warn'],
	['unexpectedResponder', 403, '', 'again', 'warn'],
])('after %s: HTTP %i %s %s, logged as %s', (_, status, body, then, level) => {
	expect([meaningOf(status, body).then, meaningOf(status, body).log?.[0]]).toEqual([then, level]);
});

describe('a delivery', () => {
	const xml = (callSid: string, userData = 'order') =>
		`<request><action>SellingCall</action><callSid>${callSid}</callSid><userData>${userData}</userData></request>`;
	function resultOf(callSid: string, userData?: string, at = 1000): CallResult {
		const callEvent = parseCallEvent(Buffer.from(xml(callSid, userData)));
		if (!callEvent) throw new Error('There is no call event');
		return { callEvent, at };
	}

	it('holds all results, and reads back as it was', () => {
		const [body, ...more] = deliveryBodies([resultOf('c1', '王芳'), resultOf('c2', 'order', 2000)]);
		expect(more).toEqual([]);
		expect(deliveredResults(Buffer.from(body))).toEqual([
			{
				at: 1000,
				callEvent: expect.objectContaining({ callSid: 'c1', userData: '王芳' }) as object,
			},
			{ at: 2000, callEvent: expect.objectContaining({ callSid: 'c2' }) as object },
		]);
	});

	it('stays below 900 KB, bytes counted; more goes in several', () => {
		const results = Array.from({ length: 500 }, (_, at) => resultOf(`c${at}`, '您'.repeat(1500)));
		const bodies = deliveryBodies(results);
		expect(bodies.length).toBeGreaterThan(2);
		for (const body of bodies) expect(Buffer.byteLength(body)).toBeLessThan(900_000);
		const all = bodies.flatMap((body) => deliveredResults(Buffer.from(body)) ?? []);
		expect(all.map(({ callEvent }) => callEvent.callSid)).toEqual(results.map((_, at) => `c${at}`));
	});

	it('of 500 usual results is one', () => {
		const results = Array.from({ length: 500 }, (_, at) => resultOf(`c${at}`, 'x'.repeat(200)));
		expect(deliveryBodies(results)).toHaveLength(1);
	});

	it.each(['', xml('c1'), '{"action":"SellingCall","callSid":"c1"}', '[]', 'hello'])(
		'is not %j',
		(body) => {
			expect(deliveredResults(Buffer.from(body))).toBeUndefined();
		},
	);

	it('of no result is one, which ends a wait at its limit', () => {
		expect(deliveryBodies([])).toEqual(['{"ytResults":[]}']);
		expect(deliveredResults(Buffer.from('{"ytResults":[]}'))).toEqual([]);
	});
});

describe('delivering', () => {
	async function delivered(answer: () => unknown) {
		const requests: IHttpRequestOptions[] = [];
		const helpers = {
			httpRequest: async (request: IHttpRequestOptions) => {
				requests.push(request);
				return answer();
			},
		} as unknown as IAllExecuteFunctions['helpers'];
		return { requests, came: await deliver({ helpers }, 'https://n8n.example.com/x', 'body') };
	}

	it('is one POST that follows no redirect and says what the body is', async () => {
		const { requests, came } = await delivered(() => ({ statusCode: 200, body: ACKNOWLEDGED }));
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
		expect(came).toEqual({
			meaning: expect.objectContaining({ means: 'taken' }),
			detail: 'HTTP 200',
		});
	});

	it('tells how the wait stands', async () => {
		const { came } = await delivered(() => ({ statusCode: 200, body: WAITING }));
		expect(came.meaning.means).toBe('waiting');
		expect(came.status).toMatchObject({ missing: ['c2'], until: 1_800_000_000_000 });
	});

	it.each<[string, () => unknown]>([
		['a connection that fails', () => Promise.reject(new Error('connect ECONNREFUSED'))],
		['something else that is thrown', () => Promise.reject('no')],
	])('ends without an answer after %s', async (_, answer) => {
		expect((await delivered(answer)).came.meaning).toMatchObject({
			means: 'unreachable',
			then: 'again',
		});
	});
});
