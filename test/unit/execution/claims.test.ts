import type { IExecuteFunctions, Logger } from 'n8n-workflow';

import { Claims } from '../../../nodes/Yuntongxun/execution/claims';
import { nodeOf } from '../support/execution';

let stores = 0;

/** A store as careless as n8n's: read, changed and written back, without a lock. */
function carelessStore() {
	const workflow = `workflow-${++stores}`;
	let stored: string[] = [];
	const calls: string[][] = [];
	const warnings: string[] = [];
	let broken = false;
	const pause = async () => await new Promise((resolve) => setTimeout(resolve, 1));
	const contextOf = (id = '1'): IExecuteFunctions => {
		const logger: Pick<Logger, 'warn'> = { warn: (line) => void warnings.push(line) };
		return {
			getNode: () => nodeOf({ id }),
			getWorkflow: () => ({ id: workflow, active: true }),
			logger,
			helpers: {
				checkProcessedAndRecord: async (keys: string[]) => {
					calls.push(keys);
					if (broken) throw new Error('database is locked');
					const before = stored;
					await pause();
					stored = [...before, ...keys.filter((key) => !before.includes(key))];
					await pause();
					return {
						new: keys.filter((key) => !before.includes(key)),
						processed: keys.filter((key) => before.includes(key)),
					};
				},
				removeProcessed: async (keys: string[]) => {
					if (broken) throw new Error('database is locked');
					const before = stored;
					await pause();
					stored = before.filter((key) => !keys.includes(key));
				},
			},
		} as unknown as IExecuteFunctions;
	};
	return {
		calls,
		warnings,
		contextOf,
		stored: () => stored,
		breakIt: (isBroken = true) => {
			broken = isBroken;
		},
	};
}

const times = (count: number) => [...Array(count).keys()];

it('of fifty executions that bring a key at the same moment one gets it', async () => {
	const store = carelessStore();
	const won = await Promise.all(
		times(50).map(async () => await new Claims(store.contextOf()).claim('order-42')),
	);
	expect(won).toEqual([true, ...Array<boolean>(49).fill(false)]);
});

it('no key is lost where fifty different ones come at the same moment', async () => {
	const store = carelessStore();
	const claimAll = async () =>
		await Promise.all(
			times(50).map(async (each) => await new Claims(store.contextOf()).claim(`order-${each}`)),
		);
	expect(await claimAll()).toEqual(Array(50).fill(true));
	expect(await claimAll()).toEqual(Array(50).fill(false));
	expect(new Set(store.stored()).size).toBe(50);
});

it('those who wait are asked for in one go', async () => {
	const store = carelessStore();
	const claims = new Claims(store.contextOf());
	await Promise.all(['a', 'b', 'b', 'c'].map(async (key) => await claims.claim(key)));
	expect(store.calls).toEqual([['a', 'b', 'c']]);
});

it('a key that was given back can be claimed again, by one', async () => {
	const store = carelessStore();
	const claims = new Claims(store.contextOf());
	await claims.claim('a');
	const [, ...won] = await Promise.all([
		claims.release('a'),
		...times(3).map(async () => await claims.claim('a')),
	]);
	expect(won).toEqual([true, false, false]);
});

it('giving back and claiming at the same moment lose nothing', async () => {
	const store = carelessStore();
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

it('a store that fails fails all who asked, and nobody after them', async () => {
	const store = carelessStore();
	const claims = new Claims(store.contextOf());
	store.breakIt();
	const failed = await Promise.allSettled(['a', 'b'].map(async (key) => await claims.claim(key)));
	expect(failed.map((each) => each.status === 'rejected' && String(each.reason))).toEqual(
		Array(2).fill(
			'Error: n8n did not record the Idempotency Key, so nothing was sent. Its own words: database is locked',
		),
	);
	expect(failed[0]).toMatchObject({ reason: { cause: new Error('database is locked') } });
	store.breakIt(false);
	expect(await claims.claim('a')).toBe(true);
});

describe('where another process makes the row of the node at the same moment', () => {
	/** The other process has recorded `a`; every insert of ours meets its row, and says so. */
	function meeting(words: string, conflicts: number) {
		const calls: string[][] = [];
		const context = {
			getNode: () => nodeOf(),
			getWorkflow: () => ({ id: `workflow-${++stores}`, active: true }),
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

it('a key that cannot be given back is told to the log, and holds up nobody', async () => {
	const store = carelessStore();
	const claims = new Claims(store.contextOf());
	await claims.claim('a');
	store.breakIt();
	await claims.release('a');
	expect(store.warnings).toEqual([expect.stringContaining('a stays recorded')]);
	store.breakIt(false);
	expect(await claims.claim('b')).toBe(true);
});
