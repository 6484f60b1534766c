import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { joinSentences, translate } from '../language/translate';
import { BoundedMap } from '../util/boundedMap';
import { endInTime } from '../util/concurrency';
import { identifyNode } from '../util/n8nInternals';
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

/** A database's words for a row that is longer than its column: MySQL and MariaDB with n8n 1. */
const ROW_TOO_LONG = /too long for column/i;

const ABOUT_LONG_ROWS =
	'n8n 1 with MySQL or MariaDB keeps about 2,400 records for a node, and this node is full. Update to n8n 2 or use PostgreSQL; until then, delete this node and add a new one, which starts empty.';

const STILL_UNCONFIRMED = 'n8n has not answered yet whether it recorded this before';

const SCOPE = 'node';
const MODE = 'entries';

/** Keys to record or to remove in the next round trip. */
interface Write {
	readonly kind: 'record' | 'remove';
	readonly keys: readonly string[];
	/** Takes those of its keys that were new. */
	resolve(fresh: Set<string>): void;
	reject(error: unknown): void;
}

/**
 * n8n's row of processed records of one node: a set, read, changed and written back without a lock. All
 * that this process asks of it at the same moment shares one round trip.
 */
class NodeRow {
	/** Recorded by this process and not removed since. */
	private readonly known = new BoundedMap<string, true>(MAX_RECORDS);

	/** Asked for in a round trip that took too long and is still under way. */
	private readonly unconfirmed = new Set<string>();

	private waiting: Write[] = [];

	private isWriting = false;

	isKnown(key: string): boolean {
		return this.known.has(key);
	}

	/** @returns the keys that were new @throws Error if n8n did not confirm that it recorded them */
	async record(context: IExecuteFunctions, keys: readonly string[]): Promise<Set<string>> {
		const open = keys.filter((key) => !this.isKnown(key));
		if (open.length === 0) return new Set();
		return await this.write(context, 'record', open);
	}

	/** From now on they can be recorded anew. @throws Error if n8n did not confirm it */
	async remove(context: IExecuteFunctions, keys: readonly string[]): Promise<void> {
		for (const key of keys) this.known.delete(key);
		if (keys.length > 0) await this.write(context, 'remove', keys);
	}

	private async write(
		context: IExecuteFunctions,
		kind: Write['kind'],
		keys: readonly string[],
	): Promise<Set<string>> {
		return await new Promise((resolve, reject) => {
			this.waiting.push({ kind, keys, resolve, reject });
			if (!this.isWriting) void this.writeAll(context);
		});
	}

	/** Writes until nothing waits: removes, then records, each in one round trip for all. Never rejects. */
	private async writeAll(context: IExecuteFunctions): Promise<void> {
		this.isWriting = true;
		while (this.waiting.length > 0) {
			// Yield once, so that what is asked in this tick shares a round trip.
			await sleep(0);
			const batch = this.waiting.splice(0);
			const removals = batch.filter(({ kind }) => kind === 'remove');
			await settle(removals, this.removeFromRow(context, listKeys(removals)));

			const records = batch.filter(({ kind }) => kind === 'record');
			const unsure = records.filter(({ keys }) => keys.some((key) => this.unconfirmed.has(key)));
			for (const { reject } of unsure) reject(new Error(translate(STILL_UNCONFIRMED)));
			const open = records.filter((write) => !unsure.includes(write));
			await settle(open, this.recordInRow(context, listKeys(open)));
		}
		this.isWriting = false;
	}

	/** @returns none, since nothing is new */
	private async removeFromRow(
		context: IExecuteFunctions,
		keys: readonly string[],
	): Promise<Set<string>> {
		for (let start = 0; start < keys.length; start += REMOVED_AT_ONCE) {
			const some = keys.slice(start, start + REMOVED_AT_ONCE);
			await endInTime(MAX_TRIP_MS, context.helpers.removeProcessed(some, SCOPE, { mode: MODE }));
		}
		return new Set();
	}

	private async recordInRow(
		context: IExecuteFunctions,
		keys: readonly string[],
	): Promise<Set<string>> {
		// An earlier round trip may have recorded some since they were asked for.
		const open = [...new Set(keys)].filter((key) => !this.isKnown(key));
		if (open.length === 0) return new Set();

		const again = [...this.known.keys()].slice(-RECORDED_AGAIN);
		const trip = recordOnce(context, [...open, ...again]);
		const fresh = await endInTime(MAX_TRIP_MS, trip).catch((error: unknown) => {
			for (const key of open) this.unconfirmed.add(key);
			void this.freeLate(context, open, trip);
			throw error;
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
		await this.remove(
			context,
			keys.filter((key) => late.has(key)),
		).catch((error: unknown) => warnOfKept(context, error));
		for (const key of keys) this.unconfirmed.delete(key);
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

const listKeys = (writes: readonly Write[]) => writes.flatMap(({ keys }) => keys);

/** Tells each write which of its keys were new: of several who ask for one the first gets it. */
async function settle(writes: readonly Write[], trip: Promise<Set<string>>): Promise<void> {
	try {
		const fresh = await trip;
		for (const { keys, resolve } of writes) {
			resolve(new Set(keys.filter((key) => fresh.delete(key))));
		}
	} catch (error) {
		const told = explainDatabase(error);
		for (const { reject } of writes) reject(told);
	}
}

function explainDatabase(error: unknown): Error {
	const words = getWords(error);
	const advice = ROW_TOO_LONG.test(words) ? translate(ABOUT_LONG_ROWS) : '';
	const quoted = translate('Database message: {words}', { words });
	return new Error(joinSentences(advice, quoted), { cause: error });
}

function warnOfKept({ logger }: IExecuteFunctions, error: unknown): void {
	logger.warn(`n8n may have kept records though nobody was reached. ${getWords(error)}`);
}

const rows = new Map<string, NodeRow>();

/** What a node records in n8n's database, and removes again. */
export class RecordedKeys {
	/** Names the node. */
	readonly node: string;

	constructor(private readonly context: IExecuteFunctions) {
		this.node = identifyNode(context);
	}

	/** Whether this process has recorded it, and knows so without asking n8n. */
	isKnown(key: string): boolean {
		return rows.get(this.node)?.isKnown(key) ?? false;
	}

	/**
	 * Records; the keys stay until `remove`.
	 *
	 * @returns the keys that were new
	 * @throws Error if n8n did not confirm that it recorded them; it may have
	 */
	async record(keys: readonly string[]): Promise<Set<string>> {
		if (keys.length === 0) return new Set();
		const row = rows.get(this.node) ?? new NodeRow();
		rows.set(this.node, row);
		return await row.record(this.context, keys);
	}

	/** Removes keys, so that they can be recorded anew. @returns whether n8n confirmed it; its log says if not */
	async remove(keys: readonly string[]): Promise<boolean> {
		try {
			await rows.get(this.node)?.remove(this.context, keys);
			return true;
		} catch (error) {
			warnOfKept(this.context, error);
			return false;
		}
	}
}
