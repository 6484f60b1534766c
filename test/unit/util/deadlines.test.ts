import type * as deadlines from '../../../nodes/Yuntongxun/util/deadlines';

/** In a process that waits for nothing yet. */
function loadEndInTime(): typeof deadlines.endInTime {
	const loaded: Array<typeof deadlines> = [];
	jest.isolateModules(() => {
		loaded.push(jest.requireActual('../../../nodes/Yuntongxun/util/deadlines'));
	});
	return loaded[0].endInTime;
}

/** The timers that were started: how long they are, and what lets one pass. */
function useTimers() {
	const timers: Array<{ ms: number; pass(): void }> = [];
	let now = 500;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const controller = new AbortController();
		const end = now + ms;
		timers.push({ ms, pass: () => ((now = end), controller.abort()) });
		return controller.signal;
	});
	return timers;
}

afterEach(() => jest.restoreAllMocks());

const never = async () => await new Promise<never>(() => undefined);

it('gives what the work gives, and throws what it throws', async () => {
	const endInTime = loadEndInTime();
	expect(await endInTime(60_001, Promise.resolve('done'))).toBe('done');
	await expect(endInTime(60_001, Promise.reject(new Error('boom')))).rejects.toThrow('boom');
});

it('gives up work that takes longer', async () => {
	await expect(loadEndInTime()(20, never())).rejects.toThrow(/^timeout$/);
});

it('starts one timer for any number of works, however quick they are', async () => {
	const endInTime = loadEndInTime();
	const timers = useTimers();
	for (let count = 0; count < 2000; count++) await endInTime(60_002, Promise.resolve());
	expect(timers.map(({ ms }) => ms)).toEqual([60_002]);
	timers[0].pass();
	expect(timers).toHaveLength(1);
});

it('gives up what has less time first, and what has more no sooner', async () => {
	const timers = useTimers();
	const endInTime = loadEndInTime();
	const ended: number[] = [];
	for (const ms of [300, 100, 200]) void endInTime(ms, never()).catch(() => ended.push(ms));
	const endedAfter = async (timer: number) => {
		timers[timer].pass();
		await new Promise((resolve) => setImmediate(resolve));
		return [...ended];
	};
	expect(timers.map(({ ms }) => ms)).toEqual([300, 100]);
	expect(await endedAfter(1)).toEqual([100]);
	expect(timers.map(({ ms }) => ms)).toEqual([300, 100, 200, 100]);
	expect(await endedAfter(3)).toEqual([100, 200]);
	expect(await endedAfter(0)).toEqual([100, 200, 300]);
});
