import type { IExecuteFunctions } from 'n8n-workflow';

import type { ApiCredential } from '../client/credential';
import { countRecords, MAX_RECORDS } from '../idempotency/reservations';
import { translate } from '../language/translate';
import { ValidationError } from '../operation/validationError';
import { findResultRoutes } from '../waiting/routes';
import type { ResultRoute, RoutedCall } from '../waiting/routes';
import type { WaitingRun } from '../waiting/waitingRun';
import { isOpen, isRehearsed } from './model';
import type { Item, MessageRequest } from './model';

/**
 * Finds where results go, once all forms are checked and before the first call. Items whose result
 * cannot arrive are refused. What an earlier try has sent keeps its route.
 *
 * @param items changed in place
 */
export async function routeResults(
	context: IExecuteFunctions,
	readAccount: () => ApiCredential,
	waiting: WaitingRun,
	items: Item[],
): Promise<void> {
	const calls = new Map<Item, RoutedCall>();
	for (const item of items) {
		const call = findCall(item);
		if (call) calls.set(item, call);
	}
	if (calls.size === 0) return;

	const wanted = [...calls.values()];
	const routes = await findResultRoutes(context, readAccount(), waiting, wanted);
	[...calls.keys()].forEach((item, position) => {
		items[item.index] = applyRoute(item, routes[position]);
	});
}

function findCall(item: Item): RoutedCall | undefined {
	if (item.kind !== 'message' || !item.requests.some(isOpen)) return undefined;
	const { resultWish: wish } = item.task;
	return wish && { wish, isDryRun: isRehearsed(item) };
}

/** Gives an item its route. @returns the item, or a refused one in its place if it has none */
function applyRoute(item: Item, route: ResultRoute): Item {
	if (!route.ok) {
		const error = new ValidationError(route.summary, route.remedy);
		return { kind: 'refused', index: item.index, error };
	}
	if (item.kind === 'message') item.route = route;
	return item;
}

/**
 * Collects the requests to send, in input order. If the keys and counts of the run are more than a node
 * can remember, none is sent, and all of them say so, those of a dry run too.
 */
export function planRequests(items: readonly Item[]): MessageRequest[] {
	const messages = items.filter((item) => item.kind === 'message');
	const requests = messages.flatMap((item) => item.requests.filter(isOpen));

	const wanted = requests.flatMap(({ item: { guards }, recipients }) =>
		recipients.map(({ number }) => ({ number, guards })),
	);
	const needed = countRecords(wanted);
	if (needed <= MAX_RECORDS) return requests.filter(({ item }) => !isRehearsed(item));

	const error = new Error(
		translate(
			'The numbers of this run need {needed} records for Send Once per ID and the limits, and a node remembers {max}, so nothing was sent. Send the items in several runs, for example with Loop Over Items, and split a long list into several items.',
			{ needed, max: MAX_RECORDS },
		),
	);
	for (const request of requests) request.fate = { state: 'unsent', error };
	return [];
}
