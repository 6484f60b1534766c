import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeApiError } from 'n8n-workflow';
import type { JsonObject } from 'n8n-workflow';

import { exchange } from '../../../nodes/Yuntongxun/client/client';
import { buildNode } from '../../support/fakeN8n';
import { answering, failing, fakeHttp } from '../../support/http';
import type { FakeHttp } from '../../support/http';

const REQUEST = {
	method: 'POST' as const,
	url: 'https://service.example.com:8883/x',
	headers: { Accept: 'application/json' },
	body: '{}',
};
const AMPLE = 60_000;
const MIB = 1024 * 1024;

const exchanged = async ({ http }: FakeHttp, timeout = AMPLE) =>
	await exchange(http, REQUEST, { timeout, maxAnswerBytes: MIB });

describe('the request', () => {
	it('goes out once, with its time-out, and follows no redirect', async () => {
		const fake = answering(200, '{}');
		await exchanged(fake, 12_345);
		expect(fake.requests).toEqual([
			{
				...REQUEST,
				timeout: 12_345,
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
			},
		]);
	});
});

describe('the answer', () => {
	it('is joined before it is decoded as UTF-8', async () => {
		const bytes = Buffer.from('{"statusMsg":"【账号】😀"}');
		const single = Array.from(bytes, (byte) => Buffer.from([byte]));
		expect(await exchanged(answering(200, ...single))).toEqual({
			kind: 'answer',
			status: 200,
			text: '{"statusMsg":"【账号】😀"}',
		});
	});

	it('may be exactly as long as its limit', async () => {
		expect(await exchanged(answering(200, Buffer.alloc(MIB - 1), Buffer.alloc(1)))).toEqual({
			kind: 'answer',
			status: 200,
			text: '\0'.repeat(MIB),
		});
	});

	it('is given up beyond the limit, even if it never ends', async () => {
		let handedOver = 0;
		const endless = new Readable({
			read() {
				handedOver += MIB;
				this.push(Buffer.alloc(MIB));
			},
		});
		const answer = await exchanged(fakeHttp(async () => ({ statusCode: 200, body: endless })));
		expect(answer).toEqual({ kind: 'noAnswer', traces: ['answer too large'] });
		expect(endless.destroyed).toBe(true);
		expect(handedOver).toBeLessThan(5 * MIB);
	});
});

describe('the deadline', () => {
	const LATE = { kind: 'noAnswer', traces: ['timeout'] };

	it('ends the wait for an answer that never begins', async () => {
		const silent = fakeHttp(async () => await new Promise(() => undefined));
		expect(await exchanged(silent, 20)).toEqual(LATE);
	});

	it('leaves an answer that begins after it unread', async () => {
		const late = new Readable({ read: () => undefined });
		let begin = () => {};
		const begun = new Promise<void>((resolve) => (begin = resolve));
		const fake = fakeHttp(async () => {
			await begun;
			return { statusCode: 200, body: late };
		});
		expect(await exchanged(fake, 20)).toEqual(LATE);
		begin();
		await sleep(0);
		expect(late.destroyed).toBe(true);
	});

	it('ends an answer that stops in the middle, and its connection', async () => {
		const halting = new Readable({ read: () => undefined });
		halting.push('{"statusCode":');
		const fake = fakeHttp(async () => ({ statusCode: 200, body: halting }));
		expect(await exchanged(fake, 20)).toEqual(LATE);
		expect(halting.destroyed).toBe(true);
	});
});

const CODE = 'ECONNREFUSED';
const MESSAGE = 'connect ECONNREFUSED 192.0.2.1:8883';
const ORIGINAL = Object.assign(new Error(MESSAGE), { code: CODE });
const BY_AXIOS = Object.assign(new Error(MESSAGE, { cause: ORIGINAL }), { code: CODE });

/** One failure in each shape in which the two generations of n8n hand it over. */
it.each([
	['as Node.js throws it', ORIGINAL],
	['as axios throws it', BY_AXIOS],
	['wrapped by n8n', new NodeApiError(buildNode(), BY_AXIOS as unknown as JsonObject)],
	['within another', new Error('The request did not succeed', { cause: ORIGINAL })],
	[
		'as n8n 1 keeps it, without a cause',
		Object.assign(new Error('Its own words'), { httpCode: CODE, messages: [MESSAGE, MESSAGE] }),
	],
	[
		'as n8n 1 keeps several attempts to connect',
		Object.assign(new Error('Its own words'), {
			httpCode: CODE,
			messages: ['Error', 'Error'],
			description: MESSAGE,
		}),
	],
])('finds code and message of a failure %s', async (_shape, thrown) => {
	expect(await exchanged(failing(thrown))).toEqual({
		kind: 'noAnswer',
		traces: expect.arrayContaining([CODE, MESSAGE]) as string[],
	});
});

it.each<[string, unknown, string[]]>([
	['an error of no kind', new Error('boom'), ['boom']],
	['a text', 'ECONNREFUSED', []],
	['nothing', undefined, []],
	['null', null, []],
	['an error caused by null', Object.assign(new Error('boom'), { cause: null }), ['boom']],
	['codes that are numbers', Object.assign(new Error('boom'), { code: 7, httpCode: 8 }), ['boom']],
	['an error that causes itself', circular(), Array.from({ length: 5 }, () => 'around')],
])('finds the traces of %s', async (_what, thrown, traces) => {
	expect(await exchanged(failing(thrown))).toEqual({ kind: 'noAnswer', traces });
});

it('finds the traces of a connection that breaks in the middle of the answer', async () => {
	const breaking = new Readable({ read: () => undefined });
	breaking.push('{"statusCode":"000');
	setImmediate(() => breaking.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })));
	const fake = fakeHttp(async () => ({ statusCode: 200, body: breaking }));
	expect(await exchanged(fake)).toEqual({ kind: 'noAnswer', traces: ['ECONNRESET', 'aborted'] });
});

function circular(): Error {
	const error = new Error('around');
	error.cause = error;
	return error;
}
