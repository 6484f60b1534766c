import { ProcessedRecords } from '../../../nodes/Yuntongxun/idempotency/processedRecords';
import { getCurrentPeriod, getStoredCounter } from '../../../nodes/Yuntongxun/idempotency/quotas';
import type { Slot } from '../../../nodes/Yuntongxun/idempotency/quotas';
import { takeSlots } from '../../../nodes/Yuntongxun/idempotency/takeSlots';
import { keyStore } from '../../support/keyStore';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../../support/withoutPauses'));

const slots = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_each, index) => `n#${from + index}`);

/** A quota in a process that remembers nothing, with slots that are taken. */
async function fresh(taken: string[] = []) {
	const n8n = keyStore();
	const store = new ProcessedRecords(n8n.createContext());
	if (taken.length > 0) {
		const before = new ProcessedRecords(n8n.createContext());
		await before.record(taken);
		await before.close();
		n8n.calls.length = 0;
	}
	const quota = getStoredCounter(store.node, 'n');
	const takeSlot = async (max: number) => {
		const [outcome] = await takeSlots(store, [{ wants: [{ counter: quota, max }] }]);
		if (outcome.kind === 'failed') throw outcome.error;
		return outcome.kind === 'taken' ? outcome.slots[0] : undefined;
	};
	const take = async (max: number) => (await takeSlot(max))?.position;
	return { ...n8n, store, take, takeSlot };
}

it('a quota takes the slots one by one, one call each, until all are taken', async () => {
	const { take, calls } = await fresh();
	const positions = [await take(2), await take(2), await take(2), await take(2)];
	expect(positions).toEqual([1, 2, undefined, undefined]);
	expect(calls).toEqual([['n#1'], ['n#2']]);
});

it.each([1, 20, 100, 999])(
	'a quota counts exactly in a fresh process with %i of 1,000 taken, in few round trips',
	async (count) => {
		const { take, calls, stored } = await fresh(slots(1, count));
		const first = await take(1000);
		expect(calls.length).toBeLessThan(70);
		// What the search has recorded on its way is removed before anybody else has a turn.
		expect(await take(count)).toBeUndefined();
		expect(stored()).toHaveLength(count + 1);
		const others = await Promise.all(Array.from({ length: 1000 }, async () => await take(1000)));
		const taken = [first, ...others.filter((slot) => slot !== undefined)];
		expect(taken.sort((a, b) => Number(a) - Number(b))).toEqual(
			Array.from({ length: 1000 - count }, (_each, index) => count + 1 + index),
		);
		expect(stored()).toHaveLength(1000);
	},
);

it('a quota finds a free slot between taken ones in a fresh process', async () => {
	const { take } = await fresh([...slots(1, 40), ...slots(42, 60)]);
	expect([await take(60), await take(60)]).toEqual([41, undefined]);
});

it('a quota finds out in a fresh process that all are taken, and records nothing', async () => {
	const { take, stored, calls } = await fresh(slots(1, 1000));
	expect(await take(1000)).toBeUndefined();
	expect(stored()).toHaveLength(1000);
	expect(calls.length).toBeLessThan(70);
	const before = calls.length;
	expect(await take(1000)).toBeUndefined();
	expect(calls).toHaveLength(before);
});

it('a quota gives concurrent callers different slots, in one call', async () => {
	const { take, calls } = await fresh();
	const taken = await Promise.all(Array.from({ length: 7 }, async () => await take(5)));
	expect(taken).toEqual([1, 2, 3, 4, 5, undefined, undefined]);
	expect(calls).toHaveLength(1);
});

it('a quota permits the strictest of several limits on one name', async () => {
	const { take } = await fresh();
	const positions = [await take(3), await take(1), await take(3), await take(2), await take(3)];
	expect(positions).toEqual([1, undefined, 2, undefined, 3]);
});

/** Gives a slot back, as a request does that certainly reached nobody. */
async function freed(store: ProcessedRecords, slot?: Slot): Promise<void> {
	if (!slot) return;
	const removing = store.remove([slot.record ?? '']);
	slot.isHeld = false;
	slot.counter.putBack(slot);
	await removing;
}

it('a quota takes a slot again that was freed', async () => {
	const { take, takeSlot, store } = await fresh();
	const taken = await takeSlot(1);
	expect(await take(1)).toBeUndefined();
	await freed(store, taken);
	expect(await take(1)).toBe(1);
	expect(await take(1)).toBeUndefined();
	const second = await takeSlot(2);
	await freed(store, second);
	expect(await take(1)).toBeUndefined();
});

it('a quota goes on after slots that another process has taken meanwhile', async () => {
	const { take, store } = await fresh();
	expect(await take(10)).toBe(1);
	await store.record(slots(2, 4));
	expect(await take(10)).toBe(5);
});

it('a quota tells nobody that all are taken while one may still be given back', async () => {
	const { take, takeSlot, store } = await fresh();
	const taken = await takeSlot(1);
	expect(await take(1)).toBeUndefined();
	const freeing = freed(store, taken);
	expect(await take(1)).toBe(1);
	await freeing;
});

it('a quota loses no slot if n8n could not record it', async () => {
	const { take, breakIt, mendIt } = await fresh();
	breakIt();
	await expect(take(1)).rejects.toThrow('database is locked');
	mendIt();
	expect(await take(1)).toBe(1);
});

it.each([
	['2026-03-01T15:59:59Z', '2026-03-01 00:00', '2026-03-02 00:00', '2026-03-02 00:00'],
	['2026-03-01T16:00:00Z', '2026-03-02 00:00', '2026-03-03 00:00', '2026-03-02 01:00'],
])(
	'getCurrentPeriod knows the day and the hour of the service at %s',
	(now, start, endOfDay, endOfHour) => {
		jest.useFakeTimers({ now: new Date(now) });
		expect(getCurrentPeriod('day')).toEqual({ start, end: endOfDay });
		expect(getCurrentPeriod('hour').end).toBe(endOfHour);
		jest.useRealTimers();
	},
);
