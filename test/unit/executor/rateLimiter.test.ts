import { RateLimiter } from '../../../nodes/Yuntongxun/executor/rateLimiter';
import { StopSignal } from '../../../nodes/Yuntongxun/executor/stopSignal';

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

let nodes = 0;

/** A node, whose runs write into one diary when their requests start. */
function nodeWithDiary() {
	const name = `node ${++nodes}`;
	const diary: string[] = [];
	return {
		diary,
		times: () => diary.map((line) => Number(line.split(' ').pop())),
		run: (perSecond: number) => {
			const user = new AbortController();
			const stop = new StopSignal(user.signal);
			const limiter = new RateLimiter(name, perSecond, stop);
			return {
				user,
				stop,
				limiter,
				/** @param prepare the milliseconds that it takes, and whether there is something to send */
				async begin(id: string, { takes = 0, isReady = true } = {}) {
					const isStarted = await limiter.start(async () => {
						if (takes > 0) await new Promise((resolve) => setTimeout(resolve, takes));
						return isReady;
					});
					if (isStarted) diary.push(`${id} at ${Date.now()}`);
					return isStarted;
				},
			};
		},
	};
}

const names = (count: number) => Array.from({ length: count }, (_each, index) => `${index}`);

describe('the requests of a run', () => {
	it('start while others prepare if there is no rate', async () => {
		const { run, diary } = nodeWithDiary();
		const { begin } = run(0);
		names(2).forEach((name) => void begin(name, { takes: 100 }));
		await jest.advanceTimersByTimeAsync(100);
		expect(diary).toEqual(['0 at 100', '1 at 100']);
	});

	it('are spread evenly over time, and not saved up for', async () => {
		const { run, times } = nodeWithDiary();
		const { begin } = run(4);
		names(3).forEach((name) => void begin(name));
		await jest.advanceTimersByTimeAsync(10_000);
		['3', '4'].forEach((name) => void begin(name));
		await jest.advanceTimersByTimeAsync(1000);
		expect(times()).toEqual([0, 250, 500, 10_000, 10_250]);
	});

	it('prepare one at a time, while the pace pauses', async () => {
		const { run, times } = nodeWithDiary();
		const { begin } = run(10);
		names(4).forEach((name) => void begin(name, { takes: 60 }));
		await jest.advanceTimersByTimeAsync(1000);
		expect(times()).toEqual([60, 160, 260, 360]);
	});

	it('requests that have nothing to send leave the pace as it was', async () => {
		const { run, diary } = nodeWithDiary();
		const { begin } = run(1);
		for (const name of names(4)) void begin(name, { isReady: name === '0' || name === '3' });
		await jest.advanceTimersByTimeAsync(10_000);
		expect(diary).toEqual(['0 at 0', '3 at 1000']);
	});

	it('keep their distance after a slow start', async () => {
		const { run, diary } = nodeWithDiary();
		const { begin } = run(1);
		void begin('a', { takes: 5000 });
		void begin('b');
		void begin('c');
		await jest.advanceTimersByTimeAsync(10_000);
		expect(diary).toEqual(['a at 5000', 'b at 6000', 'c at 7000']);
	});

	it.each(['user', 'run'])('do not start where the %s stops, and sit out no pause', async (who) => {
		const { run, diary } = nodeWithDiary();
		const { begin, user, stop } = run(1);
		const started = names(9).map(async (name) => await begin(name));
		await jest.advanceTimersByTimeAsync(0);
		if (who === 'user') user.abort();
		else stop.stop();
		await jest.advanceTimersByTimeAsync(0);
		expect(await Promise.all(started)).toEqual(names(9).map((name) => name === '0'));
		expect(diary).toEqual(['0 at 0']);
	});

	it('keep their distance, and no more, if the clock is set back', async () => {
		const { run, diary } = nodeWithDiary();
		const { begin } = run(1);
		void begin('a');
		await jest.advanceTimersByTimeAsync(0);
		jest.setSystemTime(-3_600_000);
		const started = performance.now();
		names(3).forEach((name) => void begin(name));
		await jest.advanceTimersByTimeAsync(3000);
		expect(diary).toHaveLength(4);
		expect(performance.now() - started).toBeLessThanOrEqual(3000);
	});
});

