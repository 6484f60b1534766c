import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { KeyedMutex } from '../util/concurrency';
import { nodeKey } from '../util/nodeKey';
import { KeyStore } from './keyStore';
import { currentPeriod } from './period';
import type { Period } from './period';
import { quotasOf } from './quotas';
import type { Taken } from './quotas';

/** Most records that one run may need: a node remembers as many from before it. */
export const MAX_RECORDS = 10_000;

/** How often something may happen in a clock hour or calendar day of the service's time. */
export interface Limit {
	max: number;
	period: Period;
}

/** What an input item asks of the numbers that it names. */
export interface Terms {
	/** Never reaches the same number twice. */
	key?: string;
	/** How often this node may reach one line. */
	perRecipient?: Limit;
	/** How often this node may reach anybody. */
	total?: Limit;
}

/** A phone number that is to be reached. */
export interface Wanted {
	/** The whole number, as keys compare it. */
	number: string;
	/** The line that it reaches, as counts compare it. */
	line: string;
	/** The terms of each item that names it. */
	terms: readonly Terms[];
}

/** Why a number is left out: its key has reached it before, or a limit is reached. */
export interface Refusal {
	reason: 'duplicate' | 'limit' | 'total';
	/** The limit that is reached. */
	limit?: Limit;
	/** Refused only because of another item that the same request serves. */
	isRepeated?: boolean;
}

/** How many records a run needs for its numbers. */
export function recordsNeeded(wanted: Iterable<Wanted>): number {
	const keys = new Set<string>();
	let counts = 0;
	for (const { number, terms } of wanted) {
		for (const { key } of terms) if (key !== undefined) keys.add(`${number} ${key}`);
		if (terms.some(({ perRecipient }) => perRecipient)) counts++;
		if (terms.some(({ total }) => total)) counts++;
	}
	return keys.size + counts;
}

/** Of the keys and lines of all nodes. */
const mutex = new KeyedMutex();

/** What the run of a node reserves for the numbers that it reaches. */
export class Reservations {
	private readonly store: KeyStore;

	private readonly quota: ReturnType<typeof quotasOf>;

	private readonly node: string;

	constructor(context: IExecuteFunctions) {
		this.store = new KeyStore(context);
		this.quota = quotasOf(context);
		this.node = nodeKey(context);
	}

	/** Waits until no other request in this process works with a key or a count of the numbers. */
	async lock(wanted: readonly Wanted[]): Promise<Reservation> {
		const named = wanted.map((each) => ({
			...each,
			lineHash: each.terms.some(({ perRecipient }) => perRecipient) ? hash(each.line) : undefined,
			keys: each.terms.map(({ key }) =>
				key === undefined ? undefined : `key ${hash(`${each.number}\n${key}`)}`,
			),
		}));
		const names = named.flatMap(({ keys, lineHash }) =>
			[...keys, lineHash].filter((name) => name !== undefined),
		);
		const unlock = await mutex.lock(names.map((name) => `${this.node} ${name}`));
		return new Reservation(named, this.store, this.quota, unlock);
	}

	/** Makes sure of what this run recorded. Call it at its end. */
	async close(): Promise<void> {
		await this.store.ensureRecorded();
	}
}

interface Named extends Wanted {
	lineHash?: string;
	/** Name of the key of each item; undefined if it has none. */
	keys: ReadonlyArray<string | undefined>;
}

/** What one request reserves, from the lock on until it is unlocked. */
export class Reservation {
	private readonly keys = new Set<string>();

	private readonly slots = new Set<Taken>();

	constructor(
		private readonly wanted: readonly Named[],
		private readonly store: KeyStore,
		private readonly quota: ReturnType<typeof quotasOf>,
		readonly unlock: () => void,
	) {}

	/**
	 * Reserves number by number: first the keys, then the count, then the total. A number that is
	 * refused holds nothing.
	 *
	 * @returns for each number and each of its items why it is left out; undefined where it is not
	 * @throws Error if n8n did not record it; nothing is held then
	 */
	async reserve(): Promise<Array<Array<Refusal | undefined>>> {
		const results = await Promise.allSettled(
			this.wanted.map(async (each) => await this.reserveOne(each)),
		);
		const failed = results.find((result) => result.status === 'rejected');
		if (failed === undefined) {
			return results.map((result) => (result.status === 'fulfilled' ? result.value : []));
		}
		await this.release();
		const words = failed.reason instanceof Error ? failed.reason.message : String(failed.reason);
		throw new Error(
			`n8n did not record the Idempotency Key or the count of this item, so nothing was sent. Database message: ${words}`,
			{ cause: failed.reason },
		);
	}

	/** Frees all that is held. Call it before `unlock`, and only where certainly nobody was reached. */
	async release(): Promise<void> {
		await this.free([...this.keys], [...this.slots]);
	}

	private async reserveOne({ terms, keys, lineHash }: Named): Promise<Array<Refusal | undefined>> {
		const asked = keys.filter((name) => name !== undefined);
		const fresh = asked.length > 0 ? await this.store.record(asked) : new Set<string>();
		const own = new Set(fresh);
		for (const name of own) this.keys.add(name);
		const refusals = keys.map((name): Refusal | undefined => {
			if (name === undefined || fresh.delete(name)) return undefined;
			return { reason: 'duplicate', isRepeated: own.has(name) };
		});
		const served = terms.filter((_terms, position) => refusals[position] === undefined);
		const slots: Taken[] = [];
		for (const [name, count] of [...countsOf(served, lineHash), ...totalsOf(served)]) {
			const slot = await this.quota(name).take(this.store, count.limit.max);
			if (slot === undefined) {
				await this.free([...own], slots);
				return refusals.map((refusal) =>
					refusal === undefined || refusal.isRepeated ? count : refusal,
				);
			}
			slots.push(slot);
			this.slots.add(slot);
		}
		return refusals;
	}

	private async free(keys: readonly string[], slots: readonly Taken[]): Promise<void> {
		for (const name of keys) this.keys.delete(name);
		for (const slot of slots) this.slots.delete(slot);
		const entries = [...keys, ...slots.map(({ entry }) => entry)];
		if (entries.length === 0) return;
		await this.store.remove(entries);
		for (const { quota, slot } of slots) quota.free(slot);
	}
}

interface Count extends Refusal {
	limit: Limit;
}

/** The counts of a line by name; where several items count in the same period, the strictest. */
const countsOf = (terms: readonly Terms[], lineHash = '') =>
	strictest(
		'limit',
		terms.map(({ perRecipient }) => perRecipient),
		({ period }) => `count of ${period} ${currentPeriod(period).start} ${lineHash}`,
	);

const totalsOf = (terms: readonly Terms[]) =>
	strictest(
		'total',
		terms.map(({ total }) => total),
		({ period }) => `total of ${period} ${currentPeriod(period).start}`,
	);

function strictest(
	reason: 'limit' | 'total',
	limits: ReadonlyArray<Limit | undefined>,
	nameOf: (limit: Limit) => string,
): Map<string, Count> {
	const counts = new Map<string, Count>();
	for (const limit of limits) {
		if (limit === undefined) continue;
		const known = counts.get(nameOf(limit));
		if (known === undefined || limit.max < known.limit.max) {
			counts.set(nameOf(limit), { reason, limit });
		}
	}
	return counts;
}

/** n8n's database gets no phone number. */
const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
