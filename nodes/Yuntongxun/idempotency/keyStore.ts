import { randomUUID } from 'crypto';
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

/**
 * How often a run makes sure of its records, at most, and the pause between, in milliseconds: longer
 * than a busy process takes to read the row and write it back.
 */
export const MAX_CHECKS = 20;
const CHECK_PAUSE_MS = 300;
const checkPause = () => CHECK_PAUSE_MS * (0.5 + Math.random());

/** How many checks in a row must find nothing missing, and how many while others write too. */
const CLEAN_CHECKS = 2;
const CLEAN_CHECKS_CONTENDED = 3;
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
	/** Whether no other process may have recorded the same at this moment. */
	isExact: boolean;
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

	/** When another process was last seen to have overwritten records of this one. */
	overwrittenAt = -Infinity;

	maxEntries = MAX_ENTRIES;

	private waiting: Write[] = [];

	private isWriting = false;

	/** Takes part in the next round trip. @returns the entries that were new @throws what n8n throws */
	async write(
		context: IExecuteFunctions,
		kind: Write['kind'],
		entries: readonly string[],
		isExact = false,
	): Promise<Set<string>> {
		if (entries.length === 0) return new Set();
		return await new Promise((done, fail) => {
			this.waiting.push({ kind, entries, isExact, done, fail });
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
		// Shows whether this write survived: a process that writes meanwhile overwrites it.
		const isExact = writes.some((each, position) => each.isExact && asked[position].length > 0);
		const mark = isExact ? [`mark ${randomUUID()}`] : [];
		try {
			const fresh = await this.recordOnce(context, [...new Set(asked.flat()), ...mark]);
			const survives = this.survives(context, mark);
			writes.forEach((each, position) => {
				// Of several who ask for one entry the first gets it.
				const own = asked[position].filter((entry) => fresh.delete(entry));
				if (!each.isExact || own.length === 0) return each.done(new Set(own));
				void survives.then((isOurs) => {
					// What was overwritten belongs to whoever recorded it meanwhile, perhaps to nobody.
					if (!isOurs) for (const entry of own) this.held.delete(entry);
					each.done(new Set(isOurs ? own : []));
				});
			});
		} catch (thrown) {
			for (const { fail } of writes) fail(thrown);
		}
	}

	/**
	 * Waits until a process that wrote at the same moment has written, and looks for the mark.
	 *
	 * @returns whether it was there; of no mark at once. Never rejects: without an answer it was not
	 */
	private async survives(context: IExecuteFunctions, mark: readonly string[]): Promise<boolean> {
		if (mark.length === 0) return true;
		await sleep(checkPause());
		const overwritten = await settle(this.wasOverwritten(context, mark));
		await settle(this.write(context, 'remove', mark));
		return 'value' in overwritten && !overwritten.value;
	}

	/** Records entries of this process again. @returns whether some were missing */
	async wasOverwritten(context: IExecuteFunctions, entries: readonly string[]): Promise<boolean> {
		const { size } = await this.write(context, 'check', entries);
		if (size > 0) this.overwrittenAt = Date.now();
		return size > 0;
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

	/**
	 * Records entries for good.
	 *
	 * @param isExact whether to wait until no other process can have recorded the same entries
	 * @returns those that were new
	 * @throws Error if n8n did not record them
	 */
	async record(entries: readonly string[], isExact = false): Promise<Set<string>> {
		const fresh = await this.row
			.write(this.context, 'record', entries, isExact)
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
			clean = (await this.row.wasOverwritten(this.context, entries)) ? 0 : clean + 1;
			const isContended = Date.now() - this.row.overwrittenAt <= CONTENDED_MS;
			if (clean >= (isContended ? CLEAN_CHECKS_CONTENDED : CLEAN_CHECKS)) return;
			await sleep(checkPause());
		}
	}

	private readonly warn = ({ message }: Error) => this.context.logger.warn(message);
}

/** Puts a database's words behind what happened. @throws Error */
const explained = (happened: string) => (thrown: unknown) => {
	const words = thrown instanceof Error ? thrown.message : String(thrown);
	throw new Error(`${happened}. Database message: ${words}`, { cause: thrown });
};
