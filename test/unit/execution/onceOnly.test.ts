import type { Claims } from '../../../nodes/Yuntongxun/execution/claims';
import type { Result } from '../../../nodes/Yuntongxun/execution/items';
import { onceOnly } from '../../../nodes/Yuntongxun/execution/onceOnly';

interface Thing {
	name: string;
	key?: string;
}

const REFUSED = new Error('refused');
const UNKNOWN = new Error('unknown');
const BROKEN = new Error('no store');
const DONE: Result = { output: [{ done: true }] };

/** Does the things with keys in memory, each ending as told. */
async function doOnce(things: Thing[], endings: Record<string, Result> = {}, used: string[] = []) {
	const keys = new Set(used);
	const released: unknown[] = [];
	const worked: string[][] = [];
	const claims: Pick<Claims, 'claim' | 'release'> = {
		claim: async (key) => {
			if (key === 'broken') throw BROKEN;
			return !keys.has(key) && Boolean(keys.add(key));
		},
		release: async (key) => {
			released.push(key);
			keys.delete(key);
		},
	};
	const results = await onceOnly(
		claims as Claims,
		things,
		{
			keyOf: ({ key }: Thing) => key,
			duplicateOf: ({ key }: Thing) => ({ duplicate: true, key }),
			wasRefused: (thrown) => thrown === REFUSED,
		},
		async (fresh) => {
			worked.push(fresh.map(({ name }) => name));
			return fresh.map(({ name }) => endings[name] ?? DONE);
		},
	);
	return { results, worked, keys: [...keys], released };
}

const duplicate = (key: string): Result => ({ output: [{ duplicate: true, key }] });

it('things without a key are done whenever they come', async () => {
	const { results, worked } = await doOnce([{ name: 'a' }, { name: 'b' }]);
	expect([results, worked]).toEqual([[DONE, DONE], [['a', 'b']]]);
});

it('a key that was used is left out, and of several with one key the first is done', async () => {
	const { results, worked } = await doOnce(
		[
			{ name: 'a', key: 'old' },
			{ name: 'b', key: 'new' },
			{ name: 'c', key: 'new' },
			{ name: 'd' },
		],
		{ d: { thrown: UNKNOWN } },
		['old'],
	);
	expect(worked).toEqual([['b', 'd']]);
	expect(results).toEqual([duplicate('old'), DONE, duplicate('new'), { thrown: UNKNOWN }]);
});

it('where nothing is left nothing is done', async () => {
	expect((await doOnce([{ name: 'a', key: 'old' }], {}, ['old'])).worked).toEqual([]);
});

it.each<[string, Result, boolean]>([
	['done', DONE, true],
	['perhaps done', { thrown: UNKNOWN }, true],
	['refused', { thrown: REFUSED }, false],
	['not begun', 'notBegun', false],
	['certainly not begun', { thrown: UNKNOWN, begun: false }, false],
])('the key of what was %s stays: %j %p', async (_what, ending, stays) => {
	const { keys } = await doOnce([{ name: 'a', key: 'k' }], { a: ending });
	expect(keys).toEqual(stays ? ['k'] : []);
});

it('a key that cannot be recorded sends nothing for its thing, and the others go on', async () => {
	const { results, worked } = await doOnce([{ name: 'a', key: 'broken' }, { name: 'b' }]);
	expect(worked).toEqual([['b']]);
	expect(results).toEqual([{ thrown: BROKEN, begun: false }, DONE]);
});

it('only keys that were brought are given back', async () => {
	const { released } = await doOnce([{ name: 'a' }, { name: 'b', key: 'own' }], {
		a: { thrown: REFUSED },
		b: { thrown: REFUSED },
	});
	expect(released).toEqual(['own']);
});
