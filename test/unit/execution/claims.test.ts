import { setTimeout as sleep } from 'node:timers/promises';

import * as n8nWorkflow from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { Claims, MAX_ENTRIES, MOST_CHECKS } from '../../../nodes/Yuntongxun/execution/claims';
import { placeName } from '../../../nodes/Yuntongxun/execution/desk';
import { nodeOf } from '../support/execution';
import { keyStore } from '../support/keyStore';

const times = (count: number) => [...Array(count).keys()];
const slowly = () => keyStore(async () => await sleep(1));
const claimAll = async (context: () => IExecuteFunctions, names: string[]) =>
	await Promise.all(names.map(async (name) => await new Claims(context()).claim(name)));

describe('a key', () => {
	it('that fifty runs claim at the same moment is given to the first', async () => {
		const won = await claimAll(slowly().contextOf, Array<string>(50).fill('order-42'));
		expect(won).toEqual([true, ...Array<boolean>(49).fill(false)]);
	});

	it('is recorded as it is, so that keys of earlier versions still count', async () => {
		const store = keyStore();
		await new Claims(store.contextOf()).claim('order-42');
		expect(store.stored()).toEqual(['order-42']);
	});

	it('is not lost where fifty different ones are claimed at the same moment', async () => {
		const { contextOf, stored } = slowly();
		const names = times(50).map((each) => `order-${each}`);
		expect(await claimAll(contextOf, names)).toEqual(Array(50).fill(true));
		expect(await claimAll(contextOf, names)).toEqual(Array(50).fill(false));
		expect(stored()).toEqual(names);
	});

	it('of one node means nothing to another', async () => {
		const store = keyStore();
		const other = keyStore();
		expect(await claimAll(() => store.contextOf('1'), ['a'])).toEqual([true]);
		expect(await claimAll(() => other.contextOf('1'), ['a'])).toEqual([true]);
	});

	it('that was released can be claimed again, by one', async () => {
		const claims = new Claims(slowly().contextOf());
		await claims.claim('a');
		const [, ...won] = await Promise.all([
			claims.release('a'),
			...times(3).map(async () => await claims.claim('a')),
		]);
		expect(won).toEqual([true, false, false]);
	});

	it('released and claimed at the same moment as others undoes none of theirs', async () => {
		const store = slowly();
		const claims = new Claims(store.contextOf());
		await Promise.all(times(20).map(async (each) => await claims.claim(`old-${each}`)));
		await Promise.all(
			times(20).flatMap((each) => [claims.release(`old-${each}`), claims.claim(`new-${each}`)]),
		);
		expect([...store.stored()].sort()).toEqual(
			times(20)
				.map((each) => `new-${each}`)
				.sort(),
		);
	});

	it('claimed together with others takes one write', async () => {
		const store = keyStore();
		const claims = new Claims(store.contextOf());
		await Promise.all(['a', 'b', 'b', 'c'].map(async (name) => await claims.claim(name)));
		expect(store.calls).toEqual([['a', 'b', 'c']]);
	});
});

describe('the room of a node', () => {
	it('is 10,000 entries, of which the oldest make way', async () => {
		expect(MAX_ENTRIES).toBe(10_000);
		const store = keyStore();
		store.fill(MAX_ENTRIES);
		await claimAll(store.contextOf, ['a', 'b']);
		expect([store.stored().length, store.stored()[0]]).toEqual([MAX_ENTRIES, 'old 2']);
	});

	it('may be larger', async () => {
		const store = keyStore();
		store.fill(MAX_ENTRIES);
		await new Claims(store.contextOf(), MAX_ENTRIES + 1).claim('a');
		expect(store.stored()).toHaveLength(MAX_ENTRIES + 1);
	});

	it('loses nothing to a look', async () => {
		const store = keyStore();
		store.fill(MAX_ENTRIES);
		const claims = new Claims(store.contextOf());
		expect(await Promise.all([claims.has('a'), claims.has('old 0')])).toEqual([false, true]);
		expect([store.stored().length, store.stored()[0]]).toEqual([MAX_ENTRIES, 'old 0']);
	});
});

