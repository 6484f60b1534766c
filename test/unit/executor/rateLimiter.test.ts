import { RateLimiter } from '../../../nodes/Yuntongxun/executor/rateLimiter';
import type { Rate, RequestSlot } from '../../../nodes/Yuntongxun/executor/rateLimiter';
import { StopSignal } from '../../../nodes/Yuntongxun/executor/stopSignal';

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

const settle = async () => await jest.advanceTimersByTimeAsync(0);

/** A limiter, and requests that the test itself starts and ends. */
function limiterWith(rate: Partial<Rate> = {}) {
	const user = new AbortController();
	const stop = new StopSignal(user.signal);
	const limiter = new RateLimiter({ concurrency: 10, perSecond: 0, ...rate }, stop);
	const slots = new Map<string, RequestSlot>();
	const diary: string[] = [];
	return {
		limiter,
		diary,
		user,
		stop,
		slots,
		/** Asks for a slot, and starts as soon as there is one. */
		async begin(name: string, isStarted = true) {
			const slot = await limiter.acquire();
			await slot?.pause();
			if (slot === undefined || stop.isStopped) {
				diary.push(`${name} stopped`);
				slot?.release(false);
				return;
			}
			diary.push(`${name} at ${Date.now()}`);
			if (isStarted) slot.start();
			slots.set(name, slot);
		},
		async end(name: string, overloaded = false) {
			slots.get(name)?.release(overloaded);
			slots.delete(name);
			await settle();
		},
		async endAll(overloaded = false) {
			const all = [...slots.values()];
			slots.clear();
			for (const slot of all) slot.release(overloaded);
			await settle();
		},
	};
}

const names = (count: number) => Array.from({ length: count }, (_each, index) => `${index}`);

describe('slots', () => {
	it('are given in the order of asking, up to the concurrency', async () => {
		const { begin, end, diary } = limiterWith({ concurrency: 2 });
		names(4).forEach((name) => void begin(name));
		await settle();
		expect(diary).toEqual(['0 at 0', '1 at 0']);
		await end('1');
		expect(diary).toHaveLength(3);
		await end('0');
		expect(diary.slice(2)).toEqual(['2 at 0', '3 at 0']);
	});

	it('are given while others prepare if there is no rate', async () => {
		const { begin, diary } = limiterWith();
		names(2).forEach((name) => void begin(name, false));
		await settle();
		expect(diary).toEqual(['0 at 0', '1 at 0']);
	});

	it('are spread evenly over time, and not saved up for', async () => {
		const { begin, diary } = limiterWith({ perSecond: 4 });
		names(3).forEach((name) => void begin(name));
		await jest.advanceTimersByTimeAsync(10_000);
		['3', '4'].forEach((name) => void begin(name));
		await jest.advanceTimersByTimeAsync(1000);
		expect(diary.map((line) => Number(line.split(' ').pop()))).toEqual([
			0, 250, 500, 10_000, 10_250,
		]);
	});

	it('that never start do not slow down others', async () => {
		const { begin, end, diary } = limiterWith({ concurrency: 1, perSecond: 1 });
		for (const name of ['a', 'b', 'd']) void begin(name, name === 'b' || name === 'e');
		await settle();
		await end('a');
		await end('b');
		await jest.advanceTimersByTimeAsync(1000);
		await end('d');
		void begin('e');
		await settle();
		expect(diary).toEqual(['a at 0', 'b at 0', 'd at 1000', 'e at 1000']);
	});

	it('keep their distance after a slow start', async () => {
		const { limiter, begin, diary } = limiterWith({ perSecond: 1 });
		const slot = await limiter.acquire();
		void begin('b');
		void begin('c');
		await jest.advanceTimersByTimeAsync(5000);
		slot?.start();
		await jest.advanceTimersByTimeAsync(5000);
		expect(diary).toEqual(['b at 6000', 'c at 7000']);
	});

	it.each(['user', 'run'])(
		'are not given where the %s stops, and no pause is sat out',
		async (who) => {
			const { begin, diary, stop, user } = limiterWith({ perSecond: 1 });
			names(9).forEach((name) => void begin(name));
			await settle();
			if (who === 'user') user.abort();
			else stop.stop();
			await settle();
			expect(diary.slice(1)).toEqual(
				names(9)
					.slice(1)
					.map((name) => `${name} stopped`),
			);
		},
	);

	it('keep their distance, and no more, if the clock is set back', async () => {
		const { begin, diary } = limiterWith({ perSecond: 1 });
		void begin('a');
		await settle();
		jest.setSystemTime(-3_600_000);
		const started = performance.now();
		names(3).forEach((name) => void begin(name));
		await jest.advanceTimersByTimeAsync(3000);
		expect(diary).toHaveLength(4);
		expect(performance.now() - started).toBeLessThanOrEqual(3000);
	});
});

describe('the number in flight', () => {
	it('is halved once for all that were rejected at the old pace', async () => {
		const { begin, end, slots, limiter } = limiterWith({ concurrency: 8 });
		names(30).forEach((name) => void begin(name));
		await settle();
		expect(slots.size).toBe(8);
		for (const name of ['0', '1', '2', '3']) await end(name, true);
		for (const name of ['4', '5', '6', '7']) await end(name);
		expect([slots.size, limiter.overloads]).toEqual([4, 4]);
	});

	it('is halved again and again, but never below one', async () => {
		const { begin, endAll, slots } = limiterWith({ concurrency: 8 });
		names(60).forEach((name) => void begin(name));
		await settle();
		const seen: number[] = [];
		for (let each = 0; each < 5; each++) {
			await endAll(true);
			seen.push(slots.size);
		}
		expect(seen).toEqual([4, 2, 1, 1, 1]);
	});

	it('is slowly regained, up to where it was', async () => {
		const { begin, endAll, slots } = limiterWith({ concurrency: 4 });
		names(60).forEach((name) => void begin(name));
		await settle();
		await endAll(true);
		const seen: number[] = [];
		for (let each = 0; each < 5; each++) {
			seen.push(slots.size);
			await endAll();
		}
		expect(seen).toEqual([2, 3, 4, 4, 4]);
	});

	it('is not changed by what never started', async () => {
		const { limiter, begin, slots } = limiterWith({ concurrency: 4 });
		(await limiter.acquire())?.release(true);
		names(9).forEach((name) => void begin(name));
		await settle();
		expect([slots.size, limiter.overloads]).toEqual([4, 0]);
	});
});
