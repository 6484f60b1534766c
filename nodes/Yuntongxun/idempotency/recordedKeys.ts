import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { translate } from '../language/translate';
import { BoundedMap } from '../util/boundedMap';
import { endInTime } from '../util/concurrency';
import { getWords } from '../util/text';

/** How many keys n8n keeps for a node, and how many of its own this process knows without asking. */
export const MAX_RECORDS = 20_000;

/**
 * How many of the latest keys each round trip records again: another worker, or a write that came late, may
 * have put the old row back. All others are old enough to be in it.
 */
const RECORDED_AGAIN = 200;

/** n8n searches the whole row for each key that it removes. */
const REMOVED_AT_ONCE = 500;

/** How long a round trip may take, in milliseconds: one without an end would hold up every run of the node. */
const MAX_TRIP_MS = 10_000;

/** A database's words for a second row of the same node: another process has just made the first. */
const ROW_EXISTS = /duplicate key value|unique constraint|duplicate entry/i;

const SCOPE = 'node';
const MODE = 'entries';

/** A key was asked for in a round trip that is still under way. */
class Unconfirmed extends Error {}

/** What the next round trip is to remove, and then to record, for all who ask until it starts. */
interface Batch {
	readonly removals: Set<string>;
	readonly removed: Promise<void>;
	readonly records: Set<string>;
	/** Those of the records that were new. */
	readonly recorded: Promise<Set<string>>;
}

/**
 * What a node records in n8n's database: n8n's row of its processed records, a set that is read, changed and
 * written back without a lock. So this process never has two round trips of a node under way at once, but for one
 * that took longer than ten seconds.
 */
export class RecordedKeys {
	/** Recorded by this process and not removed since. */
	private readonly known = new BoundedMap<string, true>(MAX_RECORDS);

	/** Asked for in a round trip that took too long and is still under way. */
	private readonly unconfirmed = new Set<string>();

	private next: Batch | undefined;

	private lastTrip: Promise<unknown> = Promise.resolve();

	/** Whether this process has recorded it, and knows so without asking n8n. */
	isKnown(key: string): boolean {
		return this.known.has(key);
	}

	/**
	 * Records; the keys stay until `remove`.
	 *
	 * @returns the keys that were new: of several who ask for one the first gets it
	 * @throws Error if n8n did not confirm that it recorded them; it may have
	 */
	async record(context: IExecuteFunctions, keys: readonly string[]): Promise<Set<string>> {
		this.requireConfirmed(keys);
		const open = keys.filter((key) => !this.isKnown(key));
		if (open.length === 0) return new Set();

		const { records, recorded } = this.joinBatch(context);
		const own = open.filter((key) => !records.has(key));
		for (const key of own) records.add(key);
		const findOwn = (fresh: Set<string>) => new Set(own.filter((key) => fresh.has(key)));
		return await recorded.then(findOwn, async (error: unknown) => {
			if (!(error instanceof Unconfirmed)) throw error;
			// The key can be another request's of this batch.
			return await this.record(context, keys);
		});
	}

	/** Removes keys, so that they can be recorded anew. @returns whether n8n confirmed it; its log says if not */
	async remove(context: IExecuteFunctions, keys: readonly string[]): Promise<boolean> {
		if (keys.length === 0) return true;
		for (const key of keys) this.known.delete(key);
		const { removals, removed } = this.joinBatch(context);
		for (const key of keys) removals.add(key);
		try {
			await removed;
			return true;
		} catch (error) {
			const words = getWords(error);
			context.logger.warn(`n8n may have kept records though nobody was reached. ${words}`);
			return false;
		}
	}

	private joinBatch(context: IExecuteFunctions): Batch {
		if (this.next) return this.next;

		const [removals, records] = [new Set<string>(), new Set<string>()];
		const start = this.lastTrip.then(async () => {
			// Yield once, so that what is asked in this tick shares a round trip.
			await sleep(0);
			this.next = undefined;
		});
		const removed = start.then(async () => await removeFromRow(context, [...removals]));
		const recorded = removed
			.catch(() => undefined)
			.then(async () => await this.recordInRow(context, [...records]));
		this.lastTrip = recorded.catch(() => undefined);
		this.next = { removals, removed, records, recorded };
		return this.next;
	}

	private async recordInRow(
		context: IExecuteFunctions,
		keys: readonly string[],
	): Promise<Set<string>> {
		// Since they were asked for, an earlier round trip may have recorded some, or taken too long.
		this.requireConfirmed(keys);
		const open = keys.filter((key) => !this.isKnown(key));
		if (open.length === 0) return new Set();

		const again = [...this.known.keys()].slice(-RECORDED_AGAIN);
		const trip = recordOnce(context, [...open, ...again]);
		const fresh = await endInTime(MAX_TRIP_MS, trip).catch((error: unknown) => {
			for (const key of open) this.unconfirmed.add(key);
			void this.freeLate(context, open, trip);
			const words = getWords(error);
			throw new Error(translate('Database message: {words}', { words }), { cause: error });
		});
		for (const key of open) if (fresh.has(key)) this.known.set(key, true);
		return fresh;
	}

	/** Frees what n8n confirms too late: nothing was sent with it. Never rejects. */
	private async freeLate(
		context: IExecuteFunctions,
		keys: readonly string[],
		trip: Promise<Set<string>>,
	): Promise<void> {
		const late = await trip.catch(() => new Set<string>());
		const fresh = keys.filter((key) => late.has(key));
		await this.remove(context, fresh);
		for (const key of keys) this.unconfirmed.delete(key);
	}

	private requireConfirmed(keys: readonly string[]): void {
		if (!keys.some((key) => this.unconfirmed.has(key))) return;
		throw new Unconfirmed(translate('n8n has not answered yet whether it recorded this before'));
	}
}

async function removeFromRow(context: IExecuteFunctions, keys: readonly string[]): Promise<void> {
	for (let start = 0; start < keys.length; start += REMOVED_AT_ONCE) {
		const some = keys.slice(start, start + REMOVED_AT_ONCE);
		await endInTime(MAX_TRIP_MS, context.helpers.removeProcessed(some, SCOPE, { mode: MODE }));
	}
}

/** Records again if another process has just made the row. @returns the keys that were new */
async function recordOnce(context: IExecuteFunctions, keys: string[]): Promise<Set<string>> {
	const options = { mode: MODE, maxEntries: MAX_RECORDS } as const;
	const record = async () => await context.helpers.checkProcessedAndRecord(keys, SCOPE, options);
	const { new: fresh } = await record().catch(async (error: unknown) => {
		if (!ROW_EXISTS.test(String(error))) throw error;
		return await record();
	});
	return new Set(fresh.map(String));
}

const nodes = new Map<string, RecordedKeys>();

/** What a node records. @param node names it */
export function getRecordedKeys(node: string): RecordedKeys {
	const keys = nodes.get(node) ?? new RecordedKeys();
	nodes.set(node, keys);
	return keys;
}