describe('places of a name', () => {
	it('are given in order, as many as there are', async () => {
		const store = slowly();
		const places = async (count: number) =>
			await Promise.all(
				times(count).map(async () => await new Claims(store.contextOf()).claimPlace('n', 3)),
			);
		expect(await places(2)).toEqual([1, 2]);
		expect(await places(3)).toEqual([3, undefined, undefined]);
		expect(store.stored()).toEqual([1, 2, 3].map((place) => placeName('n', place)));
	});

	it('that are taken cost no write once they are known', async () => {
		const store = keyStore();
		const claims = new Claims(store.contextOf());
		for (const place of [1, 2, 3]) expect(await claims.claimPlace('n', 100)).toBe(place);
		expect(store.calls).toHaveLength(3);
	});

	it('are found after a restart', async () => {
		const store = keyStore();
		const before = new Claims(store.contextOf());
		await before.claimPlace('n', 3);
		await before.claimPlace('n', 3);
		const { Claims: Restarted } = otherProcess();
		expect(await new Restarted(store.contextOf()).claimPlace('n', 3)).toBe(3);
		expect(await new Restarted(store.contextOf()).claimPlace('n', 3)).toBeUndefined();
	});

	it('that were released are given again', async () => {
		const claims = new Claims(keyStore().contextOf());
		for (const place of [1, 2, 3]) expect(await claims.claimPlace('n', 3)).toBe(place);
		await claims.release(placeName('n', 2));
		expect(await claims.claimPlace('n', 3)).toBe(2);
		expect(await claims.claimPlace('n', 3)).toBeUndefined();
	});

	it('grow with the number of places', async () => {
		const claims = new Claims(keyStore().contextOf());
		expect(await claims.claimPlace('n', 1)).toBe(1);
		expect(await claims.claimPlace('n', 1)).toBeUndefined();
		expect(await claims.claimPlace('n', 2)).toBe(2);
	});
});

describe('a claim of several names', () => {
	it('takes all of them or none, and names the first that was not free', async () => {
		const store = keyStore();
		const claims = new Claims(store.contextOf());
		const [a, b, c] = [{ name: 'a' }, { name: 'b', places: 1 }, { name: 'c', places: 1 }];
		expect(await claims.claimAll([b])).toEqual({ entries: ['b#1'] });
		expect(await claims.claimAll([a, b, c])).toEqual({ refused: b });
		expect(store.stored()).toEqual(['b#1']);
		expect(await claims.claimAll([a, c])).toEqual({ entries: ['a', 'c#1'] });
		expect(await claims.claimAll([b, a])).toEqual({ refused: b });
		expect(await claims.claimAll([])).toEqual({ entries: [] });
	});

	it('that is refused takes nothing from those behind it', async () => {
		const store = keyStore();
		const claims = new Claims(store.contextOf());
		const wanted = (...names: string[]) => names.map((name) => ({ name, places: 1 }));
		await claims.claimAll(wanted('b'));
		const claimed = await Promise.all([
			claims.claimAll(wanted('a', 'b')),
			claims.claimAll(wanted('a')),
			claims.claimAll(wanted('a')),
		]);
		expect(claimed.map((each) => 'entries' in each)).toEqual([false, true, false]);
		expect(store.stored()).toEqual(['b#1', 'a#1']);
	});
});

describe('a look', () => {
	it('leaves a name as it is, at the same moment as a claim too', async () => {
		const store = slowly();
		const claims = new Claims(store.contextOf());
		expect(await claims.has('a')).toBe(false);
		const [, won, seen] = await Promise.all([claims.has('a'), claims.claim('a'), claims.has('a')]);
		expect([won, typeof seen, await claims.has('a')]).toEqual([true, 'boolean', true]);
		expect(store.stored()).toEqual(['a']);
	});
});

