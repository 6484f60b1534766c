import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { BoundedMap } from '../util/boundedMap';
import { identifyNode } from '../util/identifyNode';

/** Records that n8n keeps for a node: the 10,000 of the longest run, and as many from before it. */
export const MAX_ENTRIES = 20_000;

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

const SCOPE = 'node';
const MODE = 'entries';

/** Work that waits for the next round trip. A `check` records again what this process holds. */
interface Write {
	kind: 'record' | 'check' | 'remove';
	records: readonly string[];
	resolve(fresh: Set<string>): void;
	reject(error: unknown): void;
}

/**
 * n8n's row of processed keys for one node: an ordered set, read, changed and written back without
 * a lock. Batches concurrent writes of one node in this process into one round trip.
 */
class NodeRow {
	/** The runs in flight. */
	readonly runs = new Set<ProcessedRecords>();

	/** Recorded by runs in flight: taken, even if another process overwrote the record. */
	private readonly held = new Set<string>();

	/** Recorded by the runs that ended last: taken, too. Later runs restore what these lost. */
	private readonly recent = new BoundedMap<string, true>(RECENT);

	private waiting: Write[] = [];

	private isWriting = false;

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

	/** The run that recorded these has ended: they stay recorded, and taken for a while. */
	retire(records: Iterable<string>): void {
		for (const record of records) {
			this.held.delete(record);
			this.recent.set(record, true);
		}
	}

	private async writeAll(context: IExecuteFunctions): Promise<void> {
		this.isWriting = true;
		while (this.waiting.length > 0) {
			// Let everybody who asks at this moment join in.
			await sleep(0);
			const batch = this.waiting.splice(0);
			const removals = batch.filter(({ kind }) => kind === 'remove');
			await this.removeBatch(context, removals);
			const removed = new Set(removals.flatMap(({ records }) => records));
			const others = batch.filter(({ kind }) => kind !== 'remove');
			await this.recordBatch(context, others, removed);
		}
		this.isWriting = false;
	}

	private async removeBatch(context: IExecuteFunctions, writes: Write[]): Promise<void> {
		const records = writes.flatMap((each) => each.records);
		for (const record of records) {
			this.held.delete(record);
			this.recent.delete(record);
		}
		try {
			for (let start = 0; start < records.length; start += REMOVED_AT_ONCE) {
				const some = records.slice(start, start + REMOVED_AT_ONCE);
				await context.helpers.removeProcessed(some, SCOPE, { mode: MODE });
			}
			for (const { resolve } of writes) resolve(new Set());
		} catch (error) {
			for (const { reject } of writes) reject(error);
		}
	}

	/** @param removed records just removed, which a check must not record again */
	private async recordBatch(
		context: IExecuteFunctions,
		writes: Write[],
		removed: ReadonlySet<string>,
	): Promise<void> {
		const asked = writes.map(({ kind, records }) => {
			if (kind === 'record') return records.filter((record) => !this.isTaken(record));
			return [...records, ...this.recent.keys()].filter((record) => !removed.has(record));
		});
		try {
			const fresh = await this.recordInRow(context, [...new Set(asked.flat())]);
			// Of several who ask for one record the first gets it.
			writes.forEach(({ kind, resolve }, position) => {
				const own = asked[position].filter((record) => fresh.has(record));
				for (const record of own) {
					fresh.delete(record);
					if (kind === 'record') this.held.add(record);
				}
				resolve(new Set(own));
			});
		} catch (error) {
			for (const { reject } of writes) reject(error);
		}
	}

	/** Records again if another process has just made the row. */
	private async recordInRow(context: IExecuteFunctions, records: string[]): Promise<Set<string>> {
		if (records.length === 0) return new Set();
		const options = { mode: MODE, maxEntries: MAX_ENTRIES } as const;
		const record = async () =>
			await context.helpers.checkProcessedAndRecord(records, SCOPE, options);
		const { new: fresh } = await record().catch(async (error: unknown) => {
			if (!ROW_EXISTS.test(String(error))) throw error;
			return await record();
		});
		return new Set(fresh.map(String));
	}

	private isTaken(record: string): boolean {
		return this.held.has(record) || this.recent.has(record);
	}
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

	/** Recorded by this run and not removed. */
	private readonly own = new Set<string>();

	constructor(private readonly context: IExecuteFunctions) {
		this.node = identifyNode(context);
		this.row = rows.get(this.node) ?? new NodeRow();
		rows.set(this.node, this.row);
		this.row.runs.add(this);
	}

	/**
	 * Records; the records stay until `remove`.
	 *
	 * @returns the records that were new
	 * @throws Error if n8n did not say that it recorded them; it may have
	 */
	async record(records: readonly string[]): Promise<Set<string>> {
		const fresh = await this.write('record', records);
		for (const record of fresh) this.own.add(record);
		return fresh;
	}

	/**
	 * Removes records, so that they can be made anew.
	 *
	 * @throws Error if n8n did not say that it removed them; n8n's log says so, too
	 */
	async remove(records: readonly string[]): Promise<void> {
		for (const record of records) {
			// Another run may have recorded this slot; forget it there, or its close() restores it.
			for (const { own } of this.row.runs) own.delete(record);
		}
		await this.write('remove', records).catch((error: unknown) => {
			const count = `${records.length} ${records.length === 1 ? 'record' : 'records'}`;
			this.warn(`n8n may have kept ${count} though nobody was reached`, error);
			throw error;
		});
	}

	/**
	 * Ends the run: records again, a moment later, what is missing of what it recorded, since another
	 * process may have written back the row as it was before. If n8n cannot, its log says so.
	 */
	async close(): Promise<void> {
		try {
			await this.check();
		} catch (error) {
			this.warn('n8n did not check the records of this run', error);
		}
		this.row.retire(this.own);
		this.row.runs.delete(this);
	}

	private async check(): Promise<void> {
		if (this.own.size === 0) return;
		await sleep(CHECK_PAUSE_MS * (0.5 + Math.random()));
		await this.write('check', [...this.own]);
	}

	private async write(kind: Write['kind'], records: readonly string[]): Promise<Set<string>> {
		return await this.row.write(this.context, kind, records).catch((error: unknown) => {
			const words = error instanceof Error ? error.message : String(error);
			throw new Error(`Database message: ${words}`, { cause: error });
		});
	}

	private warn(happened: string, error: unknown): void {
		this.context.logger.warn(`${happened}. ${error instanceof Error ? error.message : ''}`);
	}
}
