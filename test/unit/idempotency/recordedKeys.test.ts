import type { IExecuteFunctions } from 'n8n-workflow';

import { getRecordedKeys, MAX_RECORDS } from '../../../nodes/Yuntongxun/idempotency/recordedKeys';
import { identifyNode } from '../../../nodes/Yuntongxun/util/n8nInternals';
import { keyStore } from '../../support/keyStore';

const mockDeadlines: Array<{ ms: number; giveUp: () => void }> = [];

jest.mock('../../../nodes/Yuntongxun/util/concurrency', () => ({
	endInTime: async (ms: number, work: Promise<unknown>) =>
		await new Promise((resolve, reject) => {
			mockDeadlines.push({ ms, giveUp: () => reject(new Error('timeout')) });
			work.then(resolve, reject);
		}),
}));

/** What a run of a node records. */
function open(context: IExecuteFunctions) {
	const keys = getRecordedKeys(identifyNode(context));
	return {
		isKnown: (key: string) => keys.isKnown(key),
		record: async (some: string[]) => await keys.record(context, some),
		remove: async (some: string[]) => await keys.remove(context, some),
	};
}
const names = (count: number, prefix = 'key') =>
	Array.from({ length: count }, (_each, index) => `${prefix} ${index}`);
const settle = async () => await new Promise((resolve) => setTimeout(resolve, 10));

it('a key is new once, for all runs of a node, and for each node', async () => {
	const { createContext } = keyStore();
	const [one, other] = [open(createContext()), open(createContext())];
	expect(await one.record(['a', 'b'])).toEqual(new Set(['a', 'b']));
	expect(await other.record(['b', 'c'])).toEqual(new Set(['c']));
	expect(open(createContext('another node')).isKnown('a')).toBe(false);
});

it('a key that another process has recorded is neither new nor known', async () => {
	const { createContext } = keyStore();
	await open(createContext('of another process')).record(['a']);
	const keys = open(createContext());
	expect(await keys.record(['a', 'b'])).toEqual(new Set(['b']));
	expect([keys.isKnown('a'), keys.isKnown('b')]).toEqual([false, true]);
});

it('simultaneous requests share a round trip, and the first one gets the key', async () => {
	const { createContext, calls } = keyStore();
	const keys = open(createContext());
	const answers = await Promise.all(
		[['a'], ['b', 'a'], ['c'], []].map(async (some, later) => {
			for (let step = 0; step < 9 * later; step++) await Promise.resolve();
			return await keys.record(some);
		}),
	);
	expect(answers.map((fresh) => [...fresh])).toEqual([['a'], ['b'], ['c'], []]);
	expect(calls).toEqual([['a', 'b', 'c']]);
});

it('a key that the round trip under way records is not asked for once more', async () => {
	const { createContext, calls } = keyStore(settle);
	const keys = open(createContext());
	const first = keys.record(['a']);
	while (calls.length === 0) await new Promise(setImmediate);
	const second = keys.record(['a']);
	expect([await first, await second]).toEqual([new Set(['a']), new Set()]);
	expect(calls).toEqual([['a']]);
});

it('a node never has two round trips under way', async () => {
	let underWay = 0;
	let most = 0;
	const { createContext, stored } = keyStore(async () => {
		most = Math.max(most, ++underWay);
		await new Promise((resolve) => setTimeout(resolve, 1));
		underWay--;
	});
	await Promise.all(
		names(5, 'run').map(async (run, at) => {
			const keys = open(createContext());
			await new Promise((resolve) => setTimeout(resolve, at));
			for (const name of names(4, run)) await keys.record([name]);
			await keys.remove([`${run} 0`]);
		}),
	);
	expect([most, stored().length]).toEqual([1, 15]);
});

it('keys are removed, at most 500 a call, so that they can be recorded anew', async () => {
	const { createContext, calls, stored } = keyStore();
	const keys = open(createContext());
	await keys.record(names(1200));
	expect(await keys.remove(names(1200))).toBe(true);
	expect(stored()).toEqual([]);
	expect(calls.slice(1).map(({ length }) => length)).toEqual([500, 500, 200]);
	expect(await keys.record(['key 7'])).toEqual(new Set(['key 7']));
});

it('the row keeps the last 20,000 keys', async () => {
	const { createContext, fill, stored } = keyStore();
	fill(MAX_RECORDS);
	await open(createContext()).record(['a']);
	expect([stored().length, stored()[0], stored().at(-1)]).toEqual([20_000, 'old 1', 'a']);
});

