import { MAX_RECORDS, recordsNeeded } from '../idempotency/reservations';
import type { Refusal, Wanted } from '../idempotency/reservations';
import { comparableNumber, lineOf } from '../operation/phoneNumber';
import { isMessageItem } from './item';
import type { Item, MessageItem } from './item';

/** A phone number that is to be reached. */
export interface Recipient extends Wanted {
	item: MessageItem;
	to: string;
	/** Why the number is left out, once reserved. */
	refusal?: Refusal;
}

/** The numbers of one request. */
export type PlannedRequest = Recipient[];

/**
 * Packs the numbers of each item into requests, in input order. If a node cannot remember all the
 * keys and counts of the run, every item fails.
 */
export function planRequests(items: readonly Item[]): PlannedRequest[] {
	const messages = items.filter(isMessageItem);
	const planned = messages.flatMap(requestsOf);
	const needed = messages.some(({ ready }) => ready.hasTerms) ? recordsNeeded(planned.flat()) : 0;
	if (needed > MAX_RECORDS) {
		const thrown = new Error(
			`The numbers of this run need ${needed} idempotency keys and counts, and a node remembers ${MAX_RECORDS}, so nothing was sent. Send the items in several runs, for example with Loop Over Items.`,
		);
		for (const item of messages) item.outcome = { thrown, isSent: false };
		return [];
	}
	return planned.filter(([{ item }]) => !item.ready.isDryRun);
}

function requestsOf(item: MessageItem): PlannedRequest[] {
	const { task, terms } = item.ready;
	const fresh = task.recipients
		.filter((to) => !item.results.has(to))
		.map((to) => ({ item, to, number: comparableNumber(to), line: lineOf(to), terms }));
	const max = task.maxNumbersPerRequest;
	return Array.from({ length: Math.ceil(fresh.length / max) }, (_each, position) =>
		fresh.slice(position * max, (position + 1) * max),
	);
}
