import type { IExecuteFunctions } from 'n8n-workflow';

import {
	MAX_STORED,
	ProcessedRecords,
} from '../../../nodes/Yuntongxun/idempotency/processedRecords';
import { keyStore } from '../../support/keyStore';

const mockDeadlines: Array<{ ms: number; giveUp: () => void }> = [];

jest.mock('../../../nodes/Yuntongxun/util/deadlines', () => ({
	endInTime: async (ms: number, work: Promise<unknown>) =>
		await new Promise((resolve, reject) => {
			mockDeadlines.push({ ms, giveUp: () => reject(new Error('timeout')) });
			work.then(resolve, reject);
		}),
}));

const openStore = (context: IExecuteFunctions) => new ProcessedRecords(context);
const names = (count: number, prefix = 'key') =>
	Array.from({ length: count }, (_each, index) => `${prefix} ${index}`);

it('a store records an entry once, for all runs of a node, and for no other node', async () => {
	const { createContext } = keyStore();
	const [one, other] = [openStore(createContext()), openStore(createContext())];
	expect(await one.record(['a', 'b'])).toEqual(new Set(['a', 'b']));
	expect(await other.record(['b', 'c'])).toEqual(new Set(['c']));
	expect(await openStore(createContext('another node')).record(['d'])).toEqual(new Set(['d']));
});

it('a store asks n8n for nothing where there is nothing to record or remove', async () => {
	const { createContext, calls } = keyStore();
	const store = openStore(createContext());
	await store.record([]);
	await store.remove([]);
	await store.close();
	expect(calls).toEqual([]);
});

it('a store batches what is asked for at the same moment, and gives an entry to the first', async () => {
	const { createContext, calls } = keyStore();
	const store = openStore(createContext());
	const answers = await Promise.all(
		[['a'], ['b', 'a'], ['c']].map(async (entries) => await store.record(entries)),
	);
	expect(answers.map((fresh) => [...fresh])).toEqual([['a'], ['b'], ['c']]);
	expect(calls).toEqual([['a', 'b', 'c']]);
});

it('a store never has two writes of a node in flight', async () => {
	let inFlight = 0;
	let most = 0;
	const { createContext, stored } = keyStore(async () => {
		most = Math.max(most, ++inFlight);
		await new Promise((resolve) => setTimeout(resolve, 1));
		inFlight--;
	});
	const runs = names(5, 'run').map((run) => ({ run, store: openStore(createContext()) }));
	await Promise.all(
		runs.map(async ({ run, store }) => {
			// Not in step, so that one removes while another records.
			for (const name of names(4, run)) {
				await store.record([name]);
				await new Promise((resolve) => setTimeout(resolve, Number(run.at(-1))));
			}
			await store.remove([`${run} 0`]);
		}),
	);
	expect(most).toBe(1);
	expect(stored()).toHaveLength(15);
});

it('a store removes entries, at most 500 a call, so that they can be recorded anew', async () => {
	const { createContext, calls, stored } = keyStore();
	const store = openStore(createContext());
	await store.record(names(1200));
	await store.remove(names(1200));
	expect(stored()).toEqual([]);
	expect(calls.slice(1).map(({ length }) => length)).toEqual([500, 500, 200]);
	expect(await store.record(['key 7'])).toEqual(new Set(['key 7']));
});

it('a store removes for good what another run in flight has recorded', async () => {
	const { createContext, stored } = keyStore();
	const [one, other] = [openStore(createContext()), openStore(createContext())];
	await one.record(['a', 'b']);
	await other.remove(['a', 'b']);
	expect(await other.record(['a'])).toEqual(new Set(['a']));
	await one.close();
	expect(stored()).toEqual(['a']);
});

it('a store keeps the last 20,000 entries, and drops none of a run that needs 10,000', async () => {
	const { createContext, fill, stored } = keyStore();
	fill(MAX_STORED);
	const store = openStore(createContext());
	for (let part = 0; part < 50; part++) await store.record(names(200, `part ${part}`));
	await store.close();
	expect(stored()).toHaveLength(MAX_STORED);
	expect(stored()[0]).toBe('old 10000');
	expect(stored()).toContain('part 0 0');
});

it('a store records again at the end, a moment later, what another process has overwritten', async () => {
	jest.useFakeTimers();
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
	const { createContext, forget, stored, calls } = keyStore();
	const store = openStore(createContext());
	const recorded = store.record(['a', 'b']);
	await jest.advanceTimersByTimeAsync(10);
	await recorded;
	const end = store.close();
	await jest.advanceTimersByTimeAsync(200);
	forget('a');
	await jest.advanceTimersByTimeAsync(60_000);
	await end;
	expect(stored().sort()).toEqual(['a', 'b']);
	expect(calls).toHaveLength(2);
	jest.restoreAllMocks();
	jest.useRealTimers();
});

