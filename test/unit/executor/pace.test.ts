import { Pace } from '../../../nodes/Yuntongxun/executor/pace';
import { StopSignal } from '../../../nodes/Yuntongxun/executor/stopSignal';

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

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

it('nodes have a pace of their own, and none without a rate', async () => {
	await listStarts(times(3, new Pace('busy', 1, new StopSignal())));
	expect(await listStarts(times(3, new Pace('free', 0, new StopSignal())))).toEqual([0, 0, 0]);
});

it('a pause for load holds up every start of the node, and adds up with none', async () => {
	const pace = new Pace('loaded', 0, new StopSignal());
	const starts = [{ pace, pauseMs: 500 }, { pace, pauseMs: 400 }, { pace }];
	expect(await listStarts(starts)).toEqual([500, 500, 500]);
});

it('a start that waits ends with its run, and does not start', async () => {
	const stop = new StopSignal();
	const pace = new Pace('stopped', 1, stop);
	await pace.start();
	const waiting = pace.start();
	stop.stop();
	expect(await waiting).toBe(false);
});
