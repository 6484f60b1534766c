import { sleep } from 'n8n-workflow';

import type { ProcessedRecords } from './processedRecords';
import type { Counter, Slot } from './quotas';

/** One slot of this counter, as long as fewer than `max` are used. */
export interface Want {
	readonly counter: Counter;
	readonly max: number;
}

/** What came of asking for slots. */
export type TakeOutcome =
	/** The key was recorded before. Nothing was taken. */
	| { kind: 'duplicate'; mayLeaveRecords: boolean }
	/** One slot for each want, in their order. */
	| { kind: 'taken'; slots: Slot[] }
	/** Nothing but the key was taken. Of these as many as allowed are used or under way, and nothing else. */
	| { kind: 'usedUp'; wants: Want[]; mayLeaveRecords: boolean };

/** Somebody who asks for slots: all of them, or none. */
interface Request {
	readonly records: ProcessedRecords;
	readonly wants: readonly Want[];
	readonly key?: Slot;
	isOver: boolean;
	isDuplicate: boolean;
	resolve(outcome: TakeOutcome): void;
	reject(error: unknown): void;
}

/**
 * Takes slots, all of them or none, where a key was not recorded before.
 *
 * The requests of a node take turns: those who ask at the same moment are served together, and
 * nobody else sees a slot that is only tried. So who hears that a limit is used up hears it of
 * slots that were reached, or are under way.
 *
 * @param key is recorded with them; afterwards it says whether it is held
 * @throws Error if n8n did not say that it recorded them; it may have
 */
export async function takeSlots(
	records: ProcessedRecords,
	wants: readonly Want[],
	key?: Slot,
): Promise<TakeOutcome> {
	const turns = turnsOfNodes.get(records.node) ?? new Turns();
	turnsOfNodes.set(records.node, turns);
	return await turns.take({ records, wants, key });
}

/** The turns of one node. */
class Turns {
	private waiting: Request[] = [];

	private isServing = false;

	async take(asked: Pick<Request, 'records' | 'wants' | 'key'>): Promise<TakeOutcome> {
		return await new Promise((resolve, reject) => {
			this.waiting.push({ ...asked, isOver: false, isDuplicate: false, resolve, reject });
			if (!this.isServing) void this.serveAll();
		});
	}

	private async serveAll(): Promise<void> {
		this.isServing = true;
		while (this.waiting.length > 0) {
			// Yield once, so that those who ask in this tick share round trips.
			await sleep(0);
			await serve(this.waiting.splice(0));
		}
		this.isServing = false;
	}
}

const turnsOfNodes = new Map<string, Turns>();

/** Serves requests in their order, in as few round trips as it takes. Never rejects. */
async function serve(requests: readonly Request[]): Promise<void> {
	let open = requests;
	for (;;) {
		const picked = open.filter(({ isDuplicate }) => !isDuplicate).flatMap(pickSlots);
		await Promise.all(picked.map(recordSlots));
		open = open.filter(({ isOver }) => !isOver);
		if (picked.length > 0) continue;

		const removals = listCounters(open.filter(({ isDuplicate }) => !isDuplicate)).flatMap(
			(counter) => [...counter.removals],
		);
		if (removals.length === 0) break;
		await Promise.race(removals);
	}
	const mayLeaveRecords = !(await removeSpares(requests));
	for (const { wants, isDuplicate, resolve } of open) {
		if (isDuplicate) resolve({ kind: 'duplicate', mayLeaveRecords });
		else resolve({ kind: 'usedUp', wants: wants.filter(isUsedUp), mayLeaveRecords });
	}
}

interface Picked {
	readonly request: Request;
	readonly slots: readonly Slot[];
}

/** Picks the slots of a request, if all of its counters have one left; otherwise only its key is asked. */
function pickSlots(request: Request): Picked[] {
	const isKeyOpen = request.key !== undefined && !request.key.isRecorded;
	if (request.wants.some(isUsedUp)) return isKeyOpen ? [{ request, slots: [] }] : [];
	return [{ request, slots: request.wants.map(({ counter }) => counter.pick()) }];
}

/** Ends the request, unless another process has one of the slots: then the others are put back. */
async function recordSlots({ request, slots }: Picked): Promise<void> {
	const { records, wants, key, resolve, reject } = request;
	const tried = [...slots, ...wants.flatMap(({ counter, max }) => counter.probe(max))];
	const keys = key === undefined ? [] : [key];
	// Both in one round trip; a key that this process knows is told even where that fails.
	const trips = await Promise.allSettled([record(records, keys), record(records, tried)]);
	const failed = trips.find((trip) => trip.status === 'rejected');
	const isAsked = trips[0].status === 'fulfilled';
	request.isDuplicate = isAsked && !keys.every(isHeld);
	const isTaken = !failed && slots.length === wants.length && [...keys, ...slots].every(isHeld);
	const isFailed = failed !== undefined && !request.isDuplicate;
	request.isOver = isTaken || isFailed;
	putBack(
		failed ? tried : tried.filter((slot) => isHeld(slot) && !(isTaken && slots.includes(slot))),
	);
	if (isTaken) resolve({ kind: 'taken', slots: [...slots] });
	if (isFailed) reject(failed.reason);
}

/** Records what is not recorded yet. @throws Error if n8n did not say that it did */
async function record(records: ProcessedRecords, slots: readonly Slot[]): Promise<void> {
	const open = slots.filter((slot) => !isHeld(slot));
	const fresh = await records.record(open.flatMap(({ record: name = [] }) => name));
	for (const slot of open) {
		slot.isRecorded = slot.record !== undefined && fresh.has(slot.record);
		if (!slot.isRecorded) slot.giveUp();
	}
}

const isHeld = ({ record, isRecorded }: Slot): boolean => record === undefined || isRecorded;

function putBack(slots: readonly Slot[]): void {
	for (const slot of slots) slot.putBack();
}

/** Removes what was recorded and nobody needs. @returns whether it did */
async function removeSpares(requests: readonly Request[]): Promise<boolean> {
	const spares = listCounters(requests).flatMap((counter) => counter.withdraw());
	if (spares.length === 0) return true;
	const removing = requests[0].records.remove(spares.flatMap(({ record = [] }) => record));
	for (const spare of spares) spare.freeAfter(removing);
	return await removing.then(
		() => true,
		() => false,
	);
}

const listCounters = (requests: readonly Request[]): Counter[] => [
	...new Set(requests.flatMap(({ wants }) => wants.map(({ counter }) => counter))),
];

const isUsedUp = ({ counter, max }: Want): boolean => counter.isUsedUp(max);
