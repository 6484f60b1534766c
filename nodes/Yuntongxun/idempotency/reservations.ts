import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { KeyedMutex } from '../util/concurrency';
import { currentPeriod } from '../util/serviceTime';
import { KeyStore } from './keyStore';
import { quotaOf } from './quotas';
import type { Slot } from './quotas';

/** Most records that one run may need: a node remembers as many from before it. */
export const MAX_RECORDS = 10_000;

/** How often something may happen in a clock hour or calendar day of the service's time. */
export interface Limit {
	max: number;
	period: 'hour' | 'day';
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
	/** The limit that is reached, and when its period ends, in the service's time. */
	limit?: Limit & { end: string };
	/** Refused only because of another item that the same request serves. */
	isRepeated?: boolean;
}

/** How many records a run needs for its numbers. */
export function recordsNeeded(wanted: Iterable<Wanted>): number {
	const keys = new Set<string>();
	let counts = 0;
	for (const { number, terms } of wanted) {
		for (const { key } of terms) if (key !== undefined) keys.add(`${number} ${key}`);
		counts += new Set(terms.flatMap(({ perRecipient }) => perRecipient?.period ?? [])).size;
		counts += new Set(terms.flatMap(({ total }) => total?.period ?? [])).size;
	}
	return keys.size + counts;
}

/** Of the keys and lines of all nodes. */
const mutex = new KeyedMutex();

/** What the run of a node reserves for the numbers that it reaches. */
export class Reservations extends KeyStore {
	constructor(context: IExecuteFunctions) {
		super(context, 'the Idempotency Key or the count of a request, so it was not sent');
	}

	/** Waits until no other request in this process works with a key or a count of the numbers. */
	async lock(wanted: readonly Wanted[]): Promise<Reservation> {
		const names = wanted.flatMap(({ number, line, terms }) =>
			terms.flatMap(({ key, perRecipient }) => [
				...(key === undefined ? [] : [`${this.node} ${number} ${key}`]),
				...(perRecipient ? [`${this.node} ${line}`] : []),
			]),
		);
		return new Reservation(wanted, this, await mutex.lock(names));
	}
}

/** A key, or a slot of a count, that a request holds. */
type Held = Pick<Slot, 'entry'> & Partial<Slot>;

/** What one request reserves, from the lock on until it is unlocked. */
export class Reservation {
	private readonly heldByNumber: Held[][] = [];

	constructor(
		private readonly wanted: readonly Wanted[],
		private readonly store: KeyStore,
		readonly unlock: () => void,
	) {}

	/**
	 * Reserves number by number: first the keys, then the count, then the total. A number that is
	 * refused holds nothing.
	 *
	 * @returns for each number and each of its items why it is left out; undefined where it is not
	 * @throws Error if n8n did not record it; release what is held then
	 */
	async reserve(): Promise<Array<Array<Refusal | undefined>>> {
		const all = this.wanted.map(async (each) => await this.reserveOne(each));
		// Whoever releases after a failure must know all that is held.
		await Promise.allSettled(all);
		return await Promise.all(all);
	}

	/** Frees all that is held. Call it before `unlock`, and only where certainly nobody was reached. */
	async release(): Promise<void> {
		await this.free(this.heldByNumber.splice(0).flat());
	}

	private async reserveOne({ number, line, terms }: Wanted): Promise<Array<Refusal | undefined>> {
		const keys = terms.map(({ key }) =>
			key === undefined ? undefined : `key ${hash(`${number}\n${key}`)}`,
		);
		const fresh = await this.store.record(keys.filter((name) => name !== undefined));
		const own = [...fresh].map((entry): Held => ({ entry }));
		this.heldByNumber.push(own);
		const unused = new Set(fresh);
		const refusals = keys.map((name): Refusal | undefined => {
			if (name === undefined || unused.delete(name)) return undefined;
			return { reason: 'duplicate', isRepeated: fresh.has(name) };
		});
		const served = terms.filter((_terms, position) => refusals[position] === undefined);
		for (const [name, over] of limitsOf(served, line)) {
			const quota = quotaOf(this.store.node, name, over.reason === 'total');
			const slot = await quota.take(this.store, over.limit.max);
			if (slot === undefined) {
				await this.free(own.splice(0));
				return refusals.map((refusal) => (refusal && !refusal.isRepeated ? refusal : over));
			}
			own.push(slot);
		}
		return refusals;
	}

	private async free(held: readonly Held[]): Promise<void> {
		await this.store.remove(held.map(({ entry }) => entry));
		for (const each of held) each.free?.();
	}
}

/** What counts a line, then what counts all, by name; of several in one period the strictest. */
function limitsOf(terms: readonly Terms[], line: string): Map<string, Refusal & { limit: Limit }> {
	const limits = new Map<string, Refusal & { limit: Limit }>();
	const add = (reason: 'limit' | 'total', counted: string, limit?: Limit) => {
		if (limit === undefined) return;
		const { start, end } = currentPeriod(limit.period);
		const name = `${counted} in ${limit.period} ${start}`;
		const over = { reason, limit: { ...limit, end } };
		if (limit.max < (limits.get(name)?.limit.max ?? Infinity)) limits.set(name, over);
	};
	for (const { perRecipient } of terms) add('limit', `count of ${hash(line)}`, perRecipient);
	for (const { total } of terms) add('total', 'total', total);
	return limits;
}

/** n8n's database gets no phone number. */
const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
