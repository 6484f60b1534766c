import { StopSignal } from '../../../nodes/Yuntongxun/executor/stopSignal';

const never = new Promise<string>(() => undefined);

it('waits for work while the run goes on', async () => {
	expect(await new StopSignal().waitUnlessStopped(Promise.resolve('done'))).toBe('done');
});

it('ends every wait when the run stops, and begins none after it', async () => {
	const signal = new StopSignal();
	const waits = [signal.waitUnlessStopped(never), signal.waitUnlessStopped(never)];
	signal.stop();
	expect(await Promise.all(waits)).toEqual([undefined, undefined]);
	expect(await signal.waitUnlessStopped(Promise.resolve('done'))).toBeUndefined();
	expect(signal.isStopped).toBe(true);
});

it('stops when a user stops the execution, even before it began', async () => {
	const user = new AbortController();
	const signal = new StopSignal(user.signal);
	const waiting = signal.waitUnlessStopped(never);
	expect(signal.isStopped).toBe(false);
	user.abort();
	expect(await waiting).toBeUndefined();
	expect(signal.isStopped).toBe(true);
	expect(new StopSignal(AbortSignal.abort()).isStopped).toBe(true);
});
