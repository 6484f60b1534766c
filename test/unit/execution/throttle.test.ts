import { NotBegun, RunStopped } from '../../../nodes/Yuntongxun/execution/notBegun';
import { MOST_TRIES, Throttle } from '../../../nodes/Yuntongxun/execution/throttle';
import type { Pace } from '../../../nodes/Yuntongxun/execution/throttle';

class Overload extends Error {}

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

const settle = async () => await jest.advanceTimersByTimeAsync(0);

/** A throttle, and work that the test itself ends. */
function workshop(pace: Partial<Pace> = {}) {
	const throttle = new Throttle({ concurrency: 10, perSecond: 0, ...pace });
	const started: string[] = [];
	const times: number[] = [];
	const ends = new Map<string, (thrown?: unknown) => void>();
	const failed: string[] = [];
	let mayProceed = true;
	return {
		failed,
		throttle,
		started,
		times,
		stop: () => {
			mayProceed = false;
		},
		/** How many are under way. */
		underWay: () => ends.size,
		begin: (name: string): Promise<unknown> =>
			throttle
				.run(
					async () => {
						started.push(name);
						times.push(Date.now());
						return await new Promise((resolve, reject) => {
							ends.set(name, (thrown) => {
								ends.delete(name);
								if (thrown === undefined) resolve(`${name} done`);
								else reject(thrown);
							});
						});
					},
					{
						proceed: () => mayProceed,
						isOverload: (thrown) => thrown instanceof Overload,
						failed: () => void failed.push(`${name} before ${started.length}`),
					},
				)
				.catch((thrown: unknown) => thrown),
		end: async (name: string, thrown?: unknown) => {
			ends.get(name)?.(thrown);
			await settle();
		},
		endAll: async (thrown?: unknown) => {
			for (const end of [...ends.values()]) end(thrown);
			await settle();
		},
	};
}

const names = (count: number) => Array.from({ length: count }, (_each, index) => `${index}`);

describe('work', () => {
	it('begins in the order in which it comes, with so many under way at most', async () => {
		const shop = workshop({ concurrency: 2 });
		const results = names(4).map(shop.begin);
		await settle();
		expect(shop.started).toEqual(['0', '1']);
		await shop.end('1');
		expect(shop.started).toEqual(['0', '1', '2']);
		await shop.end('2');
		await shop.endAll();
		expect(await Promise.all(results)).toEqual(names(4).map((name) => `${name} done`));
	});

	it('is begun at an even pace', async () => {
		const shop = workshop({ perSecond: 4 });
		const start = Date.now();
		names(5).map(shop.begin);
		await jest.advanceTimersByTimeAsync(2000);
		expect(shop.times.map((time) => time - start)).toEqual([0, 250, 500, 750, 1000]);
	});

	it('is not saved up for while nothing came', async () => {
		const shop = workshop({ perSecond: 1 });
		void shop.begin('0');
		await jest.advanceTimersByTimeAsync(10_000);
		names(3).map(shop.begin);
		await jest.advanceTimersByTimeAsync(500);
		expect(shop.started).toHaveLength(2);
	});

	it('that fails for another reason is not done again, and makes nothing slower', async () => {
		const shop = workshop();
		const failure = new Error('other');
		const result = shop.begin('0');
		await settle();
		await shop.end('0', failure);
		await jest.advanceTimersByTimeAsync(60_000);
		expect([await result, shop.started, shop.throttle.refusals]).toEqual([failure, ['0'], 0]);
	});

	it('that fails is told of before anything else is begun, once and for good only', async () => {
		const shop = workshop({ concurrency: 1 });
		names(3).map(shop.begin);
		await settle();
		await shop.end('0', new Error('other'));
		await shop.end('1', new Overload());
		expect(shop.failed).toEqual(['0 before 1']);
		await shop.end('2');
		for (const pause of [0, 1, 2]) {
			await jest.advanceTimersByTimeAsync(5000 * pause + 1000);
			await shop.end('1', new Overload());
		}
		expect(shop.failed).toEqual(['0 before 1', '1 before 6']);
	});

	it('is not begun where the run has stopped', async () => {
		const shop = workshop({ concurrency: 1 });
		const [first, second] = names(2).map(shop.begin);
		await settle();
		shop.stop();
		await shop.end('0');
		expect(await first).toBe('0 done');
		expect(await second).toBeInstanceOf(RunStopped);
		expect(shop.started).toEqual(['0']);
	});

	it('waits for no more than one pause where the run has stopped', async () => {
		const shop = workshop({ perSecond: 1 });
		const results = names(9).map(shop.begin);
		await settle();
		shop.stop();
		await jest.advanceTimersByTimeAsync(1000);
		expect((await Promise.all(results.slice(1))).every((each) => each instanceof RunStopped)).toBe(
			true,
		);
	});
});

