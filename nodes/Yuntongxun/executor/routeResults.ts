import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { parseCredential } from '../client/credential';
import { ValidationError } from '../operation/validationError';
import { findResultRoutes } from '../waiting/route/findResultRoutes';
import type { ResultRoute, RoutedCall } from '../waiting/route/findResultRoutes';
import type { WaitingRun } from '../waiting/wait/waitingRun';
import { isOpen } from './model';
import type { DryRunItem, Item, MessageItem } from './model';

/**
 * Finds where results go, once all forms are checked and before the first call. Items whose result
 * cannot arrive are refused. What an earlier try has sent keeps its route.
 *
 * @param items changed in place
 */
export async function routeResults(
	context: IExecuteFunctions,
	credential: ICredentialDataDecryptedObject,
	waiting: WaitingRun,
	items: Item[],
): Promise<void> {
	const calls = new Map<Item, RoutedCall>();
	for (const item of items) {
		const call = findCall(item);
		if (call) calls.set(item, call);
	}
	if (calls.size === 0) return;

	const routes = await findResultRoutes(
		context,
		parseCredential(credential),
		waiting,
		[...calls.values()],
		items.filter(({ kind }) => kind === 'message').length,
	);
	[...calls.keys()].forEach((item, position) => {
		items[item.index] = applyRoute(item, routes[position]);
	});
}

function findCall(item: Item): RoutedCall | undefined {
	switch (item.kind) {
		case 'refused':
		case 'task':
			return undefined;
		case 'dryRun':
			return toCall(item, true);
		case 'message':
			return item.requests.some(isOpen) ? toCall(item, false) : undefined;
	}
}

function toCall({ task }: DryRunItem | MessageItem, isDryRun: boolean): RoutedCall | undefined {
	return task.resultWish && { wish: task.resultWish, isDryRun };
}

/** Gives an item its route. @returns the item, or a refused one in its place if it has none */
function applyRoute(item: Item, route: ResultRoute): Item {
	if (!route.ok) {
		const error = new ValidationError(route.summary, route.remedy);
		return { kind: 'refused', index: item.index, error };
	}
	if (item.kind === 'message' || item.kind === 'dryRun') item.route = route;
	return item;
}
