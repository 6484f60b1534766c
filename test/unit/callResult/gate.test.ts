import { oneByOne } from '../../../nodes/Yuntongxun/callResult/gate';

const NOW = Date.UTC(2026, 0, 1);

beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
});
afterEach(() => {
	jest.useRealTimers();
});

const after = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

/** Lets time pass until all of these have come to an end. */
async function settled<T>(...works: Array<Promise<T>>): Promise<Array<PromiseSettledResult<T>>> {
	const results = Promise.allSettled(works);
	let isDone = false;
	void results.then(() => (isDone = true));
	for (let step = 0; !isDone && step < 100_000; step++) await jest.advanceTimersByTimeAsync(10);
	expect(isDone).toBe(true);
	return await results;
}

/** Lets what is left of the queue come to its end. */
const rest = async () =>
	await settled(
		oneByOne(
			async () => undefined,
			async () => true,
		),
	);

/** Calls that note down when they begin, and n8n that parks each so long after. */
function n8nThatParksAfter(ms: number) {
	const log: Array<[name: string, at: number]> = [];
	const placed = new Map<string, number>();
	const call = async (name: string) =>
		await oneByOne(
			async () => {
				log.push([name, Date.now() - NOW]);
				await after(20);
				placed.set(name, Date.now());
				return name;
			},
			async () => {
				const since = placed.get(name);
				return since !== undefined && Date.now() - since >= ms;
			},
		);
	return { call, log };
}

it('places calls in the order in which they came, each once the one before is parked', async () => {
	const { call, log } = n8nThatParksAfter(2000);
	const results = await settled(call('a'), call('b'), call('c'));
	expect(results).toEqual(['a', 'b', 'c'].map((value) => ({ status: 'fulfilled', value })));
	expect(log.map(([name]) => name)).toEqual(['a', 'b', 'c']);
	const [a, b, c] = log.map(([, at]) => at);
	expect(b - a).toBeGreaterThanOrEqual(2000);
	expect(c - b).toBeGreaterThanOrEqual(2000);
	await rest();
});

it('does not keep a call waiting for its own execution to be parked', async () => {
	const { call } = n8nThatParksAfter(60_000);
	const start = Date.now();
	await settled(call('a'));
	expect(Date.now() - start).toBeLessThan(1000);
	await rest();
});

it('does not wait for the call before once that is long parked', async () => {
	const { call, log } = n8nThatParksAfter(100);
	await settled(call('a'));
	await jest.advanceTimersByTimeAsync(10_000);
	await settled(call('b'));
	expect(log[1][1]).toBeLessThan(11_000);
	await rest();
});

it('waits no longer than half a minute for one that is never parked', async () => {
	const { call, log } = n8nThatParksAfter(Infinity);
	await settled(call('a'), call('b'));
	expect(log[1][1] - log[0][1]).toBeLessThanOrEqual(30_000);
	await rest();
});

it('places no further call while n8n takes long to answer, but places it in the end', async () => {
	let isBusy = true;
	let placedAt = 0;
	const first = oneByOne(
		async () => undefined,
		async () => true,
	);
	const placing = oneByOne(
		async () => {
			placedAt = Date.now();
		},
		async () => {
			if (isBusy) await after(500);
			return false;
		},
	);
	setTimeout(() => (isBusy = false), 5000);
	await settled(first, placing);
	expect(placedAt - NOW).toBeGreaterThanOrEqual(5000);
	expect(placedAt - NOW).toBeLessThan(10_000);
	await rest();
});

it('places a call that is alone at once, without asking', async () => {
	const asked = jest.fn(async () => false);
	await settled(oneByOne(async () => undefined, asked));
	expect(asked).not.toHaveBeenCalled();
	await rest();
});

it('goes on with the next one after one that failed, and hands the failure on', async () => {
	const reason = new Error('refused');
	const start = Date.now();
	const results = await settled<unknown>(
		oneByOne(
			async () => {
				throw reason;
			},
			async () => false,
		),
		oneByOne(
			async () => 'b',
			async () => false,
		),
	);
	expect(results).toEqual([
		{ status: 'rejected', reason },
		{ status: 'fulfilled', value: 'b' },
	]);
	// What was not placed will not be parked: nothing to wait for.
	expect(Date.now() - start).toBeLessThan(1000);
	await rest();
});
