import { MAX_RECORDS, recordsNeeded } from '../idempotency/reservations';
import type { Refusal, Terms, Wanted } from '../idempotency/reservations';
import { comparableNumber, lineOf } from '../operation/phoneNumber';
import { acceptedBy, isMessageItem } from './item';
import type { Item, MessageItem } from './item';

/** A phone number that is to be reached. */
export interface Recipient extends Wanted {
	to: string;
	/** The items that name it. */
	owners: Owner[];
	/** What each of them asks. */
	terms: Terms[];
}

export interface Owner {
	item: MessageItem;
	/** How the item spells the number. */
	to: string;
	/** Why the number is left out for this item, once reserved. */
	refusal?: Refusal;
}

/** The numbers of one request. */
export type PlannedRequest = Recipient[];

/**
 * Packs the numbers of all items into requests, in input order. A number that several combined
 * items name is one recipient. If a node cannot remember all the keys and counts of the run, every
 * item fails.
 *
 * @param combine whether items with equal messages share requests
 */
export function planRequests(items: readonly Item[], combine: boolean): PlannedRequest[] {
	const messages = items.filter(isMessageItem);
	const batches = new Map<unknown, Batch>();
	for (const item of messages) {
		const { batchKey, isDryRun } = item.ready;
		// A dry run counts as the run would, and never shares a request with what is sent.
		const name = combine && batchKey !== undefined ? `${isDryRun} ${batchKey}` : item;
		const batch: Batch = batches.get(name) ?? { items: [], known: new Map(), requests: [] };
		batches.set(name, batch);
		batch.items.push(item);
		addItem(item, batch);
	}
	for (const batch of batches.values()) batch.items.forEach((item) => addRefused(item, batch));
	const planned = [...batches.values()].flatMap(({ requests }) => requests);
	const needed = messages.some(({ ready }) => ready.hasTerms) ? recordsNeeded(planned.flat()) : 0;
	if (needed > MAX_RECORDS) {
		const thrown = new Error(
			`The numbers of this run need ${needed} idempotency keys and counts, and a node remembers ${MAX_RECORDS}, so nothing was sent. Send the items in several runs, for example with Loop Over Items.`,
		);
		for (const item of messages) item.outcome = { thrown, isSent: false };
		return [];
	}
	return planned
		.filter(([{ owners }]) => !owners[0].item.ready.isDryRun)
		.sort(([a], [b]) => a.owners[0].item.index - b.owners[0].item.index);
}

/** Items that share requests. */
interface Batch {
	items: MessageItem[];
	/** By number, as keys compare it. */
	known: Map<string, Recipient>;
	requests: PlannedRequest[];
}

/** An item's numbers stay together where they fit into one request. */
function addItem(item: MessageItem, { known, requests }: Batch): void {
	const { task, terms } = item.ready;
	const fresh: Recipient[] = [];
	for (const { to, refusal } of task.recipients) {
		if (refusal || item.results.has(to)) continue;
		const number = comparableNumber(to);
		const recipient = known.get(number) ?? { to, number, line: lineOf(to), owners: [], terms: [] };
		recipient.owners.push({ item, to });
		recipient.terms.push(terms);
		if (known.has(number)) continue;
		known.set(number, recipient);
		fresh.push(recipient);
	}
	const max = task.together?.maxNumbers ?? 1;
	for (let start = 0; start < fresh.length; start += max) {
		const piece = fresh.slice(start, start + max);
		const last = requests.at(-1);
		if (last !== undefined && last.length + piece.length <= max) last.push(...piece);
		else requests.push(piece);
	}
}

/** What an earlier try kept as refused is sent all the same if another item sends it. */
function addRefused(item: MessageItem, { known }: Batch): void {
	for (const [to, result] of item.results) {
		const recipient = known.get(comparableNumber(to));
		if (!recipient || !('isSent' in result) || acceptedBy(result) !== 'no') continue;
		recipient.owners.push({ item, to });
		recipient.terms.push(item.ready.terms);
	}
}
