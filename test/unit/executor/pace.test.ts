import { Pace, StopSignal } from '../../../nodes/Yuntongxun/executor/pace';

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

const HOUR_MS = 3_600_000;

/** When starts happen, in milliseconds from now. @param starts each with the pause it asks for */
async function listStarts(starts: Array<{ pace: Pace; pauseMs?: number }>) {
	const begin = performance.now();
	const times: number[] = [];
	for (const [at, { pace, pauseMs }] of starts.entries()) {
		void pace.start(pauseMs).then((isStarted) => {
			if (isStarted) times[at] = Math.round(performance.now() - begin);
		});
	}
	await jest.advanceTimersByTimeAsync(60_000);
	return times;
}

const times = (count: number, pace: Pace) => Array.from({ length: count }, () => ({ pace }));

it('requests start as far apart as the rate says, over all runs of a node', async () => {
	const [one, other] = [1, 2].map(() => new Pace('spaced', 4, new StopSignal()));
	const all = [...times(2, one), ...times(2, other)];
	expect(await listStarts(all)).toEqual([0, 250, 500, 750]);
});

it('each node has its own pace, and none without a rate', async () => {
	await listStarts(times(3, new Pace('busy', 1, new StopSignal())));
	expect(await listStarts(times(3, new Pace('free', 0, new StopSignal())))).toEqual([0, 0, 0]);
});

it('a pause for load delays every start of the node, and pauses do not add up', async () => {
	const pace = new Pace('loaded', 0, new StopSignal());
	const starts = [{ pace, pauseMs: 500 }, { pace, pauseMs: 400 }, { pace }];
	expect(await listStarts(starts)).toEqual([500, 500, 500]);
});

it('a start that still waits when its run stops never starts', async () => {
	const stop = new StopSignal();
	const pace = new Pace('stopped', 1, stop);
	await pace.start();
	const waiting = pace.start();
	stop.stop();
	expect(await waiting).toBe(false);
});

it('a pause ends in time while the run goes on', async () => {
	const pause = new StopSignal().pause(1);
	await jest.advanceTimersByTimeAsync(1);
	expect(await pause).toBe(true);
	expect(await new StopSignal().pause(-5)).toBe(true);
});

it('every pause ends when the run stops, and none begins after it', async () => {
	const signal = new StopSignal();
	const pauses = [signal.pause(HOUR_MS), signal.pause(HOUR_MS)];
	signal.stop();
	expect(await Promise.all(pauses)).toEqual([false, false]);
	expect(await signal.pause(HOUR_MS)).toBe(false);
	expect(signal.isStopped).toBe(true);
});

it('a run stops when a user stops the execution, even before it began', async () => {
	const user = new AbortController();
	const signal = new StopSignal(user.signal);
	const pause = signal.pause(HOUR_MS);
	expect(signal.isStopped).toBe(false);
	user.abort();
	expect(await pause).toBe(false);
	expect(signal.isStopped).toBe(true);
	expect(new StopSignal(AbortSignal.abort()).isStopped).toBe(true);
});

it('the tenth unclear request in a row stops the run', () => {
	const signal = new StopSignal();
	const noteUnclear = (count: number) => {
		for (let each = 0; each < count; each++) signal.noteEnd(true);
	};
	noteUnclear(9);
	signal.noteEnd(false);
	noteUnclear(9);
	expect([signal.isStopped, signal.isServiceHanging]).toEqual([false, false]);
	noteUnclear(1);
	signal.noteEnd(false);
	expect([signal.isStopped, signal.isServiceHanging]).toEqual([true, true]);
});
