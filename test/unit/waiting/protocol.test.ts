import type { IAllExecuteFunctions, IHttpRequestOptions, Logger } from 'n8n-workflow';

import type { CallResult } from '../../../nodes/Yuntongxun/callbacks/callEvent';
import {
	deliver,
	buildDeliveryBodies,
	readDeliveryAnswer,
	readDelivery,
} from '../../../nodes/Yuntongxun/waiting/protocol';
import { isComplete } from '../../../nodes/Yuntongxun/waiting/completion';
import { parseCall } from '../support/callEvents';

const ACKNOWLEDGED =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';
const WAITING = '{"wait":"waiting","missing":["c2"],"until":1800000000000,"firstAnswered":false}';

// n8n's bodies as 1.123.0 and 2.41.1 sent them.
it.each<[string, number, string]>([
	['finished', 200, ACKNOWLEDGED],
	['waiting', 200, WAITING],
	['notYet', 200, '{"wait":"resuming"}'],
	['otherWait', 200, '{"wait":"other"}'],
	['unexpected', 200, '{"wait":"something"}'],
	['failed', 500, WAITING],
	['notYet', 503, '{"wait":"other"}'],
	['unexpected', 200, '<html>Please log in</html>'],
	['unexpected', 200, `<html>${ACKNOWLEDGED}</html>`],
	['unexpected', 204, ''],
	['unexpected', 302, ''],
	['refused', 403, 'This address is not signed, or its signature has expired.'],
	['unexpected', 403, '<html>403 Forbidden</html>'],
	['refused', 401, '{"error":"Invalid token"}'],
	['refused', 401, '{ "error": "Invalid token" }'],
	['unexpected', 401, '<html>Authorization Required</html>'],
	['unexpected', 401, '{"error":"Unauthorized"}'],
	['unexpected', 400, 'Bad Request'],
	['finished', 404, '{"code":404,"message":"The execution \\"7\\" does not exist."}'],
	[
		'otherWait',
		404,
		'{"code":404,"message":"The workflow for execution \\"7\\" does not contain a waiting webhook with a matching path/method."}',
	],
	['notYet', 404, '{"code":404,"message":"Could not find node to process webhook."}'],
	['unexpected', 404, '<html>404 Not Found</html>'],
	['finished', 409, '{"code":409,"message":"The execution \\"7 has finished already."}'],
	['finished', 409, '{"code":409,"message":"The execution \\"7\\" has finished with error."}'],
	['notYet', 409, '{"code":409,"message":"The execution \\"7\\" is running already."}'],
	['unexpected', 409, 'Conflict'],
	['failed', 500, '{"code":0,"message":"Cannot read properties of undefined"}'],
	['notYet', 502, ''],
	['notYet', 503, 'n8n is starting up. Please wait'],
	['notYet', 504, ''],
	['notYet', 429, ''],
	['unexpected', 413, 'Payload Too Large'],
])('%s: HTTP %i %s', (outcome, status, body) => {
	expect(readDeliveryAnswer(status, body).outcome).toBe(outcome);
});

