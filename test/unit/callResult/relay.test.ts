import type { IHttpRequestOptions, IWebhookFunctions, Logger } from 'n8n-workflow';

import {
	canHandOn,
	handOn,
	mayHandOn,
	relayedUrl,
	resumeUrlIn,
} from '../../../nodes/Yuntongxun/callResult/relay';
import { signUrl } from '../../../nodes/Yuntongxun/callResult/signedUrl';

const TOKEN = 'made-up-token';
const NOW = Date.UTC(2026, 0, 1);
const IN_AN_HOUR = NOW + 60 * 60 * 1000;
const RELAY = 'https://n8n.example.com/webhook/4f9c/call-result';
const RESUME = 'http://n8n.internal:5678/webhook-waiting/231?signature=a%2Fb+c&x=%20';

const sign = (url: string, token = TOKEN, expiresAt = IN_AN_HOUR) => signUrl(url, token, expiresAt);

describe('the address of a relay', () => {
	it.each([RELAY, `${RELAY}?a=1&b=%20x`])('of %s carries the other one, byte for byte', (relay) => {
		const resume = sign(RESUME);
		const relayed = relayedUrl(relay, resume);
		expect(relayed.startsWith(relay)).toBe(true);
		expect(resumeUrlIn(relayed)).toBe(resume);
		expect(resumeUrlIn(sign(relayed))).toBe(resume);
		expect(resumeUrlIn(new URL(sign(relayed)).pathname + new URL(sign(relayed)).search)).toBe(
			resume,
		);
	});

	it.each([RELAY, `${RELAY}?a=1`, sign(RELAY), `${RELAY}?xytResume=1`])('%s is none', (url) => {
		expect(resumeUrlIn(url)).toBeUndefined();
	});
});

describe('a result may be handed on', () => {
	const may = (url: string, resumeUrl = resumeUrlIn(url) ?? '', now = NOW) =>
		mayHandOn(url, resumeUrl, TOKEN, now);
	const whole = sign(relayedUrl(RELAY, sign(RESUME)));

	it('where both addresses are signed', () => {
		expect(may(whole)).toBe(true);
	});

	it.each([
		['only the inner one is signed', relayedUrl(RELAY, sign(RESUME))],
		['only the outer one is signed', sign(relayedUrl(RELAY, RESUME))],
		['neither is signed', relayedUrl(RELAY, RESUME)],
		['the inner one is signed by another account', sign(relayedUrl(RELAY, sign(RESUME, 'other')))],
		['the outer one is signed by another account', sign(relayedUrl(RELAY, sign(RESUME)), 'other')],
		['the outer one has expired', sign(relayedUrl(RELAY, sign(RESUME)), TOKEN, NOW - 1000)],
		['the inner one has expired', sign(relayedUrl(RELAY, sign(RESUME, TOKEN, NOW - 1000)))],
		['the host of the inner one was changed', whole.replace('n8n.internal', 'evil.example.com')],
		[
			'another inner one was put in front',
			whole.replace('?', `?ytResume=${encodeURIComponent(sign(RESUME))}&`),
		],
		['the outer one is an empty one', sign(`${RELAY}?ytResume=`)],
	])('but not where %s', (_, url) => {
		expect(may(url)).toBe(false);
	});
});

type Answer = { statusCode: number; body: unknown } | Error;

/** A trigger whose n8n answers one request after the other; the last answer stays. */
function triggerAnswered(...answers: Answer[]) {
	const requests: IHttpRequestOptions[] = [];
	const times: number[] = [];
	const warn = jest.fn();
	const logger: Pick<Logger, 'warn'> = { warn };
	const helpers: Pick<IWebhookFunctions['helpers'], 'httpRequest'> = {
		httpRequest: async (options) => {
			requests.push(options);
			times.push(Date.now());
			const answer = answers[Math.min(requests.length, answers.length) - 1];
			if (answer instanceof Error) throw answer;
			return answer;
		},
	};
	const context = { helpers, logger } as unknown as IWebhookFunctions;
	return { context, requests, times, warn };
}