describe('a request that the service refused for load', () => {
	it('lets no other start before its pause is over', async () => {
		const { run, diary } = nodeWithDiary();
		const { begin, limiter } = run(0);
		void limiter.startAgain(500).then(() => diary.push(`again at ${Date.now()}`));
		void begin('other');
		await jest.advanceTimersByTimeAsync(1000);
		expect(diary).toEqual(['again at 500', 'other at 500']);
	});

	it('lets no other start before one that was refused meanwhile has paused, too', async () => {
		const { run, diary } = nodeWithDiary();
		const { begin, limiter } = run(0);
		const startAgain = async () => {
			await limiter.startAgain(500);
			diary.push(`again at ${Date.now()}`);
		};
		void startAgain();
		void begin('other');
		await jest.advanceTimersByTimeAsync(100);
		void startAgain();
		await jest.advanceTimersByTimeAsync(1000);
		expect(diary).toEqual(['again at 500', 'again at 1000', 'other at 1000']);
	});

	it('keeps to the rate', async () => {
		const { run, times, diary } = nodeWithDiary();
		const { begin, limiter } = run(1);
		void begin('first');
		await jest.advanceTimersByTimeAsync(0);
		void limiter.startAgain(500).then(() => diary.push(`again at ${Date.now()}`));
		await jest.advanceTimersByTimeAsync(2000);
		expect(times()).toEqual([0, 1000]);
	});

	it('holds nobody back once the run stops', async () => {
		const { run } = nodeWithDiary();
		const { begin, limiter, stop } = run(0);
		const again = limiter.startAgain(500);
		const other = begin('other');
		stop.stop();
		await jest.advanceTimersByTimeAsync(0);
		expect(await Promise.all([again, other])).toEqual([false, false]);
	});
});

describe('the runs of a node', () => {
	it('keep the pace from one to the next, as the rounds of a loop are', async () => {
		const { run, times } = nodeWithDiary();
		for (const name of names(3)) {
			const { begin, limiter } = run(1);
			void begin(name);
			await jest.advanceTimersByTimeAsync(name === '0' ? 10 : 1000);
			limiter.close();
		}
		expect(times()).toEqual([0, 1000, 2000]);
	});

	it('take turns, whoever asks for more', async () => {
		const { run, diary } = nodeWithDiary();
		const [many, few] = [run(1), run(1)];
		for (const name of ['a1', 'a2', 'a3', 'a4']) void many.begin(name);
		await jest.advanceTimersByTimeAsync(0);
		for (const name of ['b1', 'b2']) void few.begin(name);
		await jest.advanceTimersByTimeAsync(10_000);
		expect(diary.map((line) => line.slice(0, 2))).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
	});

	it('keep the lowest rate that is not 0, while a run with it goes on', async () => {
		const { run, times } = nodeWithDiary();
		const [slow, fast, free] = [run(1), run(10), run(0)];
		void fast.begin('a');
		void free.begin('b');
		await jest.advanceTimersByTimeAsync(1000);
		slow.limiter.close();
		void fast.begin('c');
		await jest.advanceTimersByTimeAsync(1000);
		expect(times()).toEqual([0, 1000, 1100]);
	});

	it('runs of another node have a pace of their own', async () => {
		const [one, other] = [nodeWithDiary(), nodeWithDiary()];
		void one.run(1).begin('a');
		void other.run(1).begin('b');
		await jest.advanceTimersByTimeAsync(0);
		expect([...one.diary, ...other.diary]).toEqual(['a at 0', 'b at 0']);
	});

	it('runs that stop give their turn to the others', async () => {
		const { run, diary } = nodeWithDiary();
		const [stopped, other] = [run(1), run(1)];
		for (const name of ['a1', 'a2', 'a3']) void stopped.begin(name);
		void other.begin('b1');
		await jest.advanceTimersByTimeAsync(100);
		stopped.stop.stop();
		await jest.advanceTimersByTimeAsync(2000);
		expect(diary).toEqual(['a1 at 0', 'b1 at 1000']);
	});
});
