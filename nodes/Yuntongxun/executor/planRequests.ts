import { MAX_RECORDS, countRecords } from '../idempotency/reservations';
import { isOpen } from './model';
import type { Item, MessageItem, MessageRequest } from './model';

/** Packs the numbers of an item into requests, in list order. @param item the rest of the item */
export function packRequests(item: Omit<MessageItem, 'requests'>): MessageItem {
	const { recipients: numbers, maxNumbersPerRequest: size } = item.task;
	const requests: MessageRequest[] = [];
	const packed: MessageItem = { ...item, requests };
	for (let start = 0; start < numbers.length; start += size) {
		requests.push({
			item: packed,
			recipients: numbers.slice(start, start + size).map((number) => ({ number })),
			fate: { state: 'planned' },
			repeats: 0,
			mayLeaveRecords: false,
		});
	}
	return packed;
}

/**
 * Collects the requests to send, in input order. If their keys and counts are more than a node can
 * remember, none is sent, and all of them say so.
 */
export function planRequests(items: readonly Item[]): MessageRequest[] {
	const messages = items.filter((item) => item.kind === 'message');
	const requests = messages.flatMap((item) => item.requests.filter(isOpen));

	const wanted = requests.flatMap(({ item: { guards }, recipients }) =>
		recipients.map(({ number }) => ({ number, guards })),
	);
	const needed = countRecords(wanted);
	if (needed <= MAX_RECORDS) return requests;

	const error = new Error(
		`The numbers of this run need ${needed} records for Send Once per ID and the limits, and a node remembers ${MAX_RECORDS}, so nothing was sent. Send the items in several runs, for example with Loop Over Items, and the numbers of a long list in several items.`,
	);
	for (const request of requests) request.fate = { state: 'unsent', error };
	return [];
}
