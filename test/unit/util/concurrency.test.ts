import {
	endInTime,
	mapYielding,
	workConcurrently,
} from '../../../nodes/Yuntongxun/util/concurrency';

const tick = async () => await new Promise((resolve) => setImmediate(resolve));

it('mapYielding works through a list in order, and lets timers fire after every 25th', async () => {
	const done: number[] = [];
	let doneAtTimer = -1;
	setTimeout(() => (doneAtTimer = done.length));
	const things = Array.from({ length: 60 }, (_, at) => at);
	expect(await mapYielding(things, (thing) => done.push(thing))).toEqual(
		things.map((at) => at + 1),
	);
	expect(done).toEqual(things);
	expect(doneAtTimer).toBe(25);
});

it('mapYielding lets timers fire after work of 20 ms as well', async () => {
	const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
	const done: number[] = [];
	const doneAtTimers: number[] = [];
	const look = () => {
		doneAtTimers.push(done.length);
		if (done.length < 4) setTimeout(look);
	};
	setTimeout(look);
	await mapYielding([8, 12, 19, 40], (milliseconds) => {
		clock.mockReturnValue(Date.now() + milliseconds);
		done.push(milliseconds);
	});
	clock.mockRestore();
	expect(doneAtTimers[0]).toBe(2);
	expect(done).toEqual([8, 12, 19, 40]);
});

/** Work that the test ends. */
function workshop(things: string[], concurrency: number) {
	const begun: string[] = [];
	const ends = new Map<string, (thrown?: unknown) => void>();
	const done = workConcurrently(things, concurrency, async (thing) => {
		begun.push(thing);
		await new Promise<void>((resolve, reject) =>
			ends.set(thing, (thrown) => (thrown === undefined ? resolve() : reject(thrown as Error))),
		);
	});
	return {
		begun,
		done: done.catch((thrown: unknown) => thrown),
		end: async (thing: string, thrown?: unknown) => {
			ends.get(thing)?.(thrown);
			await tick();
		},
	};
}

it('starts in order, and refills each slot as it frees up', async () => {
	const { begun, done, end } = workshop(['a', 'b', 'c', 'd'], 2);
	expect(begun).toEqual(['a', 'b']);
	await end('b');
	expect(begun).toEqual(['a', 'b', 'c']);
	await end('c');
	await end('a');
	expect(begun).toEqual(['a', 'b', 'c', 'd']);
	await end('d');
	await done;
});

it('rejects with the first rejection', async () => {
	const { done, end } = workshop(['a', 'b'], 2);
	const first = new Error('first');
	await end('b', first);
	expect(await done).toBe(first);
});

it('resolves at once for an empty list', async () => {
	expect(await workshop([], 3).done).toBeUndefined();
});

it('endInTime gives what the work gives, throws what it throws, and gives up work that takes longer', async () => {
	expect(await endInTime(60_001, Promise.resolve('done'))).toBe('done');
	await expect(endInTime(60_001, Promise.reject(new Error('boom')))).rejects.toThrow('boom');
	await expect(endInTime(20, new Promise(() => undefined))).rejects.toThrow(/^timeout$/);
});
