import type { IDataObject } from 'n8n-workflow';

import type { Claims } from './claims';
import type { Result } from './items';

/** What has to be known of things that are to be done once only. */
export interface OnceOnly<T> {
	/** What a thing is known by; one without is done whenever it comes. */
	keyOf(thing: T): string | undefined;
	/** The output for a thing whose key was used before. */
	duplicateOf(thing: T): IDataObject;
	/** Whether what was thrown makes it certain that nothing was done. */
	wasRefused(thrown: unknown): boolean;
}

/** What became of asking for a key. */
type Claim = { isNew: boolean } | { thrown: unknown };

/**
 * Does the work for the things whose key was never used, and gives back the keys of those of which
 * certainly nothing came.
 *
 * @param work gives a result for each of the things it is given; never rejects
 * @returns a result for each of the things
 */
export async function onceOnly<T>(
	claims: Claims,
	things: T[],
	{ keyOf, duplicateOf, wasRefused }: OnceOnly<T>,
	work: (fresh: T[]) => Promise<Result[]>,
): Promise<Result[]> {
	const asked = await Promise.all(things.map(async (thing) => await claim(claims, keyOf(thing))));
	const fresh = things.filter((_thing, position) => isNew(asked[position]));
	const done = fresh.length === 0 ? [] : await work(fresh);
	await Promise.all(
		fresh.map(async (thing, position) => {
			const key = keyOf(thing);
			if (key !== undefined && isNothing(done[position], wasRefused)) await claims.release(key);
		}),
	);
	const results = done.values();
	return things.map((thing, position): Result => {
		const answer = asked[position];
		if ('thrown' in answer) return { thrown: answer.thrown, begun: false };
		return answer.isNew ? (results.next().value as Result) : { output: [duplicateOf(thing)] };
	});
}

async function claim(claims: Claims, key: string | undefined): Promise<Claim> {
	if (key === undefined) return { isNew: true };
	try {
		return { isNew: await claims.claim(key) };
	} catch (thrown) {
		return { thrown };
	}
}

const isNew = (answer: Claim) => 'isNew' in answer && answer.isNew;

/** Whether it is certain that nothing came of the work. */
function isNothing(result: Result, wasRefused: (thrown: unknown) => boolean): boolean {
	if (result === 'notBegun') return true;
	return 'thrown' in result && (result.begun === false || wasRefused(result.thrown));
}
