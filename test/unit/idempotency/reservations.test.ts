import type { Limit } from '../../../nodes/Yuntongxun/idempotency/limits';
import { countKeys, Reservations } from '../../../nodes/Yuntongxun/idempotency/reservations';
import type { Guards } from '../../../nodes/Yuntongxun/idempotency/reservations';
import { keyStore } from '../../support/keyStore';
import { inTotal, perNumber } from '../../support/messages';

const toNumbers = (lines: string[]) => lines.map((line) => ({ key: line, line }));

/** A run of a node of its own. */
function nodeWith(store = keyStore()) {
	const run = new Reservations(store.createContext());
	const reserve = async (lines: string[], guards: Guards) =>
		await run.reserve(toNumbers(lines), guards);
	const skips = async (lines: string[], guards: Guards) =>
		(await reserve(lines, guards)).skips.map((skip) => skip?.reason);
	return { store, reserve, skips };
}

const once: Limit[] = [perNumber(1)];

it('without an ID or a limit, n8n is not asked and nobody is left out', async () => {
	const { store, reserve, skips } = nodeWith();
	expect(await skips(['1', '2'], {})).toEqual([undefined, undefined]);
	expect(await (await reserve(['1'], {})).release()).toBe(true);
	expect(store.calls).toEqual([]);
});

it('a number that an ID leaves out takes nothing from a limit', async () => {
	const { skips } = nodeWith();
	await skips(['1'], { key: 'a' });
	expect(await skips(['1', '2'], { key: 'a', limits: [inTotal(1)] })).toEqual([
		'duplicate',
		undefined,
	]);
});

it('a number that a limit leaves out uses up no ID, and n8n is not asked if the limit is full', async () => {
	const { store, skips } = nodeWith();
	await skips(['1'], { limits: once });
	expect(await skips(['1'], { key: 'a', limits: once })).toEqual(['limit']);
	expect(store.calls).toEqual([]);
	expect(await skips(['1'], { key: 'a' })).toEqual([undefined]);
});

it('an ID whose number a limit leaves out is freed, or reported if n8n does not confirm that', async () => {
	const { store, reserve, skips } = nodeWith();
	const limits = [inTotal(1), ...once];
	const first = await reserve(['1', '2'], { key: 'a', limits });
	expect(first.skips.map((skip) => skip?.reason)).toEqual([undefined, 'limit']);
	expect(store.stored()).toEqual([expect.stringMatching(/^key [\w-]{43}$/)]);
	expect(await skips(['2'], { limits: once })).toEqual([undefined]);
	expect(await first.release()).toBe(true);

	const other = nodeWith();
	other.store.breakAt(2);
	const unsure = await other.reserve(['1', '2'], { key: 'a', limits });
	expect(await unsure.release()).toBe(false);
});

it('after a limit frees an ID, nobody is called a duplicate of it', async () => {
	const { skips } = nodeWith();
	const all = ['b', 'a', 'a'].map(async (key) => await skips(['1'], { key, limits: once }));
	expect(await Promise.all(all)).toEqual([[undefined], ['limit'], ['limit']]);
});

describe('an ID that the limit of one value freed', () => {
	const by = (value: string, max: number): Limit[] => [{ by: 'value', value, max, period: 'day' }];

	it('is sent for another value', async () => {
		const { skips } = nodeWith();
		const asked = ['b x', 'a x', 'a y', 'a y'].map((each) => each.split(' '));
		const all = asked.map(
			async ([key, value]) => await skips(['1'], { key, limits: by(value, 1) }),
		);
		expect(await Promise.all(all)).toEqual([[undefined], ['limit'], [undefined], ['duplicate']]);
	});

	it('leaves nothing held if n8n then does not record it', async () => {
		const { store, skips } = nodeWith();
		store.breakAt(3);
		const all = [
			skips(['9'], { key: 'b', limits: by('x', 1) }),
			skips(['2'], { key: 'a', limits: by('x', 1) }),
			skips(['1', '2'], { key: 'a', limits: by('y', 2) }),
		].map(async (each) => await each.catch(() => 'not recorded'));
		expect(await Promise.all(all)).toEqual([[undefined], ['limit'], 'not recorded']);
		expect(store.stored()).toHaveLength(1);
		expect(await skips(['3', '4'], { limits: by('y', 2) })).toEqual([undefined, undefined]);
	});
});

it('an ID known as used is a duplicate, even if its limit is full and the database broken', async () => {
	const { store, skips } = nodeWith();
	const guards = { key: 'a', limits: once };
	await skips(['1'], guards);
	store.breakIt();
	expect(await skips(['1'], guards)).toEqual(['duplicate']);
});

it('a release frees the ID and the counts, and says whether n8n confirmed it', async () => {
	const { store, reserve, skips } = nodeWith();
	const guards = { key: 'a', limits: once };
	const first = await reserve(['1'], guards);
	expect([await first.release(), store.stored()]).toEqual([true, []]);
	expect(await skips(['1'], guards)).toEqual([undefined]);

	const second = await reserve(['2'], guards);
	store.breakIt();
	expect(await second.release()).toBe(false);
});

it('a release frees nothing that another request holds', async () => {
	const { store, reserve, skips } = nodeWith();
	await reserve(['1'], { key: 'a' });
	const second = await reserve(['1', '2'], { key: 'a' });
	expect([await second.release(), store.stored().length]).toEqual([true, 1]);
	expect(await skips(['1', '2'], { key: 'a' })).toEqual(['duplicate', undefined]);
});

it('an ID that another process has recorded is a duplicate', async () => {
	const { store, reserve } = nodeWith();
	await reserve(['1'], { key: 'a' });
	const other = new Reservations(store.createContext('of another process'));
	const { skips } = await other.reserve(toNumbers(['1', '2']), { key: 'a' });
	expect(skips).toEqual([{ reason: 'duplicate' }, undefined]);
});

it('neither ID nor count is held if n8n does not confirm an ID', async () => {
	const { store, reserve, skips } = nodeWith();
	store.breakAt(1);
	const guards = { key: 'a', limits: once };
	await expect(reserve(['1'], guards)).rejects.toThrow('connection lost');
	expect(await skips(['1'], { limits: once })).toEqual([undefined]);
});

it('a run needs a record for each ID and number', () => {
	const message = (lines: string[], key?: string) => ({
		recipients: toNumbers(lines),
		guards: { key, limits: once },
	});
	const all = [message(['1', '2'], 'a'), message(['2'], 'a'), message(['2'], 'b'), message(['3'])];
	expect(countKeys(all)).toBe(3);
});
