import { sleep } from 'n8n-workflow';

import type { ProcessedRecords } from './processedRecords';
import type { Counter, Holdable, Key, Slot } from './quotas';

/** One slot of this counter, as long as fewer than `max` are used. */
export interface Want {
	readonly counter: Counter;
	readonly max: number;
}

/** What somebody asks for: all of it, or nothing. */
export interface Ask {
	/** Is recorded with the slots, unless it was before. Afterwards it says whether it is held. */
	readonly key?: Key;
	readonly wants: readonly Want[];
}

/** What came of asking for slots. */
export type TakeOutcome =
	/** The key was recorded before. Nothing was taken. */
	| { kind: 'duplicate' }
	/** One slot for each want, in their order. */
	| { kind: 'taken'; slots: Slot[] }
	/** Nothing but the key was taken. Of these as many as allowed are used or under way, and nothing else. */
	| { kind: 'usedUp'; wants: Want[] }
	/** n8n did not say that it recorded it. It may have. */
	| { kind: 'failed'; error: unknown };

/**
 * Takes slots for each ask, where its key was not recorded before.
 *
 * The requests of a node take turns: those who ask at the same moment are served together, and
 * nobody else sees a slot that is only tried. So who hears that a limit is used up hears it of
 * slots that were reached, or are under way.
 *
 * @returns an outcome for each ask. Never rejects
 */
export async function takeSlots(
	records: ProcessedRecords,
	asks: readonly Ask[],
): Promise<TakeOutcome[]> {
	return await new Promise((resolve) => {
		const turn = { records, asks: asks.map((ask) => ({ ...ask, misses: 0, usedUp: [] })), resolve };
		const waiting = turnsOfNodes.get(records.node);
		if (waiting === undefined) void serveAll(records.node, [turn]);
		else waiting.push(turn);
	});
}

/** An ask that has its turn, and what is known of it so far. */
interface Served extends Ask {
	/** How many slots that were tried for it turned out to be somebody else's. */
	misses: number;
	/** What kept it from slots when it was looked at last. */
	usedUp: Want[];
	outcome?: TakeOutcome;
}

/** Those who ask together. */
interface Turn {
	readonly records: ProcessedRecords;
	readonly asks: readonly Served[];
	resolve(outcomes: TakeOutcome[]): void;
}

/** Who waits for the next turn, by node; a node is here only while it is served. */
const turnsOfNodes = new Map<string, Turn[]>();

/** Serves a node until nobody waits. Never rejects. */
async function serveAll(node: string, waiting: Turn[]): Promise<void> {
	turnsOfNodes.set(node, waiting);
	while (waiting.length > 0) {
		// Yield once, so that those who ask in this tick share round trips.
		await sleep(0);
		await serve(waiting.splice(0));
	}
	turnsOfNodes.delete(node);
}

/** Serves turns in their order, in as few round trips as it takes. Never rejects. */
async function serve(turns: readonly Turn[]): Promise<void> {
	let tries = [true];
	while (tries.includes(true)) tries = await Promise.all(turns.map(trySlots));
	const asks = turns.flatMap((turn) => turn.asks);
	for (const ask of asks) ask.outcome ??= { kind: 'usedUp', wants: ask.usedUp };
	await removeSpares(turns[0].records, asks);
	for (const turn of turns) turn.resolve(turn.asks.flatMap(({ outcome = [] }) => outcome));
}

/** What is tried for an ask in one round trip: its key, and for each want one slot or more. */
interface Picked {
	readonly ask: Served;
	readonly slots: ReadonlyArray<readonly Slot[]>;
}

/**
 * Tries slots for the asks of a turn that can still have some. Never rejects.
 *
 * @returns whether there was anything to try
 */
async function trySlots({ records, asks }: Turn): Promise<boolean> {
	const picks = asks.filter(({ outcome }) => outcome === undefined).flatMap(pickForAsk);
	if (picks.length === 0) return false;

	const tried = picks.flatMap(({ ask: { key = [] }, slots }) => [key, ...slots].flat());
	try {
		await record(records, tried);
		for (const picked of picks) settlePick(picked);
	} catch (error) {
		for (const picked of picks) failPick(records, picked, error);
	}
	return true;
}

/** Picks slots for an ask, if all of its counters have one left; otherwise only its key is asked. */
function pickForAsk(ask: Served): Picked[] {
	const isKeyOpen = ask.key?.isHeld === false;
	ask.usedUp = ask.wants.filter(({ counter, max }) => counter.isUsedUp(max));
	if (ask.usedUp.length > 0) return isKeyOpen ? [{ ask, slots: [] }] : [];
	// A tenth of the misses: few round trips find a free slot behind 3,000, and workers that take turns
	// record none that they do not need.
	const more = Math.floor(ask.misses / 10);
	return [{ ask, slots: ask.wants.map(({ counter, max }) => counter.pick(max, more)) }];
}

/** Records what is not held yet. @throws Error if n8n did not say that it did */
async function record(records: ProcessedRecords, wanted: readonly Holdable[]): Promise<void> {
	const open = wanted.filter(({ isHeld }) => !isHeld);
	const fresh = await records.record(open.flatMap(({ record: name = [] }) => name));
	// Of several who ask for one record the first gets it.
	for (const each of open) each.isHeld = each.record !== undefined && fresh.delete(each.record);
}

/** An ask is over if it has its key and all slots; otherwise it keeps the key only. */
function settlePick({ ask, slots: tried }: Picked): void {
	const held = tried.map((some) => some.filter(({ isHeld }) => isHeld));
	const slots = held.flatMap((some) => some.slice(0, 1));
	const isComplete = slots.length === ask.wants.length;
	ask.misses += tried.flat().length - held.flat().length;
	if (ask.key?.isHeld === false) ask.outcome = { kind: 'duplicate' };
	else if (isComplete) ask.outcome = { kind: 'taken', slots };

	const taken = ask.outcome?.kind === 'taken' ? slots : [];
	putBack(held.flat().filter((slot) => !taken.includes(slot)));
}

/** A key that this process knows is told even where the database fails. */
function failPick(records: ProcessedRecords, { ask, slots }: Picked, error: unknown): void {
	const { key } = ask;
	const isDuplicate = key?.isHeld === false && records.isTaken(key.record);
	ask.outcome = isDuplicate ? { kind: 'duplicate' } : { kind: 'failed', error };
	putBack(slots.flat());
}

function putBack(slots: readonly Slot[]): void {
	for (const slot of slots) slot.counter.putBack(slot);
}

/** Removes what was recorded and nobody needs. Never rejects. */
async function removeSpares(records: ProcessedRecords, asks: readonly Ask[]): Promise<void> {
	const counters = new Set(asks.flatMap(({ wants }) => wants.map(({ counter }) => counter)));
	const spares = [...counters].flatMap((counter) => counter.listSpares());
	try {
		await records.remove(spares.flatMap(({ record: name = [] }) => name));
		for (const spare of spares) spare.isHeld = false;
	} catch {
		// Whoever asks next in this process takes them as they are.
	}
}
