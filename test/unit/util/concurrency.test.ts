import { endInTime, mapYielding, withDeadline } from '../../../nodes/Yuntongxun/util/concurrency';

it('mapYielding works through a list in order, and lets timers fire after work of 20 ms', async () => {
	const clock = jest.spyOn(Date, 'now').mockReturnValue(1000);
	const done: number[] = [];
	const doneAtTimers: number[] = [];
	const look = () => {
		doneAtTimers.push(done.length);
		if (done.length < 4) setTimeout(look);
	};
	setTimeout(look);
	const results = await mapYielding([8, 12, 19, 40], (milliseconds) => {
		clock.mockReturnValue(Date.now() + milliseconds);
		return done.push(milliseconds);
	});
	clock.mockRestore();
	expect(doneAtTimers[0]).toBe(2);
	expect([done, results]).toEqual([
		[8, 12, 19, 40],
		[1, 2, 3, 4],
	]);
});

it('endInTime returns what the work returns, throws what it throws, and gives up if it takes too long', async () => {
	expect(await endInTime(60_001, Promise.resolve('done'))).toBe('done');
	await expect(endInTime(60_001, Promise.reject(new Error('boom')))).rejects.toThrow('boom');
	await expect(endInTime(20, new Promise(() => undefined))).rejects.toThrow(/^timeout$/);
});

it('withDeadline leaves nothing at a signal that outlives the work', async () => {
	const { signal } = new AbortController();
	const add = jest.spyOn(signal, 'addEventListener');
	const remove = jest.spyOn(signal, 'removeEventListener');
	await withDeadline(signal, Promise.resolve());
	expect(remove.mock.calls).toEqual([add.mock.calls[0].slice(0, 2)]);
});
