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
	terms: Terms;
}

/** Why a number is left out: its key has reached it before, or a limit is reached. */
export interface Refusal {
	reason: 'duplicate' | 'limit' | 'total';
	/** The limit that is reached, and when its period ends, in the service's time. */
	limit?: Limit & { end: string };
}

/** How many records a run needs for its numbers. */
export function recordsNeeded(wanted: Iterable<Wanted>): number {
	const keys = new Set<string>();
	let counts = 0;
	for (const { number, terms } of wanted) {
		const { key, perRecipient, total } = terms;
		if (key !== undefined) keys.add(`${number} ${key}`);
		counts += [perRecipient, total].filter(Boolean).length;
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
		const names = wanted.flatMap(({ number, line, terms: { key, perRecipient } }) => [
			...(key === undefined ? [] : [`${this.node} ${number} ${key}`]),
			...(perRecipient ? [`${this.node} ${line}`] : []),
		]);
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
	 * @returns for each number why it is left out; undefined where it is not
	 * @throws Error if n8n did not record it; release what is held then
	 */
	async reserve(): Promise<Array<Refusal | undefined>> {
		const all = this.wanted.map(async (each) => await this.reserveOne(each));
		// Whoever releases after a failure must know all that is held.
		await Promise.allSettled(all);
		return await Promise.all(all);
	}

	/** Frees all that is held. Call it before `unlock`, and only where certainly nobody was reached. */
	async release(): Promise<void> {
		await this.free(this.heldByNumber.splice(0).flat());
	}

	private async reserveOne({ number, line, terms }: Wanted): Promise<Refusal | undefined> {
		const held: Held[] = [];
		this.heldByNumber.push(held);
		if (terms.key !== undefined) {
			const entry = `key ${hash(`${number}\n${terms.key}`)}`;
			const fresh = await this.store.record([entry]);
			if (!fresh.has(entry)) return { reason: 'duplicate' };
			held.push({ entry });
		}
		for (const [name, over] of limitsOf(terms, line)) {
			const slot = await quotaOf(this.store.node, name).take(this.store, over.limit.max);
			if (slot === undefined) {
				await this.free(held.splice(0));
				return over;
			}
			held.push(slot);
		}
		return undefined;
	}

	private async free(held: readonly Held[]): Promise<void> {
		await this.store.remove(held.map(({ entry }) => entry));
		for (const each of held) each.free?.();
	}
}

/** What counts the line, then what counts all, by name. */
function limitsOf(
	{ perRecipient, total }: Terms,
	line: string,
): Array<[string, Refusal & { limit: Limit }]> {
	const limits: Array<[string, Refusal & { limit: Limit }]> = [];
	const add = (reason: 'limit' | 'total', counted: string, limit?: Limit) => {
		if (limit === undefined) return;
		const { start, end } = currentPeriod(limit.period);
		limits.push([`${counted} in ${limit.period} ${start}`, { reason, limit: { ...limit, end } }]);
	};
	add('limit', `count of ${hash(line)}`, perRecipient);
	add('total', 'total', total);
	return limits;
}

/** n8n's database gets no phone number. */
const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
