import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { nodeKey } from '../util/nodeKey';

/** Records that n8n keeps for a node: those of the longest run, and as many from before it. */
export const MAX_ENTRIES = 20_000;

/** n8n searches the whole row for each record that it removes. */
const REMOVED_AT_ONCE = 500;

/** Longer than a busy process takes to read the row and write it back. Differs from run to run. */
const CHECK_PAUSE_MS = 300;
const getCheckPause = () => CHECK_PAUSE_MS * (0.5 + Math.random());

/** A database's words for a second row of the same node: another process has just made the first. */
const ROW_EXISTS = /duplicate key value|unique constraint|duplicate entry/i;

const SCOPE = 'node';
const MODE = 'entries';

/** Work that waits for the next round trip. A `check` records again what this process holds. */
interface Write {
	kind: 'record' | 'check' | 'remove';
	entries: readonly string[];
	done(fresh: Set<string>): void;
	fail(thrown: unknown): void;
}

/**
 * n8n's row of processed keys for one node: an ordered set, read, changed and written back without
 * a lock. Batches concurrent writes of one node in this process into one round trip.
 */
class Row {
	/** Recorded by runs in flight: taken, even if another process overwrote the record. */
	readonly held = new Set<string>();

	/** The runs in flight. */
	readonly runs = new Set<KeyStore>();

	private waiting: Write[] = [];

	private isWriting = false;

	/** Takes part in the next round trip. @returns the entries that were new @throws what n8n throws */
	async write(
		context: IExecuteFunctions,
		kind: Write['kind'],
		entries: readonly string[],
	): Promise<Set<string>> {
		if (entries.length === 0) return new Set();
		return await new Promise((done, fail) => {
			this.waiting.push({ kind, entries, done, fail });
			if (!this.isWriting) void this.writeAll(context);
		});
	}

	private async writeAll(context: IExecuteFunctions): Promise<void> {
		this.isWriting = true;
		while (this.waiting.length > 0) {
			// Let everybody who asks at this moment join in.
			await sleep(0);
			const batch = this.waiting.splice(0);
			const removals = batch.filter(({ kind }) => kind === 'remove');
			await this.removeBatch(context, removals);
			const removed = new Set(removals.flatMap(({ entries }) => entries));
			const records = batch.filter(({ kind }) => kind !== 'remove');
			await this.recordBatch(context, records, removed);
		}
		this.isWriting = false;
	}

	private async removeBatch(context: IExecuteFunctions, writes: Write[]): Promise<void> {
		const entries = writes.flatMap((each) => each.entries);
		for (const entry of entries) this.held.delete(entry);
		try {
			for (let start = 0; start < entries.length; start += REMOVED_AT_ONCE) {
				const some = entries.slice(start, start + REMOVED_AT_ONCE);
				await context.helpers.removeProcessed(some, SCOPE, { mode: MODE });
			}
			for (const { done } of writes) done(new Set());
		} catch (thrown) {
			for (const { fail } of writes) fail(thrown);
		}
	}

	/** @param removed right before: a check must not bring it back */
	private async recordBatch(
		context: IExecuteFunctions,
		writes: Write[],
		removed: ReadonlySet<string>,
	): Promise<void> {
		const asked = writes.map(({ kind, entries }) => {
			const without = kind === 'check' ? removed : this.held;
			return entries.filter((entry) => !without.has(entry));
		});
		try {
			const fresh = await this.recordOnce(context, [...new Set(asked.flat())]);
			// Of several who ask for one entry the first gets it.
			writes.forEach(({ done }, position) => {
				done(new Set(asked[position].filter((entry) => fresh.delete(entry))));
			});
		} catch (thrown) {
			for (const { fail } of writes) fail(thrown);
		}
	}

	private async recordOnce(context: IExecuteFunctions, entries: string[]): Promise<Set<string>> {
		if (entries.length === 0) return new Set();
		const record = async () =>
			await context.helpers.checkProcessedAndRecord(entries, SCOPE, {
				mode: MODE,
				maxEntries: MAX_ENTRIES,
			});
		const { new: fresh } = await record().catch(async (thrown: unknown) => {
			if (!ROW_EXISTS.test(String(thrown))) throw thrown;
			return await record();
		});
		for (const entry of fresh) this.held.add(String(entry));
		return new Set(fresh.map(String));
	}
}

const rows = new Map<string, Row>();

/**
 * What one run of a node records in n8n's database, and removes again. Runs of one process share
 * their round trips.
 */
export class KeyStore {
	/** Names the node. */
	readonly node: string;

	private readonly row: Row;

	/** Recorded by this run and not removed. */
	private readonly own = new Set<string>();

	/** @param what it records and what else fails if n8n does not record it, for the message */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly what: string,
	) {
		this.node = nodeKey(context);
		this.row = rows.get(this.node) ?? new Row();
		rows.set(this.node, this.row);
		this.row.runs.add(this);
	}

	/**
	 * Records entries for good.
	 *
	 * @returns those that were new
	 * @throws Error if n8n did not record them
	 */
	async record(entries: readonly string[]): Promise<Set<string>> {
		const fresh = await this.row
			.write(this.context, 'record', entries)
			.catch(explained(`n8n did not record ${this.what}`));
		for (const entry of fresh) this.own.add(entry);
		return fresh;
	}

	/** Removes entries, so that they can be recorded anew. If n8n cannot, its log says so. */
	async remove(entries: readonly string[]): Promise<void> {
		for (const entry of entries) {
			// A slot may come from another run, which must not record it again.
			for (const { own } of this.row.runs) own.delete(entry);
		}
		const what = `n8n did not remove ${entries.length} records, which stay though nobody was reached`;
		await this.row.write(this.context, 'remove', entries).catch(explained(what)).catch(this.warn);
	}

	/**
	 * Ends the run: records again, a moment later, what is missing of what it recorded, since another
	 * process may have written back the row as it was before. If n8n cannot, its log says so.
	 */
	async close(): Promise<void> {
		const explain = explained('n8n did not check the records of this run');
		await this.check().catch(explain).catch(this.warn);
		for (const entry of this.own) this.row.held.delete(entry);
		this.row.runs.delete(this);
	}

	private async check(): Promise<void> {
		if (this.own.size === 0) return;
		await sleep(getCheckPause());
		await this.row.write(this.context, 'check', [...this.own]);
	}

	private readonly warn = ({ message }: Error) => this.context.logger.warn(message);
}

/** Puts a database's words behind what happened. @throws Error */
const explained = (happened: string) => (thrown: unknown) => {
	const words = thrown instanceof Error ? thrown.message : String(thrown);
	throw new Error(`${happened}. Database message: ${words}`, { cause: thrown });
};