const TAKEN = { statusCode: 200, body: '<Response/>' };
const PARKING = {
	statusCode: 409,
	body: '{"message":"The execution \\"7\\" is running already."}',
};
const PARKING_IN_V1 = { statusCode: 500, body: '{"message":"Could not find node"}' };
const FINISHED = {
	statusCode: 409,
	body: '{"message":"The execution \\"7 has finished already."}',
};
const BODY = '<request>您好</request>';

describe('a result is handed on', () => {
	beforeEach(() => {
		jest.useFakeTimers({ now: NOW });
	});
	afterEach(() => {
		jest.useRealTimers();
	});

	async function handedOn(url: string, ...answers: Answer[]) {
		const trigger = triggerAnswered(...answers);
		const work = handOn(trigger.context, url, BODY);
		let isDone = false;
		void work.then(() => (isDone = true));
		for (let step = 0; !isDone && step < 20_000; step++) await jest.advanceTimersByTimeAsync(250);
		await work;
		return trigger;
	}

	it('as it came, without following where n8n sends it', async () => {
		const { requests, warn } = await handedOn(sign(RESUME), TAKEN);
		expect(requests).toEqual([
			expect.objectContaining({
				method: 'POST',
				url: sign(RESUME),
				body: BODY,
				disableFollowRedirect: true,
				ignoreHttpStatusErrors: true,
				timeout: expect.any(Number) as number,
			}),
		]);
		expect(warn).not.toHaveBeenCalled();
	});

	it.each<[string, Answer]>([
		['409, n8n 2 is still parking the execution', PARKING],
		['500, n8n 1 is still parking it', PARKING_IN_V1],
		['502, a proxy found nobody', { statusCode: 502, body: '' }],
		['503, n8n is starting', { statusCode: 503, body: 'n8n is starting up' }],
		['429, there were too many', { statusCode: 429, body: '' }],
		['a connection that failed', new Error('connect ECONNREFUSED')],
		['a body that is no text', { statusCode: 500, body: { message: 'no' } }],
	])('again after %s', async (_, answer) => {
		const { requests } = await handedOn(sign(RESUME), answer, answer, answer, TAKEN);
		expect(requests).toHaveLength(4);
	});

	it.each<[string, Answer]>([
		['200', TAKEN],
		['400', { statusCode: 400, body: '' }],
		['401', { statusCode: 401, body: '{"error":"Invalid token"}' }],
		['403', { statusCode: 403, body: '' }],
		['409, the execution has finished', FINISHED],
		['409, it has finished with an error', { ...FINISHED, body: 'has finished with error.' }],
	])('no more after %s', async (_, answer) => {
		const { requests, warn } = await handedOn(sign(RESUME), answer, TAKEN);
		expect(requests).toHaveLength(1);
		expect(warn).not.toHaveBeenCalled();
	});

	it('until its address expires, at a pace that slows down, and n8n is told', async () => {
		const expiresAt = NOW + 10 * 60 * 1000;
		const { times, warn } = await handedOn(sign(RESUME, TOKEN, expiresAt), PARKING);
		const pauses = times.slice(1).map((time, at) => time - times[at]);
		expect(pauses[0]).toBeLessThanOrEqual(500);
		expect(Math.max(...pauses)).toBeLessThanOrEqual(5000);
		expect(pauses.every((pause, at) => at === 0 || pause >= pauses[at - 1])).toBe(true);
		expect(times.at(-1)).toBeLessThan(expiresAt);
		expect(times.at(-1)).toBeGreaterThan(expiresAt - 6000);
		expect(warn.mock.calls).toEqual([
			['A call result was handed on until its address expired, in vain'],
		]);
	});

	it('not at all once its address has expired', async () => {
		const { requests } = await handedOn(sign(RESUME, TOKEN, NOW - 1000), TAKEN);
		expect(requests).toEqual([]);
	});

	it('only so many at the same time', async () => {
		const url = sign(RESUME);
		const { context } = triggerAnswered(PARKING);
		expect(canHandOn()).toBe(true);
		const all = Array.from({ length: 5000 }, async () => await handOn(context, url, BODY));
		expect(canHandOn()).toBe(false);
		jest.setSystemTime(IN_AN_HOUR + 1000);
		await jest.advanceTimersByTimeAsync(1000);
		await Promise.all(all);
		expect(canHandOn()).toBe(true);
	});
});