it('a check never brings back what was removed right before it', async () => {
	const { createContext, stored } = keyStore();
	const [one, other] = [openStore(createContext()), openStore(createContext())];
	await one.record(['a', 'b']);
	const closing = one.close();
	await other.remove(['a']);
	await closing;
	expect(stored()).toEqual(['b']);
	expect(await other.record(['a'])).toEqual(new Set(['a']));
});

it('a check never brings back what is removed at the same moment', async () => {
	const { createContext, stored } = keyStore();
	const [one, other] = [openStore(createContext()), openStore(createContext())];
	await one.record(['a', 'b']);
	// No pause: both take part in the next round trip.
	jest.spyOn(Math, 'random').mockReturnValue(-0.5);
	const closing = one.close();
	await new Promise((resolve) => setTimeout(resolve, 0));
	await Promise.all([closing, other.remove(['a'])]);
	expect(stored()).toEqual(['b']);
	jest.restoreAllMocks();
});

it('a store takes what a run in flight has recorded for recorded, even if another process overwrote it', async () => {
	const { createContext, forget } = keyStore();
	const [one, other, short] = names(3).map(() => openStore(createContext()));
	await one.record(names(201));
	await short.record(['a']);
	await short.close();
	forget(...names(201));
	expect(await other.record(names(201))).toEqual(new Set());
	const [, during] = await Promise.all([one.close(), other.record(['key 200'])]);
	expect(during).toEqual(new Set());
});

it('a store makes sure, at the end of each run, of what the runs before it recorded', async () => {
	const { createContext, forget, stored } = keyStore();
	const [one, other] = [openStore(createContext()), openStore(createContext())];
	await one.record(['a', 'b']);
	await one.remove(['b']);
	await one.close();
	forget('a');
	await other.record(['c']);
	await other.close();
	expect(stored().sort()).toEqual(['a', 'c']);
});

it('a store asks n8n again for an entry once 200 later ones were recorded', async () => {
	const { createContext, forget } = keyStore();
	const run = async (record: string) => {
		const store = openStore(createContext());
		const fresh = await store.record([record]);
		await store.close();
		return fresh.size;
	};
	await run('a');
	await Promise.all(names(199).map(run));
	forget('a');
	expect(await run('a')).toBe(0);
	await run('another');
	forget('a');
	expect(await run('a')).toBe(1);
});

it('a store tries once more where another process has just made the row', async () => {
	const { createContext, breakAt, stored } = keyStore();
	breakAt(1, new Error('SQLITE_CONSTRAINT: UNIQUE constraint failed'));
	expect(await openStore(createContext()).record(['a'])).toEqual(new Set(['a']));
	expect(stored()).toEqual(['a']);
});

it('a store fails where n8n cannot record, and goes on with the next write', async () => {
	const { createContext, breakIt, mendIt, fill, calls, stored } = keyStore();
	const store = openStore(createContext());
	fill(2400);
	breakIt();
	await expect(store.record(['a'])).rejects.toThrow('Database message: database is locked');
	expect(calls).toHaveLength(1);
	mendIt();
	expect(await store.record(['a'])).toEqual(new Set(['a']));
	expect(stored()).toHaveLength(2401);
});

it('a store warns where n8n cannot remove or check, without naming an entry', async () => {
	const { createContext, breakIt, warnings } = keyStore();
	const store = openStore(createContext());
	await store.record(['a', 'b']);
	breakIt();
	await expect(store.remove(['a'])).rejects.toThrow('Database message: database is locked');
	await store.close();
	expect(warnings).toEqual([
		expect.stringMatching(/^n8n may have kept records though nobody was reached\. .*locked$/),
		expect.stringMatching(/^n8n did not check the records of this run\. .*locked$/),
	]);
});

it('a store counts a round trip of ten seconds as unsure, and is held up by none', async () => {
	const never = new Promise(() => {});
	let pauses = 0;
	// Only the first answer never comes.
	const { createContext } = keyStore(async () => ++pauses === 2 && (await never));
	const store = openStore(createContext());
	const late = store.record(['a']);
	await new Promise((resolve) => setTimeout(resolve, 10));
	const { ms, giveUp } = mockDeadlines[mockDeadlines.length - 1];
	expect(ms).toBe(10_000);
	giveUp();
	await expect(late).rejects.toThrow('Database message: timeout');
	expect(await openStore(createContext()).record(['b'])).toEqual(new Set(['b']));
});

it('a row that is too long for its column says what to do', async () => {
	const { createContext, breakIt } = keyStore();
	breakIt(new Error("Data too long for column 'value' at row 1"));
	await expect(openStore(createContext()).record(['a'])).rejects.toThrow(
		/^n8n 1 with MySQL or MariaDB keeps about 2,400 records .* Update to n8n 2 or use PostgreSQL/,
	);
});
