import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { KeyedMutex } from '../util/concurrency';
import { MAX_STORED, ProcessedRecords } from './processedRecords';
import { findCounters } from './quotas';
import type { Key, Limit, Slot } from './quotas';
import { takeSlots } from './takeSlots';
import type { TakeOutcome, Want } from './takeSlots';

/** How many records a run may need: a node remembers as many from before it. */
export const MAX_RECORDS = MAX_STORED / 2;

/** What limits how often numbers are reached. */
export interface Guards {
	/** Stands for the idempotency key, which reaches a number once: `digestKey` makes it. */
	key?: string;
	/** How often this node may reach people. */
	limits?: readonly Limit[];
}

/** A phone number to reach. */
export interface ReservedNumber {
	/** The whole number, as keys compare it. */
	readonly key: string;
	/** The line that it reaches, as limits compare it. */
	readonly line: string;
}

/** Why a number is skipped. */
export type Skip =
	/** Its key has reached it before, or may have. */
	| { reason: 'duplicate' }
	/** A limit is used up until `end`, in the service's time; of several the last one to end. */
	| { reason: 'limit'; limit: Limit; end: string };

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
		counts += guards.limits?.filter(({ period }) => period !== 'minute').length ?? 0;
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
		const limitsNumbers = guards.limits?.some((limit) => limit.by === 'number') ?? false;
		const names: string[] = [];
		for (const { key, line } of numbers) {
			if (guards.key !== undefined) names.push(`${node} ${key} ${guards.key}`);
			if (limitsNumbers) names.push(`${node} ${line}`);
		}
		// In memory: nobody else may check a key while this request may still give it back. A total or a
		// value is not locked, as each number takes a slot of its own.
		const unlock = await mutex.lock(names);
		return new Reservation(numbers, guards, this.records, unlock);
	}

	/** Ends the run, and makes sure that its records are there. */
	async close(): Promise<void> {
		await this.records.close();
	}
}

/** What a request reserves, from its lock until `unlock`. */
export class Reservation {
	/** Whether something may stay recorded though nobody was reached. */
	mayLeaveRecords = false;

	/** The keys that the request holds. */
	private readonly keys: Key[] = [];

	/** The counts that the request holds. */
	private readonly slots: Slot[] = [];

	constructor(
		private readonly numbers: readonly ReservedNumber[],
		private readonly guards: Guards,
		private readonly records: ProcessedRecords,
		private readonly unlockAll: () => void,
	) {}

	/**
	 * Reserves the key and all counts of each number in one round trip. A skipped number holds nothing:
	 * it takes no count from others, and gives its key back at once.
	 *
	 * @returns an outcome for each number; if one is not ok, nothing may be sent: call `release`
	 */
	async reserve(): Promise<ReserveOutcome[]> {
		const { key, limits = [] } = this.guards;
		if (key === undefined && limits.length === 0) return this.numbers.map(() => ({ ok: true }));

		const findCounts = this.prepareCounters();
		const asks = this.numbers.map((number) => ({
			key: this.createKey(number.key),
			wants: findCounts(number.line),
		}));
		const outcomes = await takeSlots(this.records, asks);
		this.mayLeaveRecords = outcomes.some(({ kind }) => kind === 'failed');
		const spare: Key[] = [];
		outcomes.forEach((outcome, position) => {
			const { key } = asks[position];
			if (outcome.kind === 'taken') this.slots.push(...outcome.slots);
			// A key that n8n may have recorded may also be another run's: it stays.
			if (key?.isHeld) (outcome.kind === 'usedUp' ? spare : this.keys).push(key);
		});
		await this.free(spare, []);
		return outcomes.map((each, position) => toReserveOutcome(each, asks[position].wants));
	}

	/** Frees all that is held. Call it before `unlock`, and only if certainly nobody was reached. */
	async release(): Promise<void> {
		await this.free(this.keys.splice(0), this.slots.splice(0));
	}

	/** Ends the request. What it still holds is used up. */
	unlock(): void {
		for (const { counter } of this.slots) counter.keep();
		this.unlockAll();
	}

	private createKey(number: string): Key | undefined {
		const { key } = this.guards;
		if (key === undefined) return undefined;
		return { record: `key ${hash(`${number}\n${key}`)}`, isHeld: false };
	}

	/** Finds what the numbers share, once a request. @returns finds what the limits count for a line */
	private prepareCounters(): (line: string) => CountedLimit[] {
		const { limits = [] } = this.guards;
		const finders = limits.map((limit) => {
			const { by, max, value = '' } = limit;
			const find = findCounters(this.records.node, limit);
			const count = (subject: string) => ({ limit, max, counter: find(subject) });
			if (by === 'number') return (line: string) => count(`count of ${hash(line)}`);
			const shared = count(by === 'total' ? 'total' : `value ${hash(value)}`);
			return () => shared;
		});
		return (line) => finders.map((find) => find(line));
	}

	private async free(keys: readonly Key[], slots: readonly Slot[]): Promise<void> {
		if (keys.length + slots.length === 0) return;
		const removing = this.records.remove([...keys, ...slots].flatMap(({ record = [] }) => record));
		// Whoever picks a slot now records it behind the removal.
		for (const slot of slots) {
			slot.isHeld = false;
			slot.counter.putBack(slot);
		}
		try {
			await removing;
		} catch {
			this.mayLeaveRecords = true;
		}
	}
}

function toReserveOutcome(outcome: TakeOutcome, counted: readonly CountedLimit[]): ReserveOutcome {
	switch (outcome.kind) {
		case 'taken':
			return { ok: true };
		case 'duplicate':
			return { ok: true, skip: { reason: 'duplicate' } };
		case 'usedUp':
			return {
				ok: true,
				skip: findLastToEnd(counted.filter((each) => outcome.wants.includes(each))),
			};
		case 'failed':
			return { ok: false, error: outcome.error };
	}
}

type CountedLimit = Want & { limit: Limit };

/** Of the limits that are used up, the one that ends last: until then the number cannot be reached. */
function findLastToEnd(full: readonly CountedLimit[]): Skip | undefined {
	const skips = full.map(({ limit, counter }) => ({
		reason: 'limit' as const,
		limit,
		end: counter.getEnd(),
	}));
	const [first, ...others] = skips;
	return others.reduce((last, each) => (each.end > last.end ? each : last), first);
}

/** What stands for an idempotency key: 43 characters, however long the key is. */
export const digestKey = (key: string): string => hash(key);

/** Hides phone numbers and values from n8n's database. */
const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
