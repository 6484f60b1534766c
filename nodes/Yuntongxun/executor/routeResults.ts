import type { IExecuteFunctions } from 'n8n-workflow';

import type { ApiCredential } from '../client/credential';
import { ValidationError } from '../operation/validationError';
import { findResultRoutes } from '../waiting/routes';
import type { ResultRoute, RoutedCall } from '../waiting/routes';
import type { WaitingRun } from '../waiting/waitingRun';
import { isPlanned, isRehearsed, refuse } from './model';
import type { Item } from './model';

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
	const calls = new Map<number, RoutedCall>();
	items.forEach((item, position) => {
		const call = findCall(item);
		if (call) calls.set(position, call);
	});
	if (calls.size === 0) return;

	const routes = await findResultRoutes(context, readAccount(), waiting, [...calls.values()]);
	[...calls.keys()].forEach((position, at) => {
		items[position] = applyRoute(items[position], routes[at]);
	});
}

function findCall(item: Item): RoutedCall | undefined {
	if (item.kind !== 'message' || !isPlanned(item)) return undefined;
	const { resultTarget: target } = item.task;
	return target && { target, isDryRun: isRehearsed(item) };
}

/** Gives an item its route. @returns the item, or a refused one in its place if it has none */
function applyRoute(item: Item, route: ResultRoute): Item {
	if (!route.ok) {
		return refuse(item.index, new ValidationError(route.summary, route.remedy));
	}
	if (item.kind === 'message') item.route = route;
	return item;
}
