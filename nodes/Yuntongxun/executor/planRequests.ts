import { MAX_RECORDS, countRecords } from '../idempotency/reservations';
import type { Item, MessageItem, PlannedRequest, Recipient } from './model';

/**
 * Packs the unsent numbers of each item into requests, in input order. If the keys and counts of the
 * run are more than a node can remember, every number fails and nothing is sent.
 *
 * @returns the requests to send
 */
export function planRequests(items: readonly Item[]): PlannedRequest[] {
	const messages = items.filter((item) => item.kind === 'message');
	const requests = messages.filter(isBegunAnew).flatMap(planItem);

	const needed = countRecords(
		requests.flatMap(({ item, recipients }) =>
			recipients.map(({ number }) => ({ number, guards: item.guards })),
		),
	);
	if (needed <= MAX_RECORDS) return requests;

	const error = new Error(
		`The numbers of this run need ${needed} records for Send Once per ID and the limits, and a node remembers ${MAX_RECORDS}, so nothing was sent. Send the items in several runs, for example with Loop Over Items, and the numbers of a long list in several items.`,
	);
	for (const recipient of requests.flatMap(({ recipients }) => recipients)) {
		recipient.status = { state: 'failed', error };
	}
	return [];
}

/** An item keeps its error if an earlier try may have left something recorded. */
function isBegunAnew({ requests }: MessageItem): boolean {
	return !requests.some(({ isUncertain }) => isUncertain);
}

function planItem(item: MessageItem): PlannedRequest[] {
	const planned = item.recipients.filter(isPlanned);
	const { maxNumbersPerRequest: size } = item.task;
	item.requests = [];
	for (let start = 0; start < planned.length; start += size) {
		const recipients = planned.slice(start, start + size);
		item.requests.push({ item, recipients, isUncertain: false });
	}
	return item.requests;
}

export function isPlanned({ status }: Recipient): boolean {
	return status.state === 'planned';
}
