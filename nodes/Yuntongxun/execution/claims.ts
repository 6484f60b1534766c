import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { deskOf } from './desk';
import type { Claimed, Desk, Wanted } from './desk';
import { Store } from './store';

/** Most entries that a node keeps, keys and counts together. */
export const MAX_ENTRIES = 10_000;

/** How often a run makes sure of its entries, at most, and the pause between, in milliseconds. */
export const MOST_CHECKS = 20;
const CHECK_PAUSE_MS = 100;

/** After how many checks in a row that found nothing missing it is enough while others write too. */
const CLEAN_CHECKS = 3;

/**
 * What a run of a node claims for good in n8n's database, such as idempotency keys. When the node
 * has too many entries, n8n drops the oldest.
 *
 * Exact within one process, over restarts too. Processes can undo each other's records, so a run
 * makes sure of its entries at its end.
 */
export class Claims {
	private readonly desk: Desk;

	private readonly store: Store;

	/** Entries claimed by this run and not released. */
	private readonly own = new Set<string>();

	/** @param room most entries that the node keeps */
	constructor(context: IExecuteFunctions, room = MAX_ENTRIES) {
		this.desk = deskOf(context);
		this.desk.room = Math.max(this.desk.room, room);
		this.store = new Store(context);
	}

	/**
	 * Claims all of the names or none.
	 *
	 * @returns the entries that are taken now, or the first name that was not free
	 * @throws NotBegun if n8n could not record them
	 */
	async claimAll(wanted: readonly Wanted[]): Promise<Claimed> {
		const claimed = await this.desk.claim(this.store, wanted);
		if ('entries' in claimed) for (const entry of claimed.entries) this.own.add(entry);
		return claimed;
	}

	/** Claims a name. @returns whether it was free @throws NotBegun if n8n could not record it */
	async claim(name: string): Promise<boolean> {
		return 'entries' in (await this.claimAll([{ name }]));
	}

	/**
	 * Claims the lowest free place of a name.
	 *
	 * @param places how many there are
	 * @returns the place, counted from 1; undefined if none is free
	 * @throws NotBegun if n8n could not record it
	 */
	async claimPlace(name: string, places: number): Promise<number | undefined> {
		const claimed = await this.claimAll([{ name, places }]);
		return 'entries' in claimed ? Number(claimed.entries[0].split('#').pop()) : undefined;
	}

	/** Whether a name is claimed. @throws NotBegun if n8n could not tell */
	async has(name: string): Promise<boolean> {
		return await this.desk.look(this.store, name);
	}

	/** Frees entries, so that they can be claimed again. If n8n cannot, its log says so. */
	async release(...entries: string[]): Promise<void> {
		for (const entry of entries) this.own.delete(entry);
		await this.desk.release(this.store, entries);
	}

	/**
	 * Makes sure that the entries of this run are recorded, again until none was missing. Call it
	 * at the end of a run. If n8n cannot, its log says so.
	 */
	async makeSure(): Promise<void> {
		const entries = [...this.own];
		this.own.clear();
		if (entries.length === 0) return;
		try {
			let clean = 0;
			for (let checks = 1; checks <= MOST_CHECKS; checks++) {
				clean = (await this.desk.check(this.store, entries)) ? clean + 1 : 0;
				if (clean >= (this.desk.isContended() ? CLEAN_CHECKS : 1)) break;
				await sleep(CHECK_PAUSE_MS * (0.5 + Math.random()));
			}
		} catch (thrown) {
			this.store.warn(`n8n did not record Idempotency Keys again: ${String(thrown)}`);
		}
		this.desk.letGo(entries);
	}

	/**
	 * Waits until no other run in this process works with any of the names.
	 *
	 * @returns lets the next one work with them
	 */
	async turnOf(names: Iterable<string>): Promise<() => void> {
		return await this.desk.turns.lock(names);
	}
}
