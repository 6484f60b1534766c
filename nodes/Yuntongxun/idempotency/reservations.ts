import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { KeyedMutex } from '../util/concurrency';
import { MAX_ENTRIES, ProcessedRecords } from './processedRecords';
import { getCurrentPeriod, getQuotaCounter } from './quotas';
import type { Quota, QuotaSlot } from './quotas';

/** How many records a run may need: a node remembers as many from before it. */
export const MAX_RECORDS = MAX_ENTRIES / 2;

/** What limits how often numbers are reached. */
export interface Guards {
	/** Idempotency key: reaches a number once. */
	key?: string;
	/** How often this node may reach one line. */
	perRecipient?: Quota;
	/** How often this node may reach anybody. */
	total?: Quota;
}

/** A phone number to reach. */
export interface ReservedNumber {
	/** The whole number, as keys compare it. */
	readonly key: string;
	/** The line that it reaches, as counts compare it. */
	readonly line: string;
}

/** Why a number is skipped. */
export type Skip =
	/** Its key has reached it before. */
	| { reason: 'duplicate' }
	/** Its count, or the total, is used up until `end`, in the service's time. */
	| { reason: 'limit' | 'total'; quota: Quota; end: string };

/** What came of reserving for a number. */
export type ReserveOutcome =
	/** It may be reached, unless it is skipped. */
	| { ok: true; skip?: Skip }
	/** n8n did not say that it recorded it. */
	| { ok: false; error: unknown };

/** How many records these numbers need. */
export function countRecords(wanted: Iterable<{ number: ReservedNumber; guards: Guards }>): number {
	const keys = new Set<string>();
	let counts = 0;
	for (const { number, guards } of wanted) {
		if (guards.key !== undefined) keys.add(`${number.key} ${guards.key}`);
		if (guards.perRecipient) counts += 1;
		if (guards.total) counts += 1;
	}
	return keys.size + counts;
}

/** Locks the keys and lines of all nodes. */
const mutex = new KeyedMutex();

/**
 * Reserves keys and counts for one run of a node. A run that dies keeps what it has reserved: nobody
 * knows whom it reached.
 */
export class Reservations {
	private readonly records: ProcessedRecords;

	constructor(context: IExecuteFunctions) {
		this.records = new ProcessedRecords(context);
	}

	/** Waits until no other request in this process uses a key or count of the numbers. */
	async lock(numbers: readonly ReservedNumber[], guards: Guards): Promise<Reservation> {
		const { node } = this.records;
		const names: string[] = [];
		for (const { key, line } of numbers) {
			if (guards.key !== undefined) names.push(`${node} ${key} ${guards.key}`);
			if (guards.perRecipient) names.push(`${node} ${line}`);
		}
		// In memory: nobody else may check a key while this request may still give it back. The total
		// is not locked, as each number takes a slot of its own.
		const unlock = await mutex.lock(names);
		return new Reservation(numbers, guards, this.records, unlock);
	}

	/** Ends the run, and makes sure that its records are there. */
	async close(): Promise<void> {
		await this.records.close();
	}
}

/** A record that a request holds: a key, or a slot of a quota. */
interface HeldRecord {
	record: string;
	/** Call it once the record was removed. */
	free(): void;
}

/** What a request reserves, from its lock until `unlock`. */
export class Reservation {
	/** Whether something may stay recorded though nobody was reached. */
	mayLeaveRecords = false;

	private readonly held: HeldRecord[] = [];

	constructor(
		private readonly numbers: readonly ReservedNumber[],
		private readonly guards: Guards,
		private readonly records: ProcessedRecords,
		readonly unlock: () => void,
	) {}

	/**
	 * Reserves for each number first the key, then the count, then the total. A skipped number holds
	 * nothing: it gives its key back at once.
	 *
	 * @returns an outcome for each number; if one is not ok, nothing may be sent: call `release`
	 */
	async reserve(): Promise<ReserveOutcome[]> {
		const { key, perRecipient, total } = this.guards;
		if (key === undefined && !perRecipient && !total) return this.numbers.map(() => ({ ok: true }));

		const outcomes = await Promise.all(
			this.numbers.map(async (each) => await this.reserveOne(each)),
		);
		if (outcomes.some(({ ok }) => !ok)) this.mayLeaveRecords = true;
		return outcomes;
	}

	/** Frees all that is held. Call it before `unlock`, and only if certainly nobody was reached. */
	async release(): Promise<void> {
		await this.free(this.held.splice(0));
	}

	private async reserveOne(number: ReservedNumber): Promise<ReserveOutcome> {
		const taken: HeldRecord[] = [];
		try {
			const skip = await this.take(number, taken);
			if (skip === undefined) this.held.push(...taken);
			else await this.free(taken);
			return { ok: true, skip };
		} catch (error) {
			this.held.push(...taken);
			return { ok: false, error };
		}
	}

	/** Takes the key and the slots of a number, into the list. @returns why it is skipped, if it is */
	private async take(
		{ key: number, line }: ReservedNumber,
		taken: HeldRecord[],
	): Promise<Skip | undefined> {
		const { key } = this.guards;
		if (key === undefined) return await this.takeSlots(line, taken);

		const record = `key ${hash(`${number}\n${key}`)}`;
		// If this throws, the record may be there, but it may also be another run's: it stays.
		const fresh = await this.records.record([record]);
		if (!fresh.has(record)) return { reason: 'duplicate' };
		taken.push({ record, free: () => undefined });
		return await this.takeSlots(line, taken);
	}

	/** Takes a slot of each quota, into the list. @returns the quota that is used up, if any */
	private async takeSlots(line: string, taken: HeldRecord[]): Promise<Skip | undefined> {
		const { perRecipient, total } = this.guards;
		const counted = [
			{ reason: 'limit' as const, name: `count of ${hash(line)}`, quota: perRecipient },
			{ reason: 'total' as const, name: 'total', quota: total },
		];
		for (const { reason, name, quota } of counted) {
			if (quota === undefined) continue;
			const { start, end } = getCurrentPeriod(quota.period);
			const counter = getQuotaCounter(this.records.node, `${name} in ${quota.period} ${start}`);
			const slot: QuotaSlot | undefined = await counter.take(this.records, quota.max);
			if (slot === undefined) return { reason, quota, end };
			taken.push(slot);
		}
		return undefined;
	}

	private async free(held: readonly HeldRecord[]): Promise<void> {
		try {
			await this.records.remove(held.map(({ record }) => record));
		} catch {
			this.mayLeaveRecords = true;
			return;
		}
		for (const each of held) each.free();
	}
}

/** Hides phone numbers from n8n's database. */
const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
