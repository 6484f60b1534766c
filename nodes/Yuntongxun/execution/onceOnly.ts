import type { IDataObject } from 'n8n-workflow';

import type { Claims } from './claims';
import { placeName } from './desk';
import type { Wanted } from './desk';
import type { ItemFailure, Outcome } from './items';
import { NotBegun } from './notBegun';

/** How often something may happen, of which a task is one time. */
export interface Limit {
	/** What is counted. */
	name: string;
	/** Most times. */
	places: number;
	/** What the user is told if it happened so often already. */
	refusal: string;
}

/** What {@link onceOnly} has to know of tasks. */
export interface Conditions<T> {
	/** The key of a task, which is used once only; undefined if it has none. */
	keyOf(task: T): string | undefined;
	/** The output for a task whose key was used before. */
	duplicateOf(task: T): IDataObject;
	/** The limits that hold for a task at this moment. */
	limitsOf(task: T): Limit[];
	/** Whether a task that failed in part certainly left out what a limit counts. */
	leftOut(failure: ItemFailure, limit: Limit): boolean;
	/** Turns what kept a task from being done into a failure. */
	explain(thrown: unknown, task: T): ItemFailure;
}

/**
 * Claims what tasks need, right before the request that does them. Never rejects.
 *
 * @returns the tasks that may be done
 */
export type Admit<T> = (tasks: readonly T[]) => Promise<T[]>;

/**
 * Does tasks whose key was never used and whose limits are not reached. Of several tasks with one
 * key, in this run or in runs side by side, the first is done; if that certainly reached nobody, the
 * next one has its turn. What certainly reached nobody uses up neither key nor limit.
 *
 * @param work does tasks of different keys, asking for admission right before each request; gives an
 * outcome for each of them; never rejects
 * @returns an outcome for each of the tasks; undefined if the run stopped before its turn
 */
export async function onceOnly<T>(
	claims: Claims,
	tasks: readonly T[],
	conditions: Conditions<T>,
	work: (tasks: T[], admit: Admit<T>) => Promise<Array<Outcome | undefined>>,
): Promise<Array<Outcome | undefined>> {
	const { keyOf, duplicateOf } = conditions;
	const outcomes = new Map<T, Outcome | undefined>();
	const end = await claims.turnOf(tasks.flatMap((task) => keyOf(task) ?? []));
	try {
		for (let open = [...tasks]; open.length > 0;) {
			const first = firstOfEachKey(open, keyOf);
			const done = await attempt(claims, first, conditions, work);
			const used = new Set<string>();
			first.forEach((task, position) => {
				const key = keyOf(task);
				outcomes.set(task, done[position]);
				if (key !== undefined && !isNothing(done[position])) used.add(key);
			});
			open = open.filter((task) => {
				if (outcomes.has(task)) return false;
				if (!used.has(keyOf(task) as string)) return true;
				outcomes.set(task, { output: [duplicateOf(task)], duplicate: true });
				return false;
			});
		}
	} finally {
		end();
	}
	return tasks.map((task) => outcomes.get(task));
}

function firstOfEachKey<T>(tasks: readonly T[], keyOf: Conditions<T>['keyOf']): T[] {
	const seen = new Set<string>();
	return tasks.filter((task) => {
		const key = keyOf(task);
		return key === undefined || (!seen.has(key) && Boolean(seen.add(key)));
	});
}

/** Does tasks of different keys, and releases the claims of those that certainly reached nobody. */
async function attempt<T>(
	claims: Claims,
	tasks: T[],
	conditions: Conditions<T>,
	work: (tasks: T[], admit: Admit<T>) => Promise<Array<Outcome | undefined>>,
): Promise<Array<Outcome | undefined>> {
	const asked = new Map<T, Promise<Admission>>();
	const admission = async (task: T) => {
		const promise = asked.get(task) ?? admissionOf(claims, task, conditions);
		asked.set(task, promise);
		return await promise;
	};
	const done = await work(tasks, async (group) => {
		const admissions = await Promise.all(group.map(admission));
		return group.filter((_task, position) => 'entries' in admissions[position]);
	});
	return await Promise.all(
		tasks.map(async (task, position) => {
			const admitted = await asked.get(task);
			if (admitted && 'outcome' in admitted) return admitted.outcome;
			const outcome = done[position];
			const unused = admitted ? unusedOf(admitted, outcome, conditions) : [];
			if (unused.length > 0) await claims.release(...unused);
			return outcome;
		}),
	);
}

/** What a task has claimed. */
interface Admitted {
	entries: string[];
	limits: Limit[];
}

/** What a task has claimed, or what became of it because it could not. */
type Admission = Admitted | { outcome: Outcome };

/** The claims that certainly reached nobody. */
function unusedOf<T>(
	{ entries, limits }: Admitted,
	outcome: Outcome | undefined,
	{ leftOut }: Conditions<T>,
): string[] {
	if (isNothing(outcome)) return entries;
	if (outcome === undefined || 'output' in outcome) return [];
	const names = limits.filter((limit) => leftOut(outcome.failure, limit)).map(({ name }) => name);
	return entries.filter((entry) => names.some((name) => entry.startsWith(placeName(name, ''))));
}

async function admissionOf<T>(
	claims: Claims,
	task: T,
	{ keyOf, duplicateOf, limitsOf, explain }: Conditions<T>,
): Promise<Admission> {
	const key = keyOf(task);
	const limits = limitsOf(task);
	const wanted: Wanted[] = [...(key === undefined ? [] : [{ name: key }]), ...limits];
	if (wanted.length === 0) return { entries: [], limits };
	try {
		const claimed = await claims.claimAll(wanted);
		if ('entries' in claimed) return { ...claimed, limits };
		const limit = limits.find((each) => each === claimed.refused);
		return {
			outcome: limit
				? { failure: explain(new NotBegun(limit.refusal), task) }
				: { output: [duplicateOf(task)], duplicate: true },
		};
	} catch (thrown) {
		return { outcome: { failure: explain(thrown, task) } };
	}
}

/** Whether certainly nothing was sent, or it was refused. */
function isNothing(outcome: Outcome | undefined): boolean {
	if (outcome === undefined) return true;
	return 'failure' in outcome && !outcome.failure.mayHaveHappened;
}
