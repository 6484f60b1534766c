import * as n8nWorkflow from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import type * as attempts from '../../../nodes/Yuntongxun/idempotency/storedTokenUsage';
import type * as reservations from '../../../nodes/Yuntongxun/idempotency/reservations';
import { keyStore } from '../../support/keyStore';

/** A process of n8n: it shares nothing with others but the database. */
function startProcess(): typeof attempts & typeof reservations {
	const loaded: Array<typeof attempts & typeof reservations> = [];
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => n8nWorkflow);
		loaded.push({
			...jest.requireActual<typeof attempts>(
				'../../../nodes/Yuntongxun/idempotency/storedTokenUsage',
			),
			...jest.requireActual<typeof reservations>(
				'../../../nodes/Yuntongxun/idempotency/reservations',
			),
		});
	});
	return loaded[0];
}

/** Reads, pauses and writes back, as n8n does. */
const slowStore = () =>
	keyStore(async () => await new Promise((resolve) => setTimeout(resolve, Math.random() * 3)));
const numbers = (count: number) =>
	Array.from({ length: count }, (_each, at) => String(13_800_000_000 + at));

const isFree = (outcome: reservations.ReserveOutcome) => outcome.ok && outcome.skip === undefined;

/** Works on each number, in their order, ten at a time. */
async function tenAtATime(all: string[], work: (number: string) => Promise<void>): Promise<void> {
	const left = [...all];
	const worker = async () => {
		for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
	};
	await Promise.all(Array.from({ length: 10 }, worker));
}

/**
 * A run in a process of its own that reaches numbers, with one key, and has not ended yet.
 *
 * @returns the numbers that the key let through
 */
async function beginReaching(
	context: IExecuteFunctions,
	all: string[],
	isRefused = false,
	done: (number: string) => void = () => {},
): Promise<{ run: reservations.Reservations; served: string[] }> {
	const { Reservations } = startProcess();
	const run = new Reservations(context);
	const served: string[] = [];
	await tenAtATime(all, async (number) => {
		const reservation = await run.lock([{ key: number, line: number }], { key: 'a' });
		const [outcome] = await reservation.reserve();
		if (isFree(outcome)) served.push(number);
		if (isRefused) await reservation.release();
		reservation.unlock();
		done(number);
	});
	return { run, served };
}

/** The same run to its end. */
async function reach(...given: Parameters<typeof beginReaching>): Promise<string[]> {
	const { run, served } = await beginReaching(...given);
	await run.close();
	return served;
}

it('two processes that record side by side have all keys once each has looked for its own', async () => {
	const { createContext } = slowStore();
	const [all, even] = [numbers(200), numbers(200).filter((_each, at) => at % 2 === 0)];
	const odd = all.filter((each) => !even.includes(each));
	const begun = await Promise.all(
		[even, odd].map(async (half) => await beginReaching(createContext(), half)),
	);
	// Two that look at the same moment can overwrite each other once more, which nothing promises.
	for (const { run } of begun) await run.close();
	expect(await reach(createContext(), all)).toEqual([]);
});

it('a record that one process freed is not freed again after another has sent it', async () => {
	const { createContext } = slowStore();
	const all = numbers(100);
	const sent: string[] = [];
	const following: Array<Promise<void>> = [];
	const { Reservations } = startProcess();
	const run = new Reservations(createContext());
	// Sends what the first process has just freed, while that one goes on.
	const follow = async (number: string) => {
		const reservation = await run.lock([{ key: number, line: number }], { key: 'a' });
		const [outcome] = await reservation.reserve();
		if (isFree(outcome)) sent.push(number);
		reservation.unlock();
	};
	await reach(createContext(), all, true, (number) => following.push(follow(number)));
	await Promise.all(following);
	await run.close();
	expect(sent.length).toBeGreaterThan(0);
	const again = await reach(createContext(), all);
	expect(again.filter((number) => sent.includes(number))).toEqual([]);
});

it('two processes that take turns reach as many as a limit allows, and record no slot that they give back', async () => {
	const store = keyStore();
	const runs = [0, 1].map(() => {
		const { Reservations } = startProcess();
		return new Reservations(store.createContext());
	});
	const limits = [{ by: 'total', max: 50, period: 'day' } as const];
	const served: string[] = [];
	for (const [at, number] of numbers(60).entries()) {
		// Three of the one, then three of the other.
		const reservation = await runs[at % 6 < 3 ? 0 : 1].lock([{ key: number, line: number }], {
			limits,
		});
		const [outcome] = await reservation.reserve();
		if (isFree(outcome)) served.push(number);
		reservation.unlock();
	}
	expect(served).toEqual(numbers(50));
	// n8n writes back the whole row for each removal: what another process records meanwhile is lost.
	expect(store.calls.flat().filter((entry) => entry.startsWith('-'))).toEqual([]);
});

it('two processes never call a right code used that nobody used', async () => {
	const { createContext } = slowStore();
	const tokens = numbers(160);
	const verdicts: unknown[] = [];
	const runs = [0, 1].map(() => {
		const { StoredTokenUsage } = startProcess();
		return new StoredTokenUsage(createContext());
	});
	await Promise.all(
		runs.map(async (run, process) => {
			const own = tokens.filter((_each, at) => at % 2 === process);
			await tenAtATime(own, async (token) => {
				verdicts.push([await run.takeAttempt(token, 5), await run.redeem(token)]);
			});
		}),
	);
	for (const run of runs) await run.close();
	expect(verdicts).toEqual(tokens.map(() => [1, true]));
	const { StoredTokenUsage } = startProcess();
	const later = new StoredTokenUsage(createContext());
	const used = tokens.map(async (token) => await later.redeem(token));
	expect(await Promise.all(used)).not.toContain(true);
});