describe('work that was too much', () => {
	it('is done again, after pauses that grow', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0.5);
		const shop = workshop();
		const start = Date.now();
		const result = shop.begin('0');
		for (const pause of [0, 500, 1000]) {
			await jest.advanceTimersByTimeAsync(pause);
			await shop.end('0', new Overload());
		}
		await jest.advanceTimersByTimeAsync(2000);
		await shop.end('0');
		expect(await result).toBe('0 done');
		expect(shop.times.map((time) => time - start)).toEqual([0, 500, 1500, 3500]);
		expect(shop.throttle.refusals).toBe(3);
	});

	it.each([0, 0.999])('pauses as chance has it: %d', async (chance) => {
		jest.spyOn(Math, 'random').mockReturnValue(chance);
		const shop = workshop();
		void shop.begin('0');
		await settle();
		await shop.end('0', new Overload());
		await jest.advanceTimersByTimeAsync(500 * (0.5 + chance) - 1);
		expect(shop.started).toHaveLength(1);
		await jest.advanceTimersByTimeAsync(2);
		expect(shop.started).toHaveLength(2);
	});

	it('is given up after so many tries', async () => {
		const shop = workshop();
		const result = shop.begin('0');
		const thrown = new Overload();
		for (let each = 0; each < 9; each++) {
			await jest.advanceTimersByTimeAsync(5000);
			await shop.end('0', thrown);
		}
		expect(await result).toBe(thrown);
		expect(MOST_TRIES).toBe(4);
		expect(shop.started).toHaveLength(MOST_TRIES);
	});

	it('is given up after a minute, counted from its first try', async () => {
		const shop = workshop({ concurrency: 1 });
		const [, result] = names(2).map(shop.begin);
		await jest.advanceTimersByTimeAsync(100_000);
		await shop.end('0');
		expect(shop.started).toEqual(['0', '1']);
		await shop.end('1', new Overload());
		await jest.advanceTimersByTimeAsync(2000);
		expect(shop.started).toHaveLength(3);
		await jest.advanceTimersByTimeAsync(58_000);
		const thrown = new Overload();
		await shop.end('1', thrown);
		expect(await result).toBe(thrown);
		expect(shop.started).toHaveLength(3);
	});

	it('is not begun late either, where it had to wait for its turn', async () => {
		const shop = workshop({ concurrency: 1 });
		const [result] = names(2).map(shop.begin);
		await settle();
		const thrown = new Overload();
		await shop.end('0', thrown);
		await jest.advanceTimersByTimeAsync(61_000);
		await shop.end('1');
		expect(await result).toBe(thrown);
		expect(shop.started).toEqual(['0', '1']);
	});

	it('counts as refused where the run stops during the pause', async () => {
		const shop = workshop();
		const result = shop.begin('0');
		await settle();
		const thrown = new Overload();
		await shop.end('0', thrown);
		shop.stop();
		await jest.advanceTimersByTimeAsync(1000);
		expect(await result).toBe(thrown);
	});
});

