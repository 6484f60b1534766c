import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { joinSentences, translate } from '../language/translate';
import { BoundedMap } from '../util/boundedMap';
import { endInTime } from '../util/deadlines';
import { identifyNode } from '../util/n8nInternals';
import { getWords } from '../util/text';

/** Records that n8n keeps for a node: the 10,000 of the longest run, and as many from before it. */
export const MAX_STORED = 20_000;

/** n8n searches the whole row for each record that it removes. */
const REMOVED_AT_ONCE = 500;

/** How many records of ended runs are kept in memory for a node; each later check covers them, too. */
const RECENT = 200;

/**
 * Average pause before the check, in milliseconds: longer than a busy process takes to read the row and
 * write it back. Each run waits 50 to 150 % of it, so that runs do not check in step.
 */
const CHECK_PAUSE_MS = 300;

/** A database's words for a second row of the same node: another process has just made the first. */
const ROW_EXISTS = /duplicate key value|unique constraint|duplicate entry/i;

/** A database's words for a row that is longer than its column: MySQL and MariaDB with n8n 1. */
const ROW_TOO_LONG = /too long for column/i;

const ABOUT_LONG_ROWS =
	'n8n 1 with MySQL or MariaDB keeps about 2,400 records for a node, and this node is full. Update to n8n 2 or use PostgreSQL; until then, delete this node and add a new one, which starts empty.';

/** How long a round trip may take, in milliseconds: one without an end would hold up every run of the node. */
const MAX_TRIP_MS = 10_000;

const SCOPE = 'node';
const MODE = 'entries';

/** Work that waits for the next round trip. A `check` records again what this process holds. */
interface Write {
	readonly kind: 'record' | 'check' | 'remove';
	readonly records: readonly string[];
	/** Takes those of its records that were new. */
	resolve(fresh: Set<string>): void;
	reject(error: unknown): void;
}

/**
 * n8n's row of processed keys for one node: an ordered set, read, changed and written back without
 * a lock. Batches concurrent writes of one node in this process into one round trip.
 */
class NodeRow {
	/** Recorded by runs in flight, with the run: taken, even if another process overwrote the record. */
	private readonly held = new Map<string, ProcessedRecords>();

	/** Recorded by the runs that ended last: taken, too. Later runs restore what these lost. */
	private readonly recent = new BoundedMap<string, true>(RECENT);

	private waiting: Write[] = [];

	private isWriting = false;

	/** Whether a run in flight, or one that has just ended, recorded it. */
	isTaken(record: string): boolean {
		return this.held.has(record) || this.recent.has(record);
	}

	/** What a run has recorded and nobody removed. */
	listHeldBy(run: ProcessedRecords): string[] {
		return [...this.held.keys()].filter((record) => this.held.get(record) === run);
	}

	/** @returns the records that were new @throws what n8n throws */
	async record(
		context: IExecuteFunctions,
		run: ProcessedRecords,
		records: readonly string[],
	): Promise<Set<string>> {
		// What this process knows is told even where the database cannot be asked.
		if (records.every((record) => this.isTaken(record))) return new Set();
		const fresh = await this.write(context, 'record', records);
		for (const record of fresh) this.held.set(record, run);
		return fresh;
	}

	/** From now on they can be recorded anew. @throws what n8n throws */
	async remove(context: IExecuteFunctions, records: readonly string[]): Promise<void> {
		for (const record of records) {
			for (const memory of [this.held, this.recent]) memory.delete(record);
		}
		await this.write(context, 'remove', records);
	}

	/** Takes part in the next round trip. @returns the records that were new @throws what n8n throws */
	async write(
		context: IExecuteFunctions,
		kind: Write['kind'],
		records: readonly string[],
	): Promise<Set<string>> {
		if (records.length === 0) return new Set();
		return await new Promise((resolve, reject) => {
			this.waiting.push({ kind, records, resolve, reject });
			if (!this.isWriting) void this.writeAll(context);
		});
	}

	/** A run has ended: what it recorded stays recorded, and taken for a while. */
	retire(run: ProcessedRecords): void {
		for (const record of this.listHeldBy(run)) {
			this.held.delete(record);
			this.recent.set(record, true);
		}
	}

	/** Writes until nothing waits. Never rejects. */
	private async writeAll(context: IExecuteFunctions): Promise<void> {
		this.isWriting = true;
		while (this.waiting.length > 0) {
			// Yield once, so that writes of this tick share a round trip.
			await sleep(0);
			await this.writeBatch(context, this.waiting.splice(0));
		}
		this.isWriting = false;
	}

