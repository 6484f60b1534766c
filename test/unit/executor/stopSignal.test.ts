import { StopSignal } from '../../../nodes/Yuntongxun/executor/stopSignal';

const never = new Promise<string>(() => undefined);

it('a stop signal waits for work while the run goes on', async () => {
	expect(await new StopSignal().waitUnlessStopped(Promise.resolve('done'))).toBe('done');
});

it('a stop signal ends every wait when the run stops, and begins none after it', async () => {
	const signal = new StopSignal();
	const waits = [signal.waitUnlessStopped(never), signal.waitUnlessStopped(never)];
	signal.stop();
	expect(await Promise.all(waits)).toEqual([undefined, undefined]);
	expect(await signal.waitUnlessStopped(Promise.resolve('done'))).toBeUndefined();
	expect(signal.isStopped).toBe(true);
});

it('a run stops when a user stops the execution, even before it began', async () => {
	const user = new AbortController();
	const signal = new StopSignal(user.signal);
	const waiting = signal.waitUnlessStopped(never);
	expect(signal.isStopped).toBe(false);
	user.abort();
	expect(await waiting).toBeUndefined();
	expect(signal.isStopped).toBe(true);
	expect(new StopSignal(AbortSignal.abort()).isStopped).toBe(true);
});

it('a stop signal hands what comes too late to whoever undoes it', async () => {
	const signal = new StopSignal();
	const undone: string[] = [];
	let unlock: (value: string) => void = () => {};
	const lock = new Promise<string>((resolve) => {
		unlock = resolve;
	});
	const waiting = signal.waitUnlessStopped(lock, (late) => undone.push(late));
	signal.stop();
	expect(await waiting).toBeUndefined();
	unlock('late');
	await lock;
	expect(undone).toEqual(['late']);
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