describe('a store that fails', () => {
	it('fails all who ask, and nobody after them', async () => {
		const store = keyStore();
		const claims = new Claims(store.contextOf());
		store.breakIt();
		const failed = await Promise.allSettled([
			claims.claim('a'),
			claims.claim('b'),
			claims.has('c'),
		]);
		expect(failed.map((each) => each.status === 'rejected' && String(each.reason))).toEqual(
			Array(3).fill(
				'NotBegun: n8n did not record the Idempotency Key or the count of this item, so nothing was sent. Its own words: database is locked',
			),
		);
		expect(failed[0]).toMatchObject({ reason: { cause: new Error('database is locked') } });
		store.mendIt();
		expect(await claims.claim('a')).toBe(true);
	});

	it('in the middle of a claim keeps nothing of it', async () => {
		const store = keyStore();
		await new Claims(store.contextOf()).claimPlace('n', 2);
		const claims = new (otherProcess().Claims)(store.contextOf());
		store.breakAt(3);
		const wanted = [{ name: 'a' }, { name: 'n', places: 2 }];
		await expect(claims.claimAll(wanted)).rejects.toThrow('so nothing was sent');
		expect(store.stored()).toEqual(['n#1']);
	});

	it('when a key is released: its log says so, and nobody is held up', async () => {
		const store = keyStore();
		const claims = new Claims(store.contextOf());
		await claims.claim('a');
		store.breakIt();
		await claims.release('a');
		expect(store.warnings).toEqual([expect.stringContaining('a, which stays recorded')]);
		store.mendIt();
		expect(await claims.claim('b')).toBe(true);
	});
});

describe('where another process makes the row of the node at the same moment', () => {
	let rows = 0;

	/** The other process has recorded `a`; the first inserts of ours meet its row. */
	function meeting(words: string, conflicts: number) {
		const calls: string[][] = [];
		const context = {
			getNode: () => nodeOf(),
			getWorkflow: () => ({ id: `row-${++rows}`, active: true }),
			helpers: {
				checkProcessedAndRecord: async (keys: string[]) => {
					calls.push(keys);
					if (calls.length <= conflicts) throw new Error(words);
					return { new: keys.filter((key) => key !== 'a'), processed: ['a'] };
				},
			},
		};
		return { claims: new Claims(context as unknown as IExecuteFunctions), calls };
	}

	it.each([
		['PostgreSQL', 'duplicate key value violates unique constraint "PK_ca04b9d8dc72de268fe0"'],
		['SQLite', 'SQLITE_CONSTRAINT: UNIQUE constraint failed: processed_data.workflowId'],
		['MySQL', "ER_DUP_ENTRY: Duplicate entry 'w-n:1' for key 'PRIMARY'"],
	])('it is asked once more, since nothing was recorded: %s', async (_, words) => {
		const { claims, calls } = meeting(words, 1);
		const won = await Promise.all(['a', 'b'].map(async (key) => await claims.claim(key)));
		expect(won).toEqual([false, true]);
		expect(calls).toHaveLength(2);
	});

	it('it is not asked a third time', async () => {
		const { claims, calls } = meeting('UNIQUE constraint failed', 9);
		await expect(claims.claim('b')).rejects.toThrow('so nothing was sent');
		expect(calls).toHaveLength(2);
	});

	it('it is not asked again where something else went wrong: it may be recorded', async () => {
		const { claims, calls } = meeting('Connection terminated unexpectedly', 1);
		await expect(claims.claim('b')).rejects.toThrow('so nothing was sent');
		expect(calls).toHaveLength(1);
	});
});

/** The module as another process has it: the same store, and nothing else in common. */
function otherProcess(): { Claims: typeof Claims } {
	const loaded: Array<{ Claims: typeof Claims }> = [];
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => n8nWorkflow);
		loaded.push(jest.requireActual('../../../nodes/Yuntongxun/execution/claims'));
	});
	return loaded[0];
}

