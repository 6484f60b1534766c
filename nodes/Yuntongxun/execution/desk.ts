import type { IExecuteFunctions } from 'n8n-workflow';

import { NotBegun } from './notBegun';
import type { Store } from './store';
import { KeyedMutex } from '../util/keyedMutex';

/** Names of which a desk remembers how many places are taken, at most. */
const MOST_NOTES = 10_000;

/**
 * Entries of runs that have ended are recorded again beside later ones, since another process may
 * still write back a row that it read before: so many of them, and for so many milliseconds.
 */
const MOST_RECENT = 500;
const RECENT_MS = 60_000;

/** A name that is to be claimed. */
export interface Wanted {
	name: string;
	/** How many may claim the name; undefined for a name with one entry, the name itself. */
	places?: number;
}

/** What became of a claim: the entries that are taken now, or the first name that was not free. */
export type Claimed = { entries: string[] } | { refused: Wanted };

/** The entry for a place of a name, counted from 1; without a place, how all of them begin. */
export const placeName = (name: string, place: number | ''): string => `${name}#${place}`;

/** Somebody who waits for an answer. */
interface Question<Asked, Answer> {
	asked: Asked;
	answer: (answer: Answer) => void;
	fail: (thrown: unknown) => void;
}

type Claim = Question<readonly Wanted[], Claimed>;

/** How far a claim has come. */
interface Bid {
	pending: Array<{ wanted: Wanted; place: number }>;
	entries: string[];
	refused?: Wanted;
}

const desks = new Map<string, Desk>();

/** The desk of the node that runs, the same for all its runs in this process. */
export function deskOf(context: IExecuteFunctions): Desk {
	const node = `${context.getWorkflow().id}/${context.getNode().id}`;
	const desk = desks.get(node) ?? new Desk();
	desks.set(node, desk);
	return desk;
}

/**
 * Where all runs of one node in this process ask for its entries. Those who wait are served
 * together, in one read and write of the store.
 */
export class Desk {
	/** Entries that the node keeps at most. */
	room = 0;

	/** Claimed by runs under way: taken, even if another process undid the record. */
	private readonly held = new Set<string>();

	/** Claimed by runs that ended lately, oldest first, with the time of their end. */
	private readonly recent = new Map<string, number>();

	/** When an entry was last found to be missing. */
	private lastMissing = -Infinity;

	/** How many places of a name are taken, from the first one on, as far as known. */
	private readonly full = new Map<string, number>();

	/** Who works with a name now, and who is next. */
	readonly turns = new KeyedMutex();

	private readonly releases: Array<Question<readonly string[], void>> = [];

	private readonly looks: Array<Question<string, boolean>> = [];

	private readonly claims: Claim[] = [];

	private readonly checks: Array<Question<readonly string[], boolean>> = [];

	private isBusy = false;

	/** Claims all of the names or none; first come, first served. @throws NotBegun */
	async claim(store: Store, wanted: readonly Wanted[]): Promise<Claimed> {
		return await this.ask(store, this.claims, wanted);
	}

	/** Whether an entry is recorded. @throws NotBegun */
	async look(store: Store, entry: string): Promise<boolean> {
		return await this.ask(store, this.looks, entry);
	}

	/** Frees entries. If n8n cannot, its log says so. */
	async release(store: Store, entries: readonly string[]): Promise<void> {
		await this.ask(store, this.releases, entries);
	}

	/** Records entries again. @returns whether all were recorded @throws NotBegun */
	async check(store: Store, entries: readonly string[]): Promise<boolean> {
		return await this.ask(store, this.checks, entries);
	}

	/** Their run has ended. */
	letGo(entries: readonly string[]): void {
		const now = Date.now();
		for (const entry of entries) {
			if (this.held.delete(entry)) this.recent.set(entry, now);
		}
		for (const [entry, time] of this.recent) {
			if (this.recent.size <= MOST_RECENT && now - time <= RECENT_MS) break;
			this.recent.delete(entry);
		}
	}

	/** Whether another process has lately undone records of this one. */
	isContended(): boolean {
		return Date.now() - this.lastMissing <= RECENT_MS;
	}

	private async ask<Asked, Answer>(
		store: Store,
		waiting: Array<Question<Asked, Answer>>,
		asked: Asked,
	): Promise<Answer> {
		return await new Promise((answer, fail) => {
			waiting.push({ asked, answer, fail });
			if (!this.isBusy) void this.serve(store);
		});
	}

	private async serve(store: Store): Promise<void> {
		this.isBusy = true;
		// Those who ask at the same moment are served together.
		await Promise.resolve();
		const { releases, looks, claims, checks } = this;
		while ([releases, looks, claims, checks].some(({ length }) => length > 0)) {
			await answered(releases, async (each) => await this.serveReleases(store, each));
			await answered(looks, async (each) => await this.serveLooks(store, each));
			await answered(claims, async (each) => await this.serveClaims(store, each));
			await answered(checks, async (each) => await this.serveChecks(store, each));
		}
		this.isBusy = false;
	}

	private async serveReleases(
		store: Store,
		releases: Array<Question<readonly string[], void>>,
	): Promise<void> {
		const entries = releases.flatMap(({ asked }) => asked);
		for (const entry of entries) {
			this.held.delete(entry);
			this.recent.delete(entry);
		}
		await this.giveBack(store, entries);
		for (const { answer } of releases) answer();
	}

