import { MAX_RECORDS, recordsNeeded } from '../idempotency/reservations';
import type { Refusal, Terms, Wanted } from '../idempotency/reservations';
import { comparableNumber, lineOf } from '../operation/phoneNumber';
import { isMessageItem } from './item';
import type { Item, MessageItem } from './item';
import { NotSentError } from './itemFailure';

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
	const batches = new Map<unknown, MessageItem[]>();
	for (const item of messages) {
		const { batchKey, isDryRun } = item.ready;
		// A dry run counts as the run would, and never shares a request with what is sent.
		const name = combine && batchKey !== undefined ? `${isDryRun} ${batchKey}` : item;
		const batch = batches.get(name) ?? [];
		batch.push(item);
		batches.set(name, batch);
	}
	const planned = [...batches.values()].flatMap(planBatch);
	const needed = messages.some(({ ready }) => ready.hasTerms) ? recordsNeeded(planned.flat()) : 0;
	if (needed > MAX_RECORDS) {
		const thrown = new NotSentError(
			`The numbers of this run need ${needed} idempotency keys and counts, and a node remembers ${MAX_RECORDS}, so nothing was sent`,
			'Send the items in several runs, for example with Loop Over Items.',
		);
		for (const item of messages) item.outcome = { thrown, isSent: false };
		return [];
	}
	return planned
		.filter(([{ owners }]) => !owners[0].item.ready.isDryRun)
		.sort(([a], [b]) => a.owners[0].item.index - b.owners[0].item.index);
}

/** An item's numbers stay together where they fit into one request. */
function planBatch(items: readonly MessageItem[]): PlannedRequest[] {
	const max = items[0].ready.task.together?.maxNumbers ?? 1;
	const known = new Map<string, Recipient>();
	const requests: PlannedRequest[] = [];
	for (const item of items) {
		const fresh = freshRecipients(item, known);
		for (let start = 0; start < fresh.length; start += max) {
			const piece = fresh.slice(start, start + max);
			const last = requests.at(-1);
			if (last !== undefined && last.length + piece.length <= max) last.push(...piece);
			else requests.push(piece);
		}
	}
	return requests;
}

/** The recipients that no item before this one names. @param known by number; gets more */
function freshRecipients(item: MessageItem, known: Map<string, Recipient>): Recipient[] {
	const { task, terms } = item.ready;
	const fresh: Recipient[] = [];
	for (const { to } of task.recipients) {
		if (item.results.has(to)) continue;
		const number = comparableNumber(to);
		const recipient = known.get(number) ?? { to, number, line: lineOf(to), owners: [], terms: [] };
		recipient.owners.push({ item, to });
		recipient.terms.push(terms);
		if (known.has(number)) continue;
		known.set(number, recipient);
		fresh.push(recipient);
	}
	return fresh;
}
