import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { identifyNode } from '../util/n8nInternals';
import { countSent, findFullLimit } from './limits';
import type { Limit } from './limits';
import { getRecordedKeys } from './recordedKeys';
import type { RecordedKeys } from './recordedKeys';

/** What limits how often numbers are reached. */
export interface Guards {
	/** Stands for the idempotency key, which reaches a number once: `digestKey` makes it. */
	key?: string;
	limits?: readonly Limit[];
}

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

/** What a request holds of keys and counts. If `release` is never called, they stay used. */
export interface Reservation {
	/** Why each number is skipped, in their order. */
	readonly skips: ReadonlyArray<Skip | undefined>;
	/**
	 * Frees all that is held. Call it only if certainly nobody was reached.
	 *
	 * @returns whether n8n confirmed it, and that it freed the keys of numbers that are skipped
	 */
	release(): Promise<boolean>;
}

const NOTHING_HELD: Reservation = { skips: [], release: async () => await Promise.resolve(true) };

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

/** A number, and what it holds. */
interface Wanted {
	readonly line: string;
	/** What stands for its key in n8n's row. */
	readonly record?: string;
	skip?: Skip;
	/** Takes its counts back; of all that are held. */
	undo?(): void;
}

const isWanted = ({ skip }: Wanted): boolean => skip === undefined;

const listRecords = (all: readonly Wanted[]): string[] => all.flatMap(({ record = [] }) => record);

/**
 * Reserves the key and the counts of each number, right before its request. A number that is skipped
 * holds neither. A run that dies keeps what it has reserved: nobody knows whom it reached.
 */
export class Reservations {
	private readonly node: string;

	constructor(private readonly context: IExecuteFunctions) {
		this.node = identifyNode(context);
	}

	/** @throws Error if n8n did not confirm that it recorded a key. Then nothing is held. */
	async reserve(
		numbers: readonly ReservedNumber[],
		{ key, limits = [] }: Guards,
	): Promise<Reservation> {
		if (key === undefined && limits.length === 0) return NOTHING_HELD;
		const keys = getRecordedKeys(this.node);
		const all = numbers.map((number): Wanted => {
			const record = key === undefined ? undefined : toRecord(number, key);
			return { line: number.line, record };
		});
		// What is known without a round trip: a limit that is full leaves the key alone.
		const findSkip = ({ record, line }: Wanted): Skip | undefined => {
			if (record !== undefined && keys.isKnown(record)) return { reason: 'duplicate' };
			return this.findFull(limits, line);
		};
		for (const wanted of all) wanted.skip = findSkip(wanted);

		let isFreed = true;
		const release = async () => {
			const held = all.filter(({ undo }) => undo !== undefined);
			for (const { undo } of held) undo?.();
			return (await keys.remove(this.context, listRecords(held))) && isFreed;
		};
		let open = all.filter(isWanted);
		while (open.length > 0) {
			const beaten = await this.takeKeys(open, keys).catch(async (error: unknown) => {
				await release();
				throw error;
			});
			const spare = this.takeCounts(open.filter(isWanted), limits);
			isFreed = (await keys.remove(this.context, spare)) && isFreed;
			// If a limit stopped the request that took the key, the key is free again: try once more.
			for (const wanted of beaten) wanted.skip = findSkip(wanted);
			open = beaten.filter(isWanted);
		}
		return { skips: all.map(({ skip }) => skip), release };
	}

	/**
	 * Records the keys of numbers, in one round trip.
	 *
	 * @returns those whose key another request of this process has just taken
	 */
	private async takeKeys(open: readonly Wanted[], keys: RecordedKeys): Promise<Wanted[]> {
		const fresh = await keys.record(this.context, listRecords(open));
		const taken = open.filter(({ record }) => record !== undefined && !fresh.has(record));
		for (const wanted of taken) wanted.skip = { reason: 'duplicate' };
		return taken.filter(({ record = '' }) => keys.isKnown(record));
	}

	/** Counts numbers. @returns the keys of those whom a limit leaves out */
	private takeCounts(open: readonly Wanted[], limits: readonly Limit[]): string[] {
		for (const wanted of open) {
			wanted.skip = this.findFull(limits, wanted.line);
			if (isWanted(wanted)) wanted.undo = countSent(this.node, limits, wanted.line);
		}
		return listRecords(open.filter((wanted) => !isWanted(wanted)));
	}

	private findFull(limits: readonly Limit[], line: string): Skip | undefined {
		const full = findFullLimit(this.node, limits, line);
		return full && { reason: 'limit', ...full };
	}
}