describe('a key that this process has recorded', () => {
	it('is known without asking, even if another process has put the old row back', async () => {
		const { createContext, forget, calls } = keyStore();
		const keys = open(createContext());
		await keys.record(['a']);
		forget('a');
		expect([keys.isKnown('a'), keys.isKnown('b')]).toEqual([true, false]);
		expect(await keys.record(['a'])).toEqual(new Set());
		expect(calls).toHaveLength(1);
	});

	it('is written again by later round trips and never reported as new', async () => {
		const { createContext, forget, stored } = keyStore();
		const keys = open(createContext());
		await keys.record(['a', 'b']);
		await keys.remove(['b']);
		forget('a');
		expect(await keys.record(['c'])).toEqual(new Set(['c']));
		expect(stored().sort()).toEqual(['a', 'c']);
	});

	it('is known while it is among the last 20,000', async () => {
		const { createContext, calls } = keyStore();
		const keys = open(createContext());
		await keys.record(names(MAX_RECORDS));
		expect(keys.isKnown('key 0')).toBe(true);
		await keys.record(['one more']);
		expect([keys.isKnown('key 0'), keys.isKnown('key 1')]).toEqual([false, true]);
		// The new one, and 200 that are written again.
		expect(calls[1]).toHaveLength(201);
	});
});

it('a round trip is tried once more if another process has just made the row', async () => {
	const { createContext, breakAt, stored } = keyStore();
	breakAt(1, new Error('SQLITE_CONSTRAINT: UNIQUE constraint failed'));
	expect(await open(createContext()).record(['a'])).toEqual(new Set(['a']));
	expect(stored()).toEqual(['a']);
});

it('a database failure is reported, and the next round trip works', async () => {
	const { createContext, breakIt, mendIt, calls } = keyStore();
	const keys = open(createContext());
	breakIt();
	await expect(keys.record(['a'])).rejects.toThrow('Database message: database is locked');
	expect(calls).toHaveLength(1);
	mendIt();
	expect(await keys.record(['a'])).toEqual(new Set(['a']));
});

it('a removal that n8n did not confirm is logged without a key, and blocks no other record', async () => {
	const { createContext, breakAt, warnings } = keyStore();
	const keys = open(createContext());
	await keys.record(['a']);
	breakAt(2);
	const both = await Promise.all([keys.remove(['a']), keys.record(['b'])]);
	expect(both).toEqual([false, new Set(['b'])]);
	expect(warnings).toEqual([
		expect.stringMatching(/^n8n may have kept records though nobody was reached\. .* lost$/),
	]);
});

describe('a round trip of more than ten seconds', () => {
	/** One whose first answer comes when it is let go. */
	function hanging() {
		let letGo = () => {};
		const held = new Promise<void>((resolve) => (letGo = resolve));
		let pauses = 0;
		const store = keyStore(async () => (++pauses === 1 ? await held : undefined));
		return { ...store, letGo: () => letGo(), keys: open(store.createContext()) };
	}

	async function giveUp() {
		await settle();
		const { ms, giveUp: end } = mockDeadlines[mockDeadlines.length - 1];
		expect(ms).toBe(10_000);
		end();
	}

	it('is unconfirmed, holds up nobody else, and is never reported as a duplicate', async () => {
		const { keys, letGo, stored } = hanging();
		const late = keys.record(['a']);
		await settle();
		// Asked before it takes too long, and behind it.
		expect(await keys.record([])).toEqual(new Set());
		const behind = [['a'], ['d']].map(async (some) => await keys.record(some).catch(String));
		await giveUp();
		await expect(late).rejects.toThrow('timeout');
		expect(await behind[0]).toMatch('has not answered yet');
		expect(await behind[1]).toEqual(new Set(['d']));

		const [refused, other] = [keys.record(['c', 'a']), keys.record(['b'])];
		await expect(refused).rejects.toThrow('has not answered yet');
		expect(await other).toEqual(new Set(['b']));
		expect(stored()).not.toContain('c');
		letGo();
		// n8n confirms it too late as new, so it becomes free.
		const again = async () => await keys.record(['a']).catch(() => undefined);
		let fresh = await again();
		for (let tries = 0; fresh === undefined && tries < 100; tries++) {
			await settle();
			fresh = await again();
		}
		expect(fresh).toEqual(new Set(['a']));
	});
});
