import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { createClients } from '../client/client';
import { parseCredential } from '../client/credential';
import { signedHttp } from '../client/transport';
import { StoredTokenUsage } from '../idempotency/tokenUsage';
import { Reservations } from '../idempotency/reservations';
import type { Operation } from '../operation/defineOperation';
import { idsOf } from '../operation/output';
import { operationOf } from '../resources';
import { mapYielding } from '../util/concurrency';
import { WaitingRun } from '../waiting/waitingRun';
import { hintsOf } from './runHints';
import { isMessageItem } from './item';
import type { Item } from './item';
import { itemContexts } from './readItem';
import { errorOf } from './itemFailure';
import { resultOf } from './itemResult';
import type { ItemResult } from './itemResult';
import { planRequests } from './planRequests';
import { routeResults } from './routeResults';
import { RateLimiter } from './rateLimiter';
import { retryMemo } from './retryMemo';
import { sendAll } from './sendRequest';
import { settingsOfRun, validateItem } from './validateItem';

/**
 * Runs the chosen operation for every item: validates all items, plans the requests, sends them at
 * the allowed rate, and gives the results in input order. Parks the execution if it is to wait.
 *
 * @returns the output items
 * @throws NodeApiError if the service refused, NodeOperationError if a form is wrong, unless the
 * node continues on failures
 */
export async function executeNode(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const waiting = WaitingRun.begin(context);
	const operation = chosenOperation(context);
	const changes = operation.endpoint?.hasSideEffects ?? false;
	const continues = context.continueOnFail();
	const credential = await context.getCredentials('yuntongxunApi');
	const memo = retryMemo(context, changes);
	const contextOf = itemContexts(context, operation, credential);
	const settings = settingsOfRun(operation, contextOf);

	const items = await mapYielding(context.getInputData().keys(), (index) => {
		const item =
			memo.get(index) ?? checked(index, () => validateItem(operation, contextOf(index), index));
		memo.set(index, item);
		return item;
	});
	if (items.some((item) => isMessageItem(item) && item.ready.task.resultWish)) {
		await routeResults(context, parseCredential(credential), waiting, items);
	}
	const requests = planRequests(items.filter(({ outcome }) => outcome === undefined));
	const own = items.filter((item) => item.outcome === undefined && !isMessageItem(item));

	const cancelled = context.getExecutionCancelSignal();
	const limiter = new RateLimiter(settings, cancelled);
	const fail = () => {
		if (!continues) limiter.stop();
	};
	if (!continues) {
		const failures = await mapYielding(items, (item) => resultOf(item, changes).failure);
		if (failures.some(Boolean)) fail();
	}
	const hasTerms = items.some(({ ready }) => ready?.hasTerms);
	const reservations = hasTerms ? new Reservations(context) : undefined;
	const tokenUsage = own.length > 0 ? new StoredTokenUsage(context) : undefined;
	const clientFor = createClients(credential, signedHttp(context));
	const tools = { limiter, fail, reservations, tokenUsage, waiting, clientFor };
	await sendAll(requests, own, settings.concurrency, tools);
	const closed = Promise.all([reservations?.close(), tokenUsage?.close()]);
	// n8n takes no result for an execution that it has not parked yet.
	if (!waiting.isDirect) await closed;

	const results = await mapYielding(items, (item) => resultOf(item, changes));
	const hints = hintsOf(items, results, continues, limiter.refusals);
	// n8n shows the hints of the last try only, so each try gives them all.
	context.addExecutionHints(
		...hints.map((message) => ({ message, location: 'outputPane' as const })),
	);
	const report = reportOfRun(results);
	if (cancelled?.aborted) logAccepted(context, report);
	const failure = results.find((result) => result.failure)?.failure;
	if (failure && !continues) throw errorOf(context.getNode(), failure, report);
	return await waiting.park(
		results.flatMap(({ outputs }, item) => outputs.map((json) => ({ json, pairedItem: { item } }))),
	);
}

/** The operation that the form names. @throws NodeOperationError if it names none */
function chosenOperation(context: IExecuteFunctions): Operation {
	const [resource, operation] = ['resource', 'operation'].map((name) =>
		String(context.getNodeParameter(name, 0)),
	);
	const chosen = operationOf(resource, operation);
	if (chosen) return chosen;
	const message = 'Choose a resource and one of its operations';
	throw new NodeOperationError(context.getNode(), message, { itemIndex: 0 });
}

/** An item whose form is refused has that as its outcome. */
function checked(index: number, check: () => Item): Item {
	try {
		return check();
	} catch (thrown) {
		return { index, outcome: { thrown, isSent: false }, results: new Map() };
	}
}

/** What became of the items where there is no output: entries by item. */
function reportOfRun(results: readonly ItemResult[]) {
	const listed = (name: 'accepted' | 'unclear' | 'notReached') =>
		results.flatMap((result, itemIndex) => result[name].map((entry) => ({ itemIndex, ...entry })));
	return {
		accepted: listed('accepted'),
		unclear: listed('unclear'),
		notAttempted: [...results.keys()].filter((index) => results[index].notAttempted),
		notReached: listed('notReached'),
	};
}

/** n8n drops the output of a node that the user stopped, so its log keeps what was accepted. */
function logAccepted(
	{ logger }: IExecuteFunctions,
	{ accepted, unclear }: ReturnType<typeof reportOfRun>,
): void {
	if (accepted.length + unclear.length === 0) return;
	const ids = accepted.map(({ itemIndex, ...entry }) => ({ itemIndex, ...idsOf(entry) }));
	const items = unclear.map(({ itemIndex }) => itemIndex);
	logger.info(
		`Execution stopped by the user. Accepted by then: ${JSON.stringify(ids)}. Perhaps accepted, by item: ${JSON.stringify(items)}.`,
	);
}
