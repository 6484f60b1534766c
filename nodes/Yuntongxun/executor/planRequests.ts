import { MAX_RECORDS, recordsNeeded } from '../idempotency/reservations';
import type { Wanted } from '../idempotency/reservations';
import { comparableNumber, lineOf } from '../operation/phoneNumber';
import { isMessageItem } from './item';
import type { Item, MessageItem } from './item';
import { NotSentError } from './notSentError';

/** A phone number that is to be reached, for the items that name it. */
export interface Recipient extends Wanted {
	to: string;
	owners: MessageItem[];
	/** How each of them spells it. */
	spellings: string[];
}

/** The numbers of one request. */
export type PlannedRequest = Recipient[];

/**
 * Packs the numbers of all items into requests, in input order. A number that several combined
 * items name is one recipient.
 *
 * @param combine whether items with equal messages share requests
 * @throws NotSentError if a node cannot remember all the keys and counts of the run
 */
export function planRequests(items: readonly Item[], combine: boolean): PlannedRequest[] {
	const batches = new Map<unknown, MessageItem[]>();
	for (const item of items.filter(isMessageItem)) {
		const { batchKey, isDryRun } = item.ready;
		// A dry run counts as the run would, and never shares a request with what is sent.
		const name = combine && batchKey !== undefined ? `${isDryRun} ${batchKey}` : item;
		const batch = batches.get(name) ?? [];
		batch.push(item);
		batches.set(name, batch);
	}
	const planned = [...batches.values()].flatMap(planBatch);
	checkCapacity(planned.flat());
	return planned
		.filter(([{ owners }]) => !owners[0].ready.isDryRun)
		.sort(([a], [b]) => a.owners[0].index - b.owners[0].index);
}

function planBatch(items: MessageItem[]): PlannedRequest[] {
	const lists = items.map(({ ready, results }) =>
		ready.task.recipients
			.filter(({ to }) => !results.has(to) || results.get(to)?.kind === 'shown')
			.map(({ to }) => to),
	);
	const named = new Map<string, Pick<Recipient, 'to' | 'owners' | 'spellings'>>();
	const listed = lists.map((numbers, position) =>
		numbers.map((spelling) => {
			const name = comparableNumber(spelling);
			const known = named.get(name) ?? { to: spelling, owners: [], spellings: [] };
			known.owners.push(items[position]);
			known.spellings.push(spelling);
			named.set(name, known);
			return name;
		}),
	);
	const max = items[0].ready.task.together?.maxNumbers ?? 1;
	return packNumbers(listed, max).map((names) =>
		names.flatMap((number) => {
			const known = named.get(number);
			if (known === undefined) return [];
			const { to, owners } = known;
			return [
				{ ...known, number, line: lineOf(to), terms: owners.map(({ ready }) => ready.terms) },
			];
		}),
	);
}

/**
 * The numbers of each request. An item's numbers stay together where they fit into one request.
 *
 * @param lists numbers of each item, each once
 * @param max most numbers of a request
 */
export function packNumbers(lists: readonly string[][], max: number): string[][] {
	const packs: string[][] = [];
	const seen = new Set<string>();
	for (const numbers of lists) {
		const fresh = numbers.filter((number) => !seen.has(number));
		for (const number of fresh) seen.add(number);
		for (let start = 0; start < fresh.length; start += max) {
			const piece = fresh.slice(start, start + max);
			const last = packs[packs.length - 1];
			if (last !== undefined && last.length + piece.length <= max) last.push(...piece);
			else packs.push(piece);
		}
	}
	return packs;
}

function checkCapacity(recipients: readonly Recipient[]): void {
	if (!recipients.some(({ owners }) => owners.some(({ ready }) => ready.hasTerms))) return;
	const needed = recordsNeeded(recipients);
	if (needed <= MAX_RECORDS) return;
	throw new NotSentError(
		`The numbers of this run need ${needed} idempotency keys and counts, and a node remembers ${MAX_RECORDS}, so nothing was sent`,
		'Send the items in several runs, for example with Loop Over Items.',
	);
}
