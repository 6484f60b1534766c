import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { KeyedMutex } from '../util/concurrency';
import { currentPeriod } from '../util/serviceTime';
import { MAX_ENTRIES, ProcessedRecords } from './processedRecords';
import { getQuotaCounter } from './quotas';
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
	readonly number: string;
	/** The line that it reaches, as counts compare it. */
	readonly line: string;
}

/** Why a number is skipped. */
export type Skip =
	/** Its key has reached it before. */
	| { reason: 'duplicate' }
	/** Its count, or the total, is used up until `end`, in the service's time. */
	| { reason: 'limit' | 'total'; quota: Quota; end: string };

/** How many records these numbers need. */
export function countRecords(wanted: Iterable<{ number: string; guards: Guards }>): number {
	const keys = new Set<string>();
	let counts = 0;
	for (const { number, guards } of wanted) {
		if (guards.key !== undefined) keys.add(`${number} ${guards.key}`);
		if (guards.perRecipient) counts += 1;
		if (guards.total) counts += 1;
	}
	return keys.size + counts;
}

/** Locks the keys and lines of all nodes. */
const mutex = new KeyedMutex();

/** Reserves keys and counts for one run of a node. */
export class Reservations {
	private readonly records: ProcessedRecords;

	constructor(context: IExecuteFunctions) {
		this.records = new ProcessedRecords(context);
	}

	/** Waits until no other request in this process uses a key or count of the numbers. */
	async lock(numbers: readonly ReservedNumber[], guards: Guards): Promise<Reservation> {
		const { node } = this.records;
		const names: string[] = [];
		for (const { number, line } of numbers) {
			if (guards.key !== undefined) names.push(`${node} ${number} ${guards.key}`);
			if (guards.perRecipient) names.push(`${node} ${line}`);
		}
		return new Reservation(numbers, guards, this.records, await mutex.lock(names));
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
	isUncertain = false;

	private readonly held: HeldRecord[] = [];

	constructor(
		private readonly numbers: readonly ReservedNumber[],
		private readonly guards: Guards,
		private readonly records: ProcessedRecords,
		readonly unlock: () => void,
	) {}

	/**
	 * Reserves for each number first the key, then the count, then the total. A skipped number holds
	 * nothing.
	 *
	 * @returns why each number is skipped; undefined if it is not
	 * @throws Error if n8n did not record it; call `release` then
	 */
	async reserve(): Promise<Array<Skip | undefined>> {
		const { key, perRecipient, total } = this.guards;
		if (key === undefined && !perRecipient && !total) return [];

		const all = this.numbers.map(async (each) => await this.reserveOne(each));
		// Settle all before throwing, so that release() sees all that is held.
		const settled = await Promise.allSettled(all);
		if (settled.some(({ status }) => status === 'rejected')) this.isUncertain = true;
		return await Promise.all(all);
	}

	/** Frees all that is held. Call it before `unlock`, and only if certainly nobody was reached. */
	async release(): Promise<void> {
		await this.free(this.held.splice(0));
	}

	private async reserveOne({ number, line }: ReservedNumber): Promise<Skip | undefined> {
		const own: HeldRecord[] = [];
		const { key } = this.guards;
		if (key !== undefined) {
			const record = `key ${hash(`${number}\n${key}`)}`;
			const fresh = await this.records.record([record]);
			if (!fresh.has(record)) return { reason: 'duplicate' };
			own.push({ record, free: () => undefined });
		}
		const skip = await this.takeSlots(line, own).catch((error: unknown) => {
			this.held.push(...own);
			throw error;
		});
		if (skip === undefined) this.held.push(...own);
		else await this.free(own);
		return skip;
	}

	/** Takes a slot of each quota, into the list. @returns the quota that is used up, if any */
	private async takeSlots(line: string, own: HeldRecord[]): Promise<Skip | undefined> {
		const { perRecipient, total } = this.guards;
		const counted = [
			{ reason: 'limit' as const, name: `count of ${hash(line)}`, quota: perRecipient },
			{ reason: 'total' as const, name: 'total', quota: total },
		];
		for (const { reason, name, quota } of counted) {
			if (quota === undefined) continue;
			const { start, end } = currentPeriod(quota.period);
			const counter = getQuotaCounter(this.records.node, `${name} in ${quota.period} ${start}`);
			const slot: QuotaSlot | undefined = await counter.take(this.records, quota.max);
			if (slot === undefined) return { reason, quota, end };
			own.push(slot);
		}
		return undefined;
	}

	private async free(held: readonly HeldRecord[]): Promise<void> {
		try {
			await this.records.remove(held.map(({ record }) => record));
		} catch {
			this.isUncertain = true;
			return;
		}
		for (const each of held) each.free();
	}
}

/** Hides phone numbers from n8n's database. */
const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
