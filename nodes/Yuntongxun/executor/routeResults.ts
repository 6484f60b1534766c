import type { IExecuteFunctions } from 'n8n-workflow';

import type { ApiCredential } from '../client/credential';
import { ExplainedError } from '../language/explainedError';
import { translate } from '../language/translate';
import { findResultRoutes, isStartedByResult } from '../waiting/routes';
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
	refuseCircles(context, items);
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
	const { resultTarget: target } = item.message;
	return target && { target, isDryRun: isRehearsed(item) };
}

/** Gives an item its route. @returns the item, or a refused one in its place if it has none */
function applyRoute(item: Item, route: ResultRoute): Item {
	if (route instanceof ExplainedError) return refuse(item.index, route);
	if (item.kind === 'message') item.route = route;
	return item;
}

/**
 * Refuses calls that start the trigger of their workflow again, in an execution that the result of a call
 * has started: such a workflow rings for as long as nobody answers, one phone or several in turn. Only a
 * limit by number or in total ends that; an ID can be another one each time.
 *
 * @param items changed in place
 */
export function refuseCircles(context: IExecuteFunctions, items: Item[]): void {
	if (!items.some(mayCircle) || !isStartedByResult(context)) return;

	items.forEach((item, position) => {
		if (!mayCircle(item)) return;
		items[position] = refuse(item.index, buildCircleError());
	});
}

function mayCircle(item: Item): boolean {
	if (item.kind !== 'message' || isRehearsed(item) || !isPlanned(item)) return false;
	const { limits = [] } = item.guards;
	const isLimited = limits.some(({ by }) => by === 'number' || by === 'total');
	return item.message.resultTarget?.kind === 'trigger' && !isLimited;
}

function buildCircleError(): ExplainedError {
	return new ExplainedError(
		translate(
			'The result of a call has started this execution, and this call would start it again, for as long as nobody answers',
		),
		'Add Limits under Options, counted by phone number or all of this node, or choose Wait for Result.',
	);
}
