import { MAX_RECORDS, countRecords } from '../idempotency/reservations';
import { isPlanned } from './model';
import type { Item, MessageItem, PlannedRequest } from './model';

/**
 * Packs the unsent numbers of each item into requests, in input order. If the keys and counts of the
 * run are more than a node can remember, every number fails and nothing is sent.
 *
 * @returns the requests to send
 */
export function planRequests(items: readonly Item[]): PlannedRequest[] {
	const messages = items.filter((item) => item.kind === 'message');
	const requests = messages.flatMap(planItem);

	const wanted = requests.flatMap(({ item: { guards }, recipients }) =>
		recipients.map(({ number }) => ({ number, guards })),
	);
	const needed = countRecords(wanted);
	if (needed <= MAX_RECORDS) return requests;

	const error = new Error(
		`The numbers of this run need ${needed} records for Send Once per ID and the limits, and a node remembers ${MAX_RECORDS}, so nothing was sent. Send the items in several runs, for example with Loop Over Items, and the numbers of a long list in several items.`,
	);
	for (const recipient of requests.flatMap(({ recipients }) => recipients)) {
		recipient.status = { state: 'failed', error };
	}
	return [];
}

/**
 * Packs an item's planned numbers into requests, and notes them in the item beside those of earlier
 * tries that may have left records behind.
 */
function planItem(item: MessageItem): PlannedRequest[] {
	const planned = item.recipients.filter(isPlanned);
	const { maxNumbersPerRequest: size } = item.task;
	const requests: PlannedRequest[] = [];
	for (let start = 0; start < planned.length; start += size) {
		const recipients = planned.slice(start, start + size);
		requests.push({ item, recipients, mayLeaveRecords: false });
	}
	item.requests = [...item.requests.filter(({ mayLeaveRecords }) => mayLeaveRecords), ...requests];
	return requests;
}
