import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { settle } from '../util/concurrency';
import { nodeKey } from '../util/nodeKey';

/** Records that n8n keeps for a node: those of the longest run, and as many from before it. */
export const MAX_ENTRIES = 20_000;

/** What fits into 64 KB, where n8n 1.123 keeps the row with MySQL or MariaDB. */
const MAX_ENTRIES_OF_SMALL_ROW = 2_000;

/** n8n searches the whole row for each record that it removes. */
const REMOVED_AT_ONCE = 500;

/** How often a run makes sure of its records, at most, and the pause between, in milliseconds. */
export const MAX_CHECKS = 20;
const CHECK_PAUSE_MS = 100;

/** After how many checks in a row that found nothing missing it is enough while others write too. */
const CLEAN_CHECKS = 3;
const CONTENDED_MS = 60_000;

/** A database's words for a second row of the same node: another process has just made the first. */
const ROW_EXISTS = /duplicate key value|unique constraint|duplicate entry/i;
const ROW_TOO_LONG = /too long/i;

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

	private lastMissing = -Infinity;

	maxEntries = MAX_ENTRIES;

	private waiting: Write[] = [];

	private isWriting = false;

	/** Records entries. @returns those that were new @throws what n8n throws */
	async record(context: IExecuteFunctions, entries: readonly string[]): Promise<Set<string>> {
		return entries.length === 0 ? new Set() : await this.write(context, 'record', entries);
	}

	/** Removes entries. @throws what n8n throws */
	async remove(context: IExecuteFunctions, entries: readonly string[]): Promise<void> {
		for (const entry of entries) this.held.delete(entry);
		if (entries.length > 0) await this.write(context, 'remove', entries);
	}

	/** Records entries again. @returns whether all were there */
	async check(context: IExecuteFunctions, entries: readonly string[]): Promise<boolean> {
		const missing = await this.write(context, 'check', entries);
		if (missing.size > 0) this.lastMissing = Date.now();
		return missing.size === 0;
	}

	/** Whether another process has overwritten records of this one lately. */
	isContended(): boolean {
		return Date.now() - this.lastMissing <= CONTENDED_MS;
	}

	private async write(
		context: IExecuteFunctions,
		kind: Write['kind'],
		entries: readonly string[],
	): Promise<Set<string>> {
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
			await this.removeBatch(
				context,
				batch.filter(({ kind }) => kind === 'remove'),
			);
			await this.recordBatch(
				context,
				batch.filter(({ kind }) => kind !== 'remove'),
			);
		}
		this.isWriting = false;
	}

	private async removeBatch(context: IExecuteFunctions, writes: Write[]): Promise<void> {
		const entries = writes.flatMap((each) => each.entries);
		const removed = await settle(
			(async () => {
				for (let start = 0; start < entries.length; start += REMOVED_AT_ONCE) {
					const some = entries.slice(start, start + REMOVED_AT_ONCE);
					await context.helpers.removeProcessed(some, SCOPE, { mode: MODE });
				}
			})(),
		);
		for (const { done, fail } of writes) {
			if ('thrown' in removed) fail(removed.thrown);
			else done(new Set());
		}
	}

	private async recordBatch(context: IExecuteFunctions, writes: Write[]): Promise<void> {
		if (writes.length === 0) return;
		const asked = writes.map(({ kind, entries }) =>
			kind === 'check' ? entries : entries.filter((entry) => !this.held.has(entry)),
		);
		const recorded = await settle(this.recordOnce(context, [...new Set(asked.flat())]));
		writes.forEach(({ done, fail }, position) => {
			if ('thrown' in recorded) fail(recorded.thrown);
			// Of several who ask for one entry the first gets it.
			else done(new Set(asked[position].filter((entry) => recorded.value.delete(entry))));
		});
	}

	private async recordOnce(context: IExecuteFunctions, entries: string[]): Promise<Set<string>> {
		if (entries.length === 0) return new Set();
		const record = async () =>
			await context.helpers.checkProcessedAndRecord(entries, SCOPE, {
				mode: MODE,
				maxEntries: this.maxEntries,
			});
		const { new: fresh } = await record().catch(async (thrown: unknown) => {
			if (ROW_TOO_LONG.test(String(thrown))) this.maxEntries = MAX_ENTRIES_OF_SMALL_ROW;
			else if (!ROW_EXISTS.test(String(thrown))) throw thrown;
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

	/** Records entries for good. @returns those that were new @throws Error if n8n did not */
	async record(entries: readonly string[]): Promise<Set<string>> {
		const fresh = await this.row
			.record(this.context, entries)
			.catch(explained(`n8n did not record ${this.what}`));
		for (const entry of fresh) this.own.add(entry);
		return fresh;
	}

	/** Removes entries, so that they can be recorded anew. If n8n cannot, its log says so. */
	async remove(entries: readonly string[]): Promise<void> {
		// A slot may come from another run, which must not record it again.
		for (const { own } of this.row.runs) for (const entry of entries) own.delete(entry);
		const what = `n8n did not remove ${entries.length} records, which stay though nobody was reached`;
		await this.row.remove(this.context, entries).catch(explained(what)).catch(this.warn);
	}

	/**
	 * Ends the run: records again what it recorded until nothing was missing, since another process
	 * may have written back the row as it was before. If n8n cannot, its log says so.
	 */
	async close(): Promise<void> {
		const explain = explained('n8n did not check the records of this run');
		await this.check().catch(explain).catch(this.warn);
		for (const entry of this.own) this.row.held.delete(entry);
		this.row.runs.delete(this);
	}

	private async check(): Promise<void> {
		let clean = 0;
		for (let checks = 0; checks < MAX_CHECKS && this.own.size > 0; checks++) {
			// A small row cannot hold all; half of it is for other runs.
			const entries = [...this.own].slice(-this.row.maxEntries / 2);
			clean = (await this.row.check(this.context, entries)) ? clean + 1 : 0;
			if (clean >= (this.row.isContended() ? CLEAN_CHECKS : 1)) return;
			await sleep(CHECK_PAUSE_MS * (0.5 + Math.random()));
		}
	}

	private readonly warn = ({ message }: Error) => this.context.logger.warn(message);
}

/** Puts a database's words behind what happened. @throws Error */
const explained = (happened: string) => (thrown: unknown) => {
	const words = thrown instanceof Error ? thrown.message : String(thrown);
	throw new Error(`${happened}. Database message: ${words}`, { cause: thrown });
};