describe('a delivery', () => {
	const xml = (callSid: string, userData = 'order') =>
		`<request><action>SellingCall</action><callSid>${callSid}</callSid><userData>${userData}</userData></request>`;
	function resultOf(callSid: string, userData?: string, at = 1000): CallResult {
		const callEvent = parseCall(xml(callSid, userData));
		if (!callEvent) throw new Error('There is no call event');
		return { callEvent, at };
	}

	it('holds all results, and reads back as it was', () => {
		const [body, ...more] = buildDeliveryBodies([
			resultOf('c1', '王芳'),
			resultOf('c2', 'order', 2000),
		]);
		expect(more).toEqual([]);
		expect(readDelivery(Buffer.from(body))?.results).toEqual([
			{
				at: 1000,
				callEvent: expect.objectContaining({ callSid: 'c1', userData: '王芳' }) as object,
			},
			{ at: 2000, callEvent: expect.objectContaining({ callSid: 'c2' }) as object },
		]);
	});

	it('stays below 900 KB, and more results go into several deliveries', () => {
		const results = Array.from({ length: 500 }, (_, at) => resultOf(`c${at}`, '您'.repeat(1500)));
		const bodies = buildDeliveryBodies(results);
		expect(bodies.length).toBeGreaterThan(2);
		for (const body of bodies) expect(Buffer.byteLength(body)).toBeLessThan(900_000);
		const all = bodies.flatMap((body) => readDelivery(Buffer.from(body))?.results ?? []);
		expect(all.map(({ callEvent }) => callEvent.callSid)).toEqual(results.map((_, at) => `c${at}`));
	});

	it.each([
		['is one', 900_000, 1],
		['becomes two', 900_001, 2],
	])('of two results %s if they take %i bytes, each with its comma', (_, size, count) => {
		// Beside the results and their two commas, one of which is not written.
		const frame = '{"ytResults":[],"more":false}'.length - 1;
		const one = resultOf('c1');
		const bodiesWith = (userData: string) =>
			buildDeliveryBodies([one, { ...one, callEvent: { ...one.callEvent, userData } }]);
		const [short] = bodiesWith('x');
		const userData = 'x'.repeat(size - (Buffer.byteLength(short) - frame) + 1);
		expect(bodiesWith(userData)).toHaveLength(count);
	});

	it('of one result is never split, however large', () => {
		const { callEvent } = resultOf('c1');
		const large = { callEvent: { ...callEvent, userData: 'x'.repeat(1_000_000) }, at: 1000 };
		expect(buildDeliveryBodies([large])).toHaveLength(1);
	});

	it('of 500 usual results is not split', () => {
		const results = Array.from({ length: 500 }, (_, at) => resultOf(`c${at}`, 'x'.repeat(200)));
		expect(buildDeliveryBodies(results)).toHaveLength(1);
	});

	it.each(['', xml('c1'), '{"action":"SellingCall","callSid":"c1"}', '[]', 'hello'])(
		'is not %j',
		(body) => {
			expect(readDelivery(Buffer.from(body))).toBeUndefined();
		},
	);

	it('without results exists, too: it ends a wait at its limit', () => {
		const [body, ...more] = buildDeliveryBodies([]);
		expect(more).toEqual([]);
		expect(readDelivery(Buffer.from(body))).toEqual({ results: [], more: false });
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
		const logger = {} as Logger;
		return {
			requests,
			came: await deliver({ helpers, logger }, 'https://n8n.example.com/x', 'body'),
		};
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
				timeout: 40_000,
			}),
		]);
		expect(came).toEqual({
			outcome: 'finished',
			detail: 'HTTP 200',
		});
	});

	it('returns the status of the wait', async () => {
		const { came } = await delivered(() => ({ statusCode: 200, body: WAITING }));
		expect(came).toMatchObject({
			outcome: 'waiting',
			status: { missing: ['c2'], until: 1_800_000_000_000 },
		});
	});

	it.each([
		['is cut off', WAITING.slice(0, -10)],
		['lacks the limit', '{"wait":"waiting","missing":["c2"],"firstAnswered":false}'],
		['lacks what completes it', WAITING.replace(',"firstAnswered":false', '')],
		['has a list of something else', WAITING.replace('"c2"', '7')],
		['has something else in its list', WAITING.replace('"c2"', '"c2",7')],
		['is not an object', 'null'],
	])('does not take an answer for the status of a wait that %s', async (_, body) => {
		const { came } = await delivered(() => ({ statusCode: 200, body }));
		expect(came).toEqual({ outcome: 'unexpected', detail: 'HTTP 200' });
	});

	it('takes the status of a wait whatever the order of its members', async () => {
		const body = JSON.stringify(
			Object.fromEntries(Object.entries(JSON.parse(WAITING) as object).reverse()),
		);
		const { came } = await delivered(() => ({ statusCode: 200, body }));
		expect(came.outcome).toBe('waiting');
	});

	it.each<[string, () => unknown, string]>([
		['a connection that fails', () => Promise.reject(new TypeError('fetch failed')), 'TypeError'],
		['something else that is thrown', () => Promise.reject('no'), 'no answer'],
	])('ends without an answer after %s', async (_, answer, detail) => {
		expect((await delivered(answer)).came).toMatchObject({ outcome: 'unreachable', detail });
	});
});

describe('a wait', () => {
	const resultOf = (callSid: string, isAnswered: boolean): [string, CallResult] => {
		const state = isAnswered ? '0' : '1';
		const json = { action: 'SellingCall', callSid, state, duration: '30' };
		const callEvent = parseCall(JSON.stringify(json));
		if (!callEvent) throw new Error('There is no call event');
		return [`voiceNotification ${callSid}`, { callEvent, at: 1000 }];
	};

	it.each<[boolean, string, string[], [string, boolean][], boolean]>([
		[true, 'nothing is missing', ['c1'], [['c1', false]], false],
		[false, 'something is missing', ['c1', 'c9'], [['c1', true]], false],
		[true, 'the first answered call is enough', ['c1', 'c9'], [['c1', true]], true],
		[false, 'nobody answered', ['c1', 'c9'], [['c1', false]], true],
		[false, 'another call was answered', ['c9'], [['c1', true]], true],
		[true, 'all have their result, and nobody answered', ['c1'], [['c1', false]], true],
	])('is complete, %s: %s', (isWhole, _, calls, came, firstAnswered) => {
		const awaited = calls.map((callSid) => `voiceNotification ${callSid}`);
		const results = new Map(came.map(([callSid, isAnswered]) => resultOf(callSid, isAnswered)));
		expect(isComplete(awaited, firstAnswered, results)).toBe(isWhole);
	});
});
