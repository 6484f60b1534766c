import { Reservations } from '../../../nodes/Yuntongxun/idempotency/reservations';
import type { Guards, ReserveOutcome } from '../../../nodes/Yuntongxun/idempotency/reservations';
import { keyStore } from '../../support/keyStore';
import { inTotal, perNumber } from '../../support/messages';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../../support/withoutPauses'));

const ONCE = { limits: [perNumber(1)] };

/** Runs of one node. */
function nodeWith(store = keyStore()) {
	const run = new Reservations(store.createContext());
	const lock = async (numbers: string[], guards: Guards) =>
		await run.lock(
			numbers.map((key) => ({ key, line: key })),
			guards,
		);
	/** Reserves, reaches the numbers and unlocks. @returns why they were left out, if they were */
	const reach = async (numbers: string[], guards: Guards) => {
		const reservation = await lock(numbers, guards);
		const outcomes = await reservation.reserve();
		reservation.unlock();
		return outcomes.map(skipReason);
	};
	return { store, lock, reach };
}

const skipReason = (outcome: ReserveOutcome) => (outcome.ok ? outcome.skip?.reason : 'failed');

it('a reservation frees at once what a number over its limit holds, beside numbers that are reached', async () => {
	const { store, lock, reach } = nodeWith();
	await reach(['1'], ONCE);
	const second = await lock(['1', '2'], { key: 'a', ...ONCE });
	expect((await second.reserve()).map(skipReason)).toEqual(['limit', undefined]);
	expect(second.mayLeaveRecords).toBe(false);
	expect(store.stored().filter((record) => record.startsWith('key'))).toHaveLength(1);
	// Once each: another process may have taken what was freed.
	await second.release();
	const freed = store.calls.flat().filter((record) => record.startsWith('-key'));
	expect([freed.length, new Set(freed).size]).toEqual([2, 2]);
});

it('a reservation locks a line for one request at a time, and gives what one released to the next', async () => {
	const { store, lock } = nodeWith();
	const first = await lock(['1'], ONCE);
	await first.reserve();
	const next = lock(['1'], ONCE);
	const early = await Promise.race([next, new Promise((done) => setTimeout(done, 5, 'waits'))]);
	expect(early).toBe('waits');
	await first.release();
	first.unlock();
	expect(await (await next).reserve()).toEqual([{ ok: true }]);
	expect(store.stored()).toHaveLength(1);
});

it('a reservation records the key and all counts of all numbers in one round trip', async () => {
	const { store, lock } = nodeWith();
	const limits = [
		perNumber(1),
		perNumber(1, 'hour'),
		inTotal(50),
		{ by: 'value' as const, value: '203.0.113.7', max: 50, period: 'day' as const },
	];
	const reservation = await lock(['1', '2', '3'], { key: 'a', limits });
	await reservation.reserve();
	expect(store.calls.map(({ length }) => length)).toEqual([15]);
	expect(JSON.stringify(store.stored())).not.toContain('203.0.113.7');
});

it('a reservation takes no slot for a number that a limit has used up for certain', async () => {
	const { store, reach } = nodeWith();
	const guards = { limits: [perNumber(1), inTotal(50)] };
	await reach(['1'], guards);
	expect(await reach(['1'], guards)).toEqual(['limit']);
	expect(store.calls).toHaveLength(1);
});

it('a limit counts by value, whatever the number is, and each value by itself', async () => {
	const { reach } = nodeWith();
	const twice = (value: string): Guards => ({
		limits: [{ by: 'value', value, max: 2, period: 'day' }],
	});
	expect(await reach(['1'], twice('a'))).toEqual([undefined]);
	expect(await reach(['2'], twice('a'))).toEqual([undefined]);
	expect(await reach(['3'], twice('a'))).toEqual(['limit']);
	expect(await reach(['3'], twice('b'))).toEqual([undefined]);
});

it('a reservation names of several used-up limits the one that ends last', async () => {
	jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-03-01T04:30:30.500Z'));
	const { lock, reach } = nodeWith();
	const limits = [perNumber(1, 'minute'), perNumber(1), perNumber(1, 'hour')];
	for (const own of limits) await reach([own.period], { limits: [own] });
	await reach(['all'], { limits });
	const over = await lock(['all'], { limits });
	expect(await over.reserve()).toEqual([
		{ ok: true, skip: { reason: 'limit', limit: limits[1], end: '2026-03-02 00:00' } },
	]);
	jest.restoreAllMocks();
});

describe('a limit of a minute', () => {
	const limits = [perNumber(1, 'minute')];
	const wallClock = Date.parse('2026-03-01T04:30:30.500Z');
	let setBack = 0;
	let now = 0;
	beforeEach(() => {
		now = 0;
		setBack = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => now);
		jest.spyOn(Date, 'now').mockImplementation(() => wallClock + now - setBack);
	});
	afterEach(() => jest.restoreAllMocks());

	/** Reaches a number, which takes some seconds. @returns until when a limit leaves it out */
	async function reach({ lock }: ReturnType<typeof nodeWith>, seconds = 0, isRefused = false) {
		const reservation = await lock(['1'], { limits });
		const [outcome] = await reservation.reserve();
		now += seconds * 1000;
		if (isRefused) await reservation.release();
		reservation.unlock();
		return outcome.ok && outcome.skip?.reason === 'limit' ? outcome.skip.end : undefined;
	}

	it('counts any 60 seconds, from when a request was over, and asks n8n for nothing', async () => {
		const node = nodeWith();
		expect(await reach(node, 5)).toBeUndefined();
		now += 59_999;
		expect(await reach(node)).toBe('2026-03-01 12:31:36');
		now += 1;
		expect(await reach(node)).toBeUndefined();
		expect(node.store.calls).toEqual([]);
	});

	it('ends after 60 seconds though the clock was set back by an hour', async () => {
		const node = nodeWith();
		await reach(node);
		setBack = 3_600_000;
		now += 59_999;
		expect(await reach(node)).toBe('2026-03-01 11:31:31');
		now += 1;
		expect(await reach(node)).toBeUndefined();
	});

	it('leaves out who was found beyond it, though it ends a moment later', async () => {
		const node = nodeWith();
		await reach(node);
		now += 59_999;
		jest.spyOn(performance, 'now').mockImplementation(() => now++);
		expect(await reach(node)).toBe('2026-03-01 12:31:31');
	});

	it('does not count what was certainly refused', async () => {
		const node = nodeWith();
		expect(await reach(node, 0, true)).toBeUndefined();
		expect(await reach(node)).toBeUndefined();
	});
});

it('a reservation is uncertain if the database lost the count of one number beside one that is skipped', async () => {
	const { store, lock, reach } = nodeWith();
	await reach(['1'], { key: 'a' });
	const reservation = await lock(['1', '2'], { key: 'a', ...ONCE });
	store.breakAt(2);
	expect((await reservation.reserve()).map(skipReason)).toEqual(['duplicate', 'failed']);
	expect(reservation.mayLeaveRecords).toBe(true);
});
