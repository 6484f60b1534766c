import type { Send } from '../../../nodes/Yuntongxun/client/request';
import { planRequests } from '../../../nodes/Yuntongxun/executor/messages';
import { RateLimiter } from '../../../nodes/Yuntongxun/executor/rateLimiter';
import { sendAll } from '../../../nodes/Yuntongxun/executor/send';
import { StopSignal } from '../../../nodes/Yuntongxun/executor/stopSignal';
import { Reservations } from '../../../nodes/Yuntongxun/idempotency/reservations';
import type { Guards } from '../../../nodes/Yuntongxun/idempotency/reservations';
import { keyStore } from '../../support/keyStore';
import { answer, call, inTotal, buildItem, OVERLOAD, perNumber } from '../../support/messages';

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

/** Makes calls at a pace, and lets as much time pass as they take. */
async function callAll(
	count: number,
	perSecond: number,
	send: Send,
	guards: Guards = {},
	store = keyStore(),
	concurrency = 10,
) {
	const stop = new StopSignal();
	const items = Array.from({ length: count }, (_each, index) =>
		buildItem(index, call([String(13_800_000_000 + index)]), guards),
	);
	const sending = sendAll(planRequests(items), {
		concurrency,
		continues: true,
		stop,
		limiter: new RateLimiter(`node ${perSecond}`, perSecond, stop),
		reservations: new Reservations(store.createContext()),
		getClient: () => send,
	});
	await jest.advanceTimersByTimeAsync(600_000);
	await sending;
	return items.flatMap(({ requests }) => requests).map(({ fate }) => fate.state);
}

it('a run with limits keeps the rate that is set, and records one request at most in advance', async () => {
	const store = keyStore(async () => await new Promise((resolve) => setTimeout(resolve, 20)));
	const starts: number[] = [];
	const waiting: number[] = [];
	const send = async () => {
		starts.push(Date.now());
		waiting.push(store.stored().length / 3 - starts.length);
		return await Promise.resolve(answer('a'));
	};
	await callAll(10, 20, send, { key: 'a', limits: [inTotal(1000), perNumber(5)] }, store);
	const [first] = starts;
	expect(starts.map((start) => start - first)).toEqual(
		Array.from({ length: 10 }, (_each, index) => 50 * index),
	);
	expect(Math.max(...waiting)).toBe(0);
});

describe('a service that takes few requests a second, and refuses the rest for load', () => {
	it.each([
		{ calls: 150, perSecond: 5, concurrency: 50 },
		{ calls: 300, perSecond: 5, concurrency: 10 },
	])('takes all of $calls calls at $perSecond a second, $concurrency in parallel', async (how) => {
		const taken: number[] = [];
		const send = async () => {
			const now = Date.now();
			const isFree = taken.filter((at) => at > now - 1000).length < how.perSecond;
			if (isFree) taken.push(now);
			await new Promise((resolve) => setTimeout(resolve, 100));
			if (!isFree) throw OVERLOAD;
			return answer('a');
		};
		const states = await callAll(how.calls, 0, send, {}, keyStore(), how.concurrency);
		expect(states.filter((state) => state !== 'accepted')).toEqual([]);
	});
});
