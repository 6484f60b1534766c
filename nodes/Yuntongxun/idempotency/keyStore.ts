import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { nodeKey } from '../util/nodeKey';

/** Records that n8n keeps for a node: those of the longest run, and as many from before it. */
export const MAX_ENTRIES = 20_000;

/** What fits into 64 KB, where n8n 1.123 keeps the row with MySQL or MariaDB. */
const MAX_ENTRIES_OF_SMALL_ROW = 2_000;

/** n8n searches the whole row for each record that it removes. */
const REMOVED_AT_ONCE = 500;

/** Most checks of a run, with pauses longer than a process takes to read and write back the row. */
export const MAX_CHECKS = 20;
const CHECK_PAUSE_MS = 300;

/** Checks in a row that must find nothing missing, if another process has undone a record lately. */
const CLEAN_CHECKS = 3;
const CONTENDED_MS = 60_000;

/** A database's words for a second row of the same node: another process has just made the first. */
const ROW_EXISTS = /duplicate key value|unique constraint|duplicate entry/i;
const ROW_TOO_LONG = /too long/i;

type Verb = 'record' | 'remove';

/** Entries that share a round trip, and those of them that were new. */
interface Batch {
	entries: Set<string>;
	written: Promise<Set<string>>;
}

/** What this process knows of n8n's row of processed keys for one node. */
class Row {
	maxEntries = MAX_ENTRIES;

	/** In flight: what they recorded is taken, even if another process overwrote the record. */
	readonly runs = new Set<KeyStore>();

	/** Batches that others may still join. */
	readonly open: Partial<Record<Verb, Batch>> = {};

	lastWrite: Promise<unknown> = Promise.resolve();

	/** When a check last found a record missing, in milliseconds since 1970. */
	lastMissing = -Infinity;
}

const rows = new Map<string, Row>();

/**
 * What one run of a node records in n8n's database, and removes again. n8n keeps an ordered set for
 * the node, which it reads, changes and writes back without a lock. So all runs in this process
 * write one after the other, and what they ask for at the same moment shares a round trip.
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
		const runs = [...this.row.runs];
		const asked = entries.filter((entry) => !runs.some(({ own }) => own.has(entry)));
		const fresh = await this.write('record', asked, `record ${this.what}`);
		for (const entry of fresh) this.own.add(entry);
		return fresh;
	}

	/** Removes entries, so that they can be recorded anew. If n8n cannot, its log says so. */
	async remove(entries: readonly string[]): Promise<void> {
		// A slot may come from another run, which must not record it again.
		for (const { own } of this.row.runs) for (const entry of entries) own.delete(entry);
		const what = `remove ${entries.length} records, which stay though nobody was reached`;
		await this.write('remove', entries, what).catch(this.warn);
	}

	/**
	 * Ends the run: records again what it recorded until nothing was missing, since another process
	 * may have written back the row as it was before. If n8n cannot, its log says so.
	 */
	async close(): Promise<void> {
		await this.check().catch(this.warn);
		this.row.runs.delete(this);
	}

	private async check(): Promise<void> {
		let clean = 0;
		for (let checks = 0; checks < MAX_CHECKS; checks++) {
			// A small row cannot hold all; half of it is for other runs.
			const entries = [...this.own].slice(-this.row.maxEntries / 2);
			const missing = await this.write('record', entries, 'check the records of this run');
			if (missing.size > 0) this.row.lastMissing = Date.now();
			clean = missing.size > 0 ? 0 : clean + 1;
			const isContended = Date.now() - this.row.lastMissing <= CONTENDED_MS;
			if (clean >= (isContended ? CLEAN_CHECKS : 1)) return;
			await sleep(CHECK_PAUSE_MS * (0.5 + Math.random()));
		}
	}

	private readonly warn = ({ message }: Error) => this.context.logger.warn(message);

	/** @returns new entries; one that several ask for goes to the first @throws Error if n8n did not */
	private async write(verb: Verb, entries: readonly string[], what: string): Promise<Set<string>> {
		if (entries.length === 0) return new Set();
		const batch = (this.row.open[verb] ??= this.openBatch(verb));
		const asked = entries.filter((entry) => !batch.entries.has(entry));
		for (const entry of asked) batch.entries.add(entry);
		const fresh = await batch.written.catch((thrown: unknown) => {
			const words = thrown instanceof Error ? thrown.message : String(thrown);
			throw new Error(`n8n did not ${what}. Database message: ${words}`, { cause: thrown });
		});
		return new Set(asked.filter((entry) => fresh.has(entry)));
	}

	private openBatch(verb: Verb): Batch {
		const entries = new Set<string>();
		const written = this.row.lastWrite.then(async () => {
			await sleep(0);
			this.row.open[verb] = undefined;
			return new Set(await this[`${verb}Batch`]([...entries]));
		});
		this.row.lastWrite = written.catch(() => {});
		return { entries, written };
	}

	private async recordBatch(entries: string[]): Promise<string[]> {
		const record = async () => {
			const options = { mode: 'entries', maxEntries: this.row.maxEntries } as const;
			return await this.context.helpers.checkProcessedAndRecord(entries, 'node', options);
		};
		const recorded = await record().catch(async (thrown: unknown) => {
			if (ROW_TOO_LONG.test(String(thrown))) this.row.maxEntries = MAX_ENTRIES_OF_SMALL_ROW;
			else if (!ROW_EXISTS.test(String(thrown))) throw thrown;
			return await record();
		});
		return recorded.new.map(String);
	}

	private async removeBatch(entries: string[]): Promise<string[]> {
		for (let start = 0; start < entries.length; start += REMOVED_AT_ONCE) {
			const some = entries.slice(start, start + REMOVED_AT_ONCE);
			await this.context.helpers.removeProcessed(some, 'node', { mode: 'entries' });
		}
		return [];
	}
}