	/** n8n answers only by recording, so what was free is freed again. */
	private async serveLooks(store: Store, looks: Array<Question<string, boolean>>): Promise<void> {
		const entries = looks.map(({ asked }) => asked).filter((entry) => !this.isKnown(entry));
		// With room to spare, so that looking drops nothing.
		const fresh = await store.record(entries, this.room + entries.length);
		await this.giveBack(store, [...fresh]);
		for (const { asked, answer } of looks) answer(!fresh.has(asked));
	}

	private async serveChecks(
		store: Store,
		checks: Array<Question<readonly string[], boolean>>,
	): Promise<void> {
		const fresh = await this.record(
			store,
			checks.flatMap(({ asked }) => asked),
		);
		if (fresh.size > 0) this.lastMissing = Date.now();
		for (const { asked, answer } of checks) answer(!asked.some((entry) => fresh.has(entry)));
	}

	/** A claim that is refused must not stand in the way of those behind it, so they ask again. */
	private async serveClaims(store: Store, claims: readonly Claim[]): Promise<void> {
		let open = claims;
		while (open.length > 0) {
			const bids = await this.bid(store, open);
			await this.giveBack(
				store,
				bids.flatMap(({ refused, entries }) => (refused ? entries : [])),
			);
			const stoodInTheWay = bids.findIndex(({ refused, entries }) => refused && entries.length > 0);
			const again: Claim[] = [];
			bids.forEach(({ refused, entries }, position) => {
				if (refused === undefined) {
					for (const entry of entries) this.held.add(entry);
					open[position].answer({ entries });
				} else if (stoodInTheWay >= 0 && position > stoodInTheWay) again.push(open[position]);
				else open[position].answer({ refused });
			});
			open = again;
		}
	}

	/** Asks for the lowest places that may be free, then for those above the ones that are taken. */
	private async bid(store: Store, claims: readonly Claim[]): Promise<Bid[]> {
		const bids = claims.map(({ asked }): Bid => ({
			entries: [],
			pending: asked.map((wanted) => ({
				wanted,
				place: (this.full.get(wanted.name) ?? 0) + 1,
			})),
		}));
		await this.settle(store, bids).catch(async (thrown: unknown) => {
			await this.giveBack(
				store,
				bids.flatMap(({ entries }) => entries),
			);
			throw thrown;
		});
		return bids;
	}

	private async settle(store: Store, bids: readonly Bid[]): Promise<void> {
		for (let open = bids; open.length > 0; open = open.filter(isOpen)) {
			const asked = open.flatMap(({ pending }) => pending.map(entryOf));
			const fresh = await this.record(
				store,
				asked.filter((entry) => entry !== undefined).filter((entry) => !this.isKnown(entry)),
			);
			for (const each of open) this.advance(each, fresh);
		}
	}

	private isKnown(entry: string): boolean {
		return this.held.has(entry) || this.recent.has(entry);
	}

	/** Records entries, and again those of recent runs. @returns which of the former were new */
	private async record(store: Store, entries: readonly string[]): Promise<Set<string>> {
		if (entries.length === 0) return new Set();
		const fresh = await store.record([...entries, ...this.recent.keys()], this.room);
		for (const entry of this.recent.keys()) {
			if (fresh.delete(entry)) this.lastMissing = Date.now();
		}
		return fresh;
	}

	/** Takes what was fresh, each entry once, and moves on to the next places. */
	private advance(bid: Bid, fresh: Set<string>): void {
		const pending = bid.pending.splice(0);
		for (const { wanted, place } of pending) {
			const entry = entryOf({ wanted, place });
			const isTaken = entry === undefined || !fresh.delete(entry);
			if (wanted.places !== undefined) this.note(wanted.name, Math.min(place, wanted.places));
			if (!isTaken) bid.entries.push(entry);
			else if (place < (wanted.places ?? 1)) bid.pending.push({ wanted, place: place + 1 });
			else bid.refused ??= wanted;
		}
		if (bid.refused) bid.pending = [];
	}

	private note(name: string, taken: number): void {
		if (this.full.size >= MOST_NOTES) this.full.clear();
		this.full.set(name, taken);
	}

	private async giveBack(store: Store, entries: readonly string[]): Promise<void> {
		if (entries.length === 0) return;
		this.full.clear();
		await store
			.remove(entries)
			.catch((thrown: unknown) =>
				store.warn(
					`n8n did not free ${entries.join(', ')}, which stays recorded though nothing was sent: ${String(thrown)}`,
				),
			);
	}
}

const isOpen = ({ pending }: Bid) => pending.length > 0;

/** Undefined beyond the last place. */
function entryOf({ wanted: { name, places }, place }: Bid['pending'][number]): string | undefined {
	if (places === undefined) return name;
	return place <= places ? placeName(name, place) : undefined;
}

async function answered<Asked, Answer>(
	waiting: Array<Question<Asked, Answer>>,
	serve: (questions: Array<Question<Asked, Answer>>) => Promise<void>,
): Promise<void> {
	const questions = waiting.splice(0);
	if (questions.length === 0) return;
	try {
		await serve(questions);
	} catch (thrown) {
		const words = thrown instanceof Error ? thrown.message : String(thrown);
		const refusal = new NotBegun(
			`n8n did not record the Idempotency Key or the count of this item, so nothing was sent. Its own words: ${words}`,
			{ cause: thrown },
		);
		for (const { fail } of questions) fail(refusal);
	}
}
