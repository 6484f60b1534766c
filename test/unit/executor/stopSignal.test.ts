import { StopSignal } from '../../../nodes/Yuntongxun/executor/stopSignal';

const HOUR_MS = 3_600_000;

it('a pause ends in time while the run goes on', async () => {
	expect(await new StopSignal().pause(1)).toBe(true);
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

it('a service that hangs stops the run with the tenth unclear request in a row', () => {
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
