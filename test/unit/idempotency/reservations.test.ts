import { Reservations } from '../../../nodes/Yuntongxun/idempotency/reservations';
import type { Guards, ReserveOutcome } from '../../../nodes/Yuntongxun/idempotency/reservations';
import { keyStore } from '../../support/keyStore';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../../support/withoutPauses'));

const day = (max: number) => ({ max, period: 'day' as const });
const ONCE = { perRecipient: day(1) };

/** Runs of one node. */
function nodeWith(store = keyStore()) {
	const run = new Reservations(store.contextOf());
	const lock = async (numbers: string[], guards: Guards) =>
		await run.lock(
			numbers.map((key) => ({ key, line: key })),
			guards,
		);
	return { store, lock };
}

const reasonOf = (outcome: ReserveOutcome) => (outcome.ok ? outcome.skip?.reason : 'failed');

it('frees at once what a number over its limit holds, beside numbers that are reached', async () => {
	const { store, lock } = nodeWith();
	const first = await lock(['1'], ONCE);
	await first.reserve();
	first.unlock();
	const second = await lock(['1', '2'], { key: 'a', ...ONCE });
	expect((await second.reserve()).map(reasonOf)).toEqual(['limit', undefined]);
	expect(second.mayLeaveRecords).toBe(false);
	expect(store.stored().filter((record) => record.startsWith('key'))).toHaveLength(1);
});

it('does not count a number that its key has reached', async () => {
	const { store, lock } = nodeWith();
	for (const reason of [undefined, 'duplicate']) {
		const reservation = await lock(['1'], { key: 'a', perRecipient: day(5) });
		expect(reasonOf((await reservation.reserve())[0])).toBe(reason);
		reservation.unlock();
	}
	expect(store.stored().filter((record) => record.startsWith('count'))).toHaveLength(1);
});

it('locks a line for one request at a time, and gives what one released to the next', async () => {
	const { lock } = nodeWith();
	const first = await lock(['1'], ONCE);
	await first.reserve();
	const next = lock(['1'], ONCE);
	const early = await Promise.race([next, new Promise((done) => setTimeout(done, 5, 'waits'))]);
	expect(early).toBe('waits');
	await first.release();
	first.unlock();
	expect(await (await next).reserve()).toEqual([{ ok: true }]);
});

it('asks n8n for nothing without keys and limits', async () => {
	const { store, lock } = nodeWith();
	const reservation = await lock(['1'], {});
	expect(await reservation.reserve()).toEqual([{ ok: true }]);
	await reservation.release();
	expect(store.calls).toEqual([]);
});

describe('a reservation is uncertain', () => {
	it('if the database may have recorded the key and its answer was lost', async () => {
		const { store, lock } = nodeWith();
		const reservation = await lock(['1'], { key: 'a' });
		store.breakAt(1);
		expect(await reservation.reserve()).toEqual([
			{
				ok: false,
				error: expect.objectContaining({ message: expect.stringMatching('connection lost') }),
			},
		]);
		await reservation.release();
		expect(reservation.mayLeaveRecords).toBe(true);
	});

	it('if the database lost the count of one number beside one that is skipped', async () => {
		const { store, lock } = nodeWith();
		const first = await lock(['1'], { key: 'a' });
		await first.reserve();
		first.unlock();
		const reservation = await lock(['1', '2'], { key: 'a', ...ONCE });
		store.breakAt(3);
		expect((await reservation.reserve()).map(reasonOf)).toEqual(['duplicate', 'failed']);
		expect(reservation.mayLeaveRecords).toBe(true);
	});

	it('if the database did not confirm that it removed the key', async () => {
		const { store, lock } = nodeWith();
		const reservation = await lock(['1'], { key: 'a' });
		await reservation.reserve();
		store.breakIt();
		await reservation.release();
		expect(reservation.mayLeaveRecords).toBe(true);
	});

	it('if it did not confirm that it removed the key of a number over its limit', async () => {
		const { store, lock } = nodeWith();
		const first = await lock(['1'], ONCE);
		await first.reserve();
		first.unlock();
		const reservation = await lock(['1'], { key: 'a', ...ONCE });
		store.breakAt(3);
		expect(reasonOf((await reservation.reserve())[0])).toBe('limit');
		expect(reservation.mayLeaveRecords).toBe(true);
	});
});
