import { sleep } from 'n8n-workflow';

import type { ProcessedRecords } from './processedRecords';
import type { Counter, Key, Recordable, Slot } from './quotas';

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
	| { kind: 'duplicate'; mayLeaveRecords: boolean }
	/** One slot for each want, in their order. */
	| { kind: 'taken'; slots: Slot[] }
	/** Nothing but the key was taken. Of these as many as allowed are used or under way, and nothing else. */
	| { kind: 'usedUp'; wants: Want[]; mayLeaveRecords: boolean }
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
	const waiting = turnsOfNodes.get(records.node);
	// While nobody tries slots, what is used up is known without a turn.
	if (waiting === undefined && asks.every(isCertainlyUsedUp)) {
		return asks.map(({ wants }) => toUsedUp(wants, false));
	}
	return await new Promise((resolve) => {
		const served = asks.map((ask) => ({ ...ask, isDuplicate: false }));
		const turn = { records, asks: served, resolve };
		if (waiting === undefined) void serveAll(records.node, [turn]);
		else waiting.push(turn);
	});
}

/** An ask that has its turn, and what is known of it so far. */
interface Served extends Ask {
	isDuplicate: boolean;
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
	let open = turns;
	for (;;) {
		const trips = open.flatMap(pickSlots);
		await Promise.all(trips.map(recordSlots));
		open = open.filter((turn) => !endTurn(turn));
		if (trips.length > 0) continue;

		const removals = listCounters(open.flatMap(listOpen)).flatMap((each) => [...each.removals]);
		if (removals.length === 0) break;
		await Promise.race(removals);
	}
	const mayLeaveRecords = !(await removeSpares(turns));
	for (const turn of open) {
		for (const ask of turn.asks) {
			ask.outcome ??= ask.isDuplicate
				? { kind: 'duplicate', mayLeaveRecords }
				: toUsedUp(ask.wants, mayLeaveRecords);
		}
		endTurn(turn);
	}
}

/** Tells a turn its outcomes, once each ask has one. @returns whether it did */
function endTurn({ asks, resolve }: Turn): boolean {
	const outcomes = asks.flatMap(({ outcome = [] }) => outcome);
	if (outcomes.length < asks.length) return false;
	resolve(outcomes);
	return true;
}

/** The asks of a turn that can still have slots. */
const listOpen = ({ asks }: Turn): Served[] =>
	asks.filter(({ isDuplicate, outcome }) => !isDuplicate && outcome === undefined);

/** What a turn records in one round trip. */
interface Trip {
	readonly records: ProcessedRecords;
	readonly picks: readonly Picked[];
}

interface Picked {
	readonly ask: Served;
	readonly slots: readonly Slot[];
}

function pickSlots(turn: Turn): Trip[] {
	const picks = listOpen(turn).flatMap(pickForAsk);
	return picks.length > 0 ? [{ records: turn.records, picks }] : [];
}

/** Picks the slots of an ask, if all of its counters have one left; otherwise only its key is asked. */
function pickForAsk(ask: Served): Picked[] {
	const isKeyOpen = ask.key !== undefined && !ask.key.isRecorded;
	if (ask.wants.some(isUsedUp)) return isKeyOpen ? [{ ask, slots: [] }] : [];
	return [{ ask, slots: ask.wants.map(({ counter }) => counter.pick()) }];
}

/** Records what was picked, and says which asks are over. Never rejects. */
async function recordSlots({ records, picks }: Trip): Promise<void> {
	const keys = picks.flatMap(({ ask: { key = [] } }) => key);
	const slots = picks.flatMap((picked) => picked.slots);
	const wants = picks.flatMap(({ ask }) => ask.wants);
	const probed = wants.flatMap(({ counter, max }) => counter.probe(max));
	try {
		await record(records, [...keys, ...slots, ...probed]);
	} catch (error) {
		for (const picked of picks) failPick(records, picked, error);
		putBack(probed);
		return;
	}
	for (const slot of [...slots, ...probed]) slot.counter.noteTry(slot);
	for (const picked of picks) settlePick(picked);
	putBack(probed.filter(isHeld));
}

/** Records what is not recorded yet. @throws Error if n8n did not say that it did */
async function record(records: ProcessedRecords, wanted: readonly Recordable[]): Promise<void> {
	const open = wanted.filter((each) => !isHeld(each));
	const fresh = await records.record(open.flatMap(({ record: name = [] }) => name));
	// Of several who ask for one record the first gets it.
	for (const each of open) each.isRecorded = each.record !== undefined && fresh.delete(each.record);
}

/** An ask is over if it has its key and all slots; otherwise it keeps the key only. */
function settlePick({ ask, slots }: Picked): void {
	ask.isDuplicate = ask.key?.isRecorded === false;
	const isComplete = slots.length === ask.wants.length && slots.every(isHeld);
	if (isComplete && !ask.isDuplicate) ask.outcome = { kind: 'taken', slots: [...slots] };
	else putBack(slots.filter(isHeld));
}

/** A key that this process knows is told even where the database fails. */
function failPick(records: ProcessedRecords, { ask, slots }: Picked, error: unknown): void {
	const { key } = ask;
	ask.isDuplicate = key?.isRecorded === false && records.isTaken(key.record);
	if (!ask.isDuplicate) ask.outcome = { kind: 'failed', error };
	putBack(slots);
}

const isHeld = ({ record, isRecorded }: Recordable): boolean => record === undefined || isRecorded;

function putBack(slots: readonly Slot[]): void {
	for (const slot of slots) slot.counter.putBack(slot);
}

/** Removes what was recorded and nobody needs. @returns whether it did */
async function removeSpares(turns: readonly Turn[]): Promise<boolean> {
	const counters = listCounters(turns.flatMap(({ asks }) => asks));
	const spares = counters.flatMap((counter) => counter.withdraw());
	if (spares.length === 0) return true;
	const removing = turns[0].records.remove(spares.flatMap(({ record = [] }) => record));
	for (const spare of spares) spare.counter.freeAfter(removing, spare);
	return await removing.then(
		() => true,
		() => false,
	);
}

const listCounters = (asks: readonly Ask[]): Counter[] => [
	...new Set(asks.flatMap(({ wants }) => wants.map(({ counter }) => counter))),
];

const isUsedUp = ({ counter, max }: Want): boolean => counter.isUsedUp(max);

/** Whether it takes no turn to know that nothing is left: nobody asks for a key or gives a slot back. */
function isCertainlyUsedUp({ key, wants }: Ask): boolean {
	if (key !== undefined || !wants.some(isUsedUp)) return false;
	return wants.every(({ counter }) => counter.removals.size === 0);
}

const toUsedUp = (wants: readonly Want[], mayLeaveRecords: boolean): TakeOutcome => ({
	kind: 'usedUp',
	wants: wants.filter(isUsedUp),
	mayLeaveRecords,
});
