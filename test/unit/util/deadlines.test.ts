import { endInTime } from '../../../nodes/Yuntongxun/util/deadlines';

/** The timers that were started: how long they are, and what lets one pass. */
function useTimers() {
	const timers: Array<{ ms: number; pass(): void }> = [];
	let now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const controller = new AbortController();
		const end = now + ms;
		timers.push({ ms, pass: () => ((now = end), controller.abort()) });
		return controller.signal;
	});
	return { timers, passTime: (ms: number) => (now += ms) };
}

afterEach(() => jest.restoreAllMocks());

const never = async () => await new Promise<never>(() => undefined);

/** Each test has a length of its own, since deadlines of one length share a timer. */
it('gives what the work gives, and throws what it throws', async () => {
	expect(await endInTime(60_001, Promise.resolve('done'))).toBe('done');
	await expect(endInTime(60_001, Promise.reject(new Error('boom')))).rejects.toThrow('boom');
});

it('gives up work that takes longer', async () => {
	await expect(endInTime(20, never())).rejects.toThrow(/^timeout$/);
});

it('starts one timer for any number of works, however quick they are', async () => {
	const { timers } = useTimers();
	for (let count = 0; count < 2000; count++) await endInTime(60_002, Promise.resolve());
	expect(timers.map(({ ms }) => ms)).toEqual([60_002]);
	timers[0].pass();
	expect(timers).toHaveLength(1);
});

it('gives each its own time', async () => {
	const { timers, passTime } = useTimers();
	const ended: string[] = [];
	const noteEnd = (name: string) =>
		void endInTime(100, never()).catch(() => {
			ended.push(name);
		});
	noteEnd('first');
	passTime(30);
	noteEnd('second');
	noteEnd('third');
	timers[0].pass();
	await new Promise((resolve) => setImmediate(resolve));
	expect(ended).toEqual(['first']);
	expect(timers.map(({ ms }) => ms)).toEqual([100, 30]);
	timers[1].pass();
	await new Promise((resolve) => setImmediate(resolve));
	expect(ended).toEqual(['first', 'second', 'third']);
	expect(timers).toHaveLength(2);
});