	/** Removes, then records, each in one round trip for all. Never rejects. */
	private async writeBatch(context: IExecuteFunctions, batch: readonly Write[]): Promise<void> {
		const removals = batch.filter(({ kind }) => kind === 'remove');
		const removed = removals.flatMap(({ records }) => records);
		await settle(removals, this.removeFromRow(context, removed));

		const others = batch.filter(({ kind }) => kind !== 'remove');
		const open = others.map((write) => ({ ...write, records: this.listOpen(write) }));
		const wanted = new Set(open.flatMap(({ records }) => records));
		await settle(open, this.recordInRow(context, [...wanted]));
	}

	/** What n8n is asked to record for a write. What was just removed a check must not record again. */
	private listOpen({ kind, records }: Write): string[] {
		if (kind === 'record') return records.filter((record) => !this.isTaken(record));
		return [...records, ...this.recent.keys()].filter((record) => this.isTaken(record));
	}

	/** @returns none, since nothing is new */
	private async removeFromRow(
		context: IExecuteFunctions,
		records: readonly string[],
	): Promise<Set<string>> {
		for (let start = 0; start < records.length; start += REMOVED_AT_ONCE) {
			const some = records.slice(start, start + REMOVED_AT_ONCE);
			await endInTime(MAX_TRIP_MS, context.helpers.removeProcessed(some, SCOPE, { mode: MODE }));
		}
		return new Set();
	}

	/** Records again if another process has just made the row. */
	private async recordInRow(context: IExecuteFunctions, records: string[]): Promise<Set<string>> {
		if (records.length === 0) return new Set();
		const options = { mode: MODE, maxEntries: MAX_STORED } as const;
		const record = async () =>
			await endInTime(
				MAX_TRIP_MS,
				context.helpers.checkProcessedAndRecord(records, SCOPE, options),
			);
		const { new: fresh } = await record().catch(async (error: unknown) => {
			if (!ROW_EXISTS.test(String(error))) throw error;
			return await record();
		});
		return new Set(fresh.map(String));
	}
}

/** Tells each write which of its records were new: of several who ask for one the first gets it. */
async function settle(writes: readonly Write[], trip: Promise<Set<string>>): Promise<void> {
	try {
		const fresh = await trip;
		for (const { records, resolve } of writes) {
			resolve(new Set(records.filter((record) => fresh.delete(record))));
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

const rows = new Map<string, NodeRow>();

/**
 * What one run of a node records in n8n's database, and removes again. Runs of one process share
 * their round trips.
 */
export class ProcessedRecords {
	/** Names the node. */
	readonly node: string;

	private readonly row: NodeRow;

	constructor(private readonly context: IExecuteFunctions) {
		this.node = identifyNode(context);
		this.row = rows.get(this.node) ?? new NodeRow();
		rows.set(this.node, this.row);
	}

	/**
	 * Records; the records stay until `remove`.
	 *
	 * @returns the records that were new
	 * @throws Error if n8n did not say that it recorded them; it may have
	 */
	async record(records: readonly string[]): Promise<Set<string>> {
		return await this.row.record(this.context, this, records);
	}

	/** Whether this process knows, without asking n8n, that it is recorded. */
	isTaken(record: string): boolean {
		return this.row.isTaken(record);
	}

	/**
	 * Removes records, so that they can be made anew.
	 *
	 * @throws Error if n8n did not say that it removed them; n8n's log says so, too
	 */
	async remove(records: readonly string[]): Promise<void> {
		await this.row.remove(this.context, records).catch((error: unknown) => {
			this.warn('n8n may have kept records though nobody was reached', error);
			throw error;
		});
	}

	/**
	 * Ends the run: records again, a moment later, what is missing of what it recorded, since another
	 * process may have written back the row as it was before. If n8n cannot, its log says so.
	 */
	async close(): Promise<void> {
		if (this.row.listHeldBy(this).length > 0) await sleep(CHECK_PAUSE_MS * (0.5 + Math.random()));
		await this.row
			.write(this.context, 'check', this.row.listHeldBy(this))
			.catch((error: unknown) => this.warn('n8n did not check the records of this run', error));
		this.row.retire(this);
	}

	private warn(happened: string, error: unknown): void {
		this.context.logger.warn(`${happened}. ${getWords(error)}`);
	}
}