describe('at the end of a run', () => {
	it('what another process undid is recorded again, but nothing that was released', async () => {
		const store = keyStore();
		const claims = new Claims(store.contextOf());
		for (const name of ['a', 'b', 'c']) await claims.claim(name);
		await claims.release('b');
		store.forget('a');
		await claims.makeSure();
		expect(store.stored()).toEqual(['c', 'a']);
	});

	it('it is asked once where nothing was missing, and not at all without claims', async () => {
		const store = keyStore();
		const claims = new Claims(store.contextOf());
		await claims.makeSure();
		expect(store.calls).toEqual([]);
		await claims.claim('a');
		await claims.makeSure();
		await claims.makeSure();
		expect(store.calls).toEqual([['a'], ['a']]);
	});

	it('until then a record that was undone counts all the same', async () => {
		const store = keyStore();
		const claims = new Claims(store.contextOf());
		await claims.claim('a');
		store.forget('a');
		expect(await new Claims(store.contextOf()).claim('a')).toBe(false);
		expect(await claims.has('a')).toBe(true);
		await claims.makeSure();
		expect(store.stored()).toEqual(['a']);
	});

	it('and a while after it what is undone counts, and comes back with the next claim', async () => {
		const store = keyStore();
		const claims = new Claims(store.contextOf());
		await claims.claim('a');
		await claims.makeSure();
		store.forget('a');
		const later = new Claims(store.contextOf());
		expect([await later.claim('a'), await later.has('a')]).toEqual([false, true]);
		expect(await later.claim('b')).toBe(true);
		expect(store.stored()).toEqual(['b', 'a']);
		await later.release('a');
		expect(await later.claim('a')).toBe(true);
	});

	it('but not for ever, nor for everything: the oldest are left to n8n', async () => {
		const store = keyStore();
		const run = async (...names: string[]) => {
			const claims = new Claims(store.contextOf());
			for (const name of names) await claims.claim(name);
			await claims.makeSure();
		};
		await run(...times(501).map(String));
		store.forget(...times(501).map(String));
		const later = new Claims(store.contextOf());
		expect([await later.claim('0'), await later.claim('1')]).toEqual([true, false]);
		const time = Date.now() + 60_001;
		const clock = jest.spyOn(Date, 'now').mockReturnValue(time);
		await run('a');
		clock.mockRestore();
		store.forget('1');
		expect(await later.claim('1')).toBe(true);
	});

	it('while another process writes too it is checked until three checks in a row were clean', async () => {
		const store = keyStore();
		const claims = new Claims(store.contextOf());
		await claims.claim('a');
		store.forget('a');
		await claims.makeSure();
		expect(store.calls).toEqual(Array(5).fill(['a']));
	});

	it('it is given up after many tries, and where n8n fails, which its log says', async () => {
		const store = keyStore();
		const claims = new Claims(store.contextOf());
		jest.spyOn(Math, 'random').mockReturnValue(-0.5);
		await claims.claim('a');
		const forgetful = setInterval(() => store.forget('a'));
		await claims.makeSure();
		clearInterval(forgetful);
		jest.restoreAllMocks();
		expect(store.calls.length).toBeLessThanOrEqual(1 + MOST_CHECKS);
		await claims.claim('b');
		store.breakIt();
		await claims.makeSure();
		expect(store.warnings).toEqual([expect.stringContaining('again')]);
	});

	it('of two processes that claim 100 different keys each, none is missing', async () => {
		const store = keyStore(async () => await sleep(Math.random() * 4));
		const run = async (Process: typeof Claims, name: string) => {
			const claims = new Process(store.contextOf());
			await sleep(Math.random() * 100);
			expect(await claims.claim(name)).toBe(true);
			await sleep(20);
			await claims.makeSure();
		};
		const processes = [Claims, otherProcess().Claims];
		const names = times(200).map((each) => `order-${each}`);
		await Promise.all(names.map(async (name, at) => await run(processes[at % 2], name)));
		expect([...store.stored()].sort()).toEqual(names.sort());
	});
});
