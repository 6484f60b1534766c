import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { countSent, findFullLimit } from './limits';
import type { Limit } from './limits';
import { RecordedKeys } from './recordedKeys';

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
	/** Its key has reached it before, may have, or is about to. */
	| { reason: 'duplicate' }
	/** A limit is used up until `end`, in the service's time; of several the last one to end. */
	| { reason: 'limit'; limit: Limit; end: string };

/** What a request holds of keys and counts. Whoever forgets it has used them up. */
export interface Reservation {
	/** Why each number is skipped, in their order. */
	readonly skips: ReadonlyArray<Skip | undefined>;
	/** Whether the key of a number that is skipped may stay recorded. */
	readonly mayLeaveRecords: boolean;
	/**
	 * Frees all that is held. Call it only if certainly nobody was reached.
	 *
	 * @returns whether n8n confirmed it
	 */
	release(): Promise<boolean>;
}

/** What stands for an idempotency key: 43 characters, however long the key is. */
export const digestKey = (key: string): string => hash(key);

/** Hides phone numbers and values from n8n's database. */
const hash = (text: string) => createHash('sha256').update(text).digest('base64url');

const toRecord = (number: ReservedNumber, key: string) => `key ${hash(`${number.key}\n${key}`)}`;

/** How many records the IDs of a run need: one for each number. */
export function countKeys(
	messages: ReadonlyArray<{ recipients: readonly ReservedNumber[]; guards: Guards }>,
): number {
	const keys = new Set<string>();
	for (const { recipients, guards } of messages) {
		if (guards.key === undefined) continue;
		for (const number of recipients) keys.add(`${number.key} ${guards.key}`);
	}
	return keys.size;
}

/** A number that gets a request, and what it holds. */
interface Wanted {
	readonly number: ReservedNumber;
	/** What stands for its key in n8n's row. */
	readonly record?: string;
	skip?: Skip;
	/** Takes its counts back. */
	undo?(): void;
}

/**
 * Reserves the key and the counts of each number, right before its request. A number that is skipped
 * holds neither. A run that dies keeps what it has reserved: nobody knows whom it reached.
 */
export class Reservations {
	private readonly keys: RecordedKeys;

	constructor(context: IExecuteFunctions) {
		this.keys = new RecordedKeys(context);
	}

	/** @throws Error if n8n did not confirm that it recorded a key. Then nothing is held. */
	async reserve(
		numbers: readonly ReservedNumber[],
		{ key, limits = [] }: Guards,
	): Promise<Reservation> {
		const all = numbers.map((number): Wanted => {
			return key === undefined ? { number } : { number, record: toRecord(number, key) };
		});
		for (const wanted of all) wanted.skip = this.findSkip(wanted, limits);

		const beaten = await this.takeKeys(all);
		const spare = this.takeCounts(all, limits);
		const isFreed = await this.keys.remove(spare);
		// A limit may have left out who was first: then these are duplicates of nothing, and it leaves them out, too.
		for (const wanted of beaten) wanted.skip = this.findSkip(wanted, limits) ?? wanted.skip;
		return {
			skips: all.map(({ skip }) => skip),
			mayLeaveRecords: !isFreed,
			release: async () => await this.release(all),
		};
	}

	/** What is known without a round trip: a limit that is full leaves the key alone. */
	private findSkip({ number, record }: Wanted, limits: readonly Limit[]): Skip | undefined {
		if (record !== undefined && this.keys.isKnown(record)) return { reason: 'duplicate' };
		const full = findFullLimit(this.keys.node, limits, number.line);
		return full && { reason: 'limit', limit: full.limit, end: full.end };
	}

	/**
	 * Records the keys of all who are not skipped, in one round trip.
	 *
	 * @returns those whose key another request of this process has just taken
	 */
	private async takeKeys(all: readonly Wanted[]): Promise<Wanted[]> {
		const open = all.filter(({ skip, record }) => skip === undefined && record !== undefined);
		const fresh = await this.keys.record(open.flatMap(({ record = [] }) => record));
		const taken = open.filter(({ record }) => !fresh.has(String(record)));
		for (const wanted of taken) wanted.skip = { reason: 'duplicate' };
		return taken.filter(({ record }) => this.keys.isKnown(String(record)));
	}

	/** Counts all who are not skipped. @returns the keys of those whom a limit leaves out */
	private takeCounts(all: readonly Wanted[], limits: readonly Limit[]): string[] {
		const spare: string[] = [];
		for (const wanted of all) {
			if (wanted.skip !== undefined) continue;
			const counted = countSent(this.keys.node, limits, wanted.number.line);
			if (!counted.isFull) {
				wanted.undo = counted.undo;
				continue;
			}
			wanted.skip = { reason: 'limit', limit: counted.limit, end: counted.end };
			if (wanted.record !== undefined) spare.push(wanted.record);
		}
		return spare;
	}

	private async release(all: readonly Wanted[]): Promise<boolean> {
		const held = all.filter(({ skip }) => skip === undefined);
		for (const { undo } of held) undo?.();
		return await this.keys.remove(held.flatMap(({ record = [] }) => record));
	}
}