describe('the number under way at the same time', () => {
	it('is halved once for all that were refused at the old pace', async () => {
		const shop = workshop({ concurrency: 8 });
		names(30).map(shop.begin);
		await settle();
		expect(shop.underWay()).toBe(8);
		for (const name of ['0', '1', '2', '3']) await shop.end(name, new Overload());
		for (const name of ['4', '5', '6', '7']) await shop.end(name);
		expect(shop.underWay()).toBe(4);
		expect(shop.throttle.refusals).toBe(4);
	});

	it('is halved again and again, but never below one', async () => {
		const shop = workshop({ concurrency: 8 });
		names(60).map(shop.begin);
		await settle();
		const seen: number[] = [];
		for (let each = 0; each < 5; each++) {
			await shop.endAll(new Overload());
			seen.push(shop.underWay());
		}
		expect(seen).toEqual([4, 2, 1, 1, 1]);
	});

	it('is slowly regained, up to where it was', async () => {
		const shop = workshop({ concurrency: 4 });
		names(60).map(shop.begin);
		await settle();
		await shop.endAll(new Overload());
		const seen: number[] = [];
		for (let each = 0; each < 5; each++) {
			seen.push(shop.underWay());
			await shop.endAll();
		}
		expect(seen).toEqual([2, 3, 4, 4, 4]);
	});
});

it('a refusal after which the run has stopped is the end, and the run is told of it', async () => {
	const shop = workshop();
	const refused = new Overload();
	const first = shop.begin('a');
	await settle();
	await shop.end('a', refused);
	shop.stop();
	await jest.advanceTimersByTimeAsync(60_000);
	expect([await first, shop.started, shop.failed]).toEqual([refused, ['a'], ['a before 1']]);
});

it('what was never begun is no failure of the run', async () => {
	const shop = workshop();
	shop.stop();
	expect(await shop.begin('a')).toBeInstanceOf(RunStopped);
	expect([shop.started, shop.failed]).toEqual([[], []]);
});

it('nobody has to be told of failures', async () => {
	const broken = new Error('broken');
	const about = { proceed: () => true, isOverload: () => false };
	const run = new Throttle({ concurrency: 1, perSecond: 0 }).run(async () => {
		throw broken;
	}, about);
	await expect(run).rejects.toBe(broken);
});

describe('admission', () => {
	/** Work that is admitted or not, at a pace. */
	function door(pace: Pace) {
		const throttle = new Throttle(pace);
		const diary: string[] = [];
		let stopped = false;
		return {
			diary,
			stop: () => {
				stopped = true;
			},
			enter: async (name: string, admit: () => Promise<boolean>, work = async () => {}) =>
				await throttle
					.run(
						async () => {
							diary.push(`${name} at ${Date.now()}`);
							await work();
						},
						{
							proceed: () => !stopped,
							admit,
							isOverload: (thrown) => thrown instanceof Overload,
							failed: () => void diary.push(`${name} failed`),
						},
					)
					.catch((thrown: unknown) => thrown),
		};
	}
	const yes = async () => true;
	const no = async () => false;

	it('is asked for when the turn has come, once for all tries', async () => {
		jest.setSystemTime(0);
		const asked: string[] = [];
		const { enter } = door({ concurrency: 10, perSecond: 1 });
		const admit = (name: string) => async () => {
			asked.push(`${name} at ${Date.now()}`);
			return true;
		};
		let refusals = 0;
		void enter('a', admit('a'), async () => {
			if (refusals++ === 0) throw new Overload();
		});
		void enter('b', admit('b'));
		await jest.advanceTimersByTimeAsync(10_000);
		expect([asked, refusals]).toEqual([['a at 0', 'b at 1000'], 2]);
	});

	it('that is not given drops the work, without a start, a failure or a share of the pace', async () => {
		jest.setSystemTime(0);
		const { enter, diary } = door({ concurrency: 1, perSecond: 1 });
		const results = [
			enter('a', no),
			enter('b', no),
			enter('c', yes),
			enter('d', no),
			enter('e', yes),
		];
		await jest.advanceTimersByTimeAsync(1000);
		expect(diary).toEqual(['c at 0', 'e at 1000']);
		const [a, , c] = await Promise.all(results);
		expect([a instanceof NotBegun, a instanceof RunStopped, c]).toEqual([true, false, undefined]);
	});

	it('does not let work through that the run stopped meanwhile', async () => {
		const { enter, diary, stop } = door({ concurrency: 1, perSecond: 0 });
		const result = await enter('a', async () => {
			stop();
			return true;
		});
		expect([result instanceof RunStopped, diary]).toEqual([true, []]);
	});
});
