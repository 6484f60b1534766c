import type { IExecuteFunctions } from 'n8n-workflow';

import type { ApiCredential } from '../client/credential';
import { ValidationError } from '../operation/validationError';
import { findResultRoutes } from '../waiting/resultRoute';
import type { WaitingRun } from '../waiting/waitingRun';
import { isMessageItem } from './item';
import type { Item } from './item';

/**
 * Finds the ways of the results that items want, once all forms are checked and before the first
 * call. Items without a way are refused. What an earlier try has sent keeps its way.
 */
export async function routeResults(
	context: IExecuteFunctions,
	account: ApiCredential,
	run: WaitingRun,
	items: readonly Item[],
): Promise<void> {
	const routed = items.filter(isMessageItem).flatMap((item) => {
		const { outcome, ready, results } = item;
		const { resultWish: wish } = ready.task;
		if (wish === undefined || outcome !== undefined || results.size > 0) return [];
		return [{ item, call: { wish, isDryRun: ready.isDryRun } }];
	});
	if (routed.length === 0) return;

	const calls = routed.map(({ call }) => call);
	const routes = await findResultRoutes(context, account, run, calls);
	routed.forEach(({ item }, position) => {
		const route = routes[position];
		if (route.ok) item.ready.route = route;
		else {
			const thrown = new ValidationError(`${route.summary}. ${route.remedy}`);
			item.outcome = { thrown, isSent: false };
		}
	});
}
