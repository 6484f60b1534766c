import { NodeOperationError, sleep } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { parseAccount } from '../client/account';
import { createClient } from '../client/client';
import { signedHttp } from '../client/transport';
import { StoredAttempts } from '../idempotency/attempts';
import { Reservations } from '../idempotency/reservations';
import type { Operation } from '../operation/defineOperation';
import { idsOf } from '../operation/output';
import { operationOf } from '../resources';
import { mapConcurrent } from '../util/mapConcurrent';
import { WaitingRun } from '../wait/waitingRun';
import { hintsOf } from './hints';
import { hasFailed, isMessageItem } from './item';
import type { Item } from './item';
import { createItemContext } from './itemContext';
import { errorOf } from './itemFailure';
import { resultOf } from './itemResult';
import type { ItemResult } from './itemResult';
import { planRequests } from './planRequests';
import type { PlannedRequest } from './planRequests';
import { RateLimiter } from './rateLimiter';
import { keptFor, retryMemo } from './retryMemo';
import { completeOwnWork, RunSignal, sendRequest } from './sendRequest';
import type { SendTools } from './sendRequest';
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
	const changes = operation.endpoint?.changes ?? false;
	const credential = await context.getCredentials('yuntongxunApi');
	const http = signedHttp(context);
	const cancelled = context.getExecutionCancelSignal();
	const itemContext = (index: number) =>
		createItemContext(context, index, operation, parseAccount(credential), waiting);
	const { rate, combine } = settingsOfRun(operation, () => itemContext(0));
	const limiter = new RateLimiter(rate);
	const run = new RunSignal(context.continueOnFail(), cancelled);

	const items = await validateItems(context, changes, (index) =>
		validateItem(operation, itemContext(index), index),
	);
	const requests = plan(items, combine);
	const own = items.filter((item) => item.outcome === undefined && !isMessageItem(item));
	if (items.some(hasFailed)) run.fail();

	const hasTerms = items.some(({ ready }) => ready?.hasTerms);
	const reservations = requests.length > 0 && hasTerms ? new Reservations(context) : undefined;
	const attempts = own.length > 0 ? new StoredAttempts(context) : undefined;
	const tools: SendTools = {
		limiter,
		run,
		reservations,
		waiting,
		clientFor: ({ format, timeout }) =>
			createClient(parseAccount(credential), http, format, timeout),
	};
	await mapConcurrent(requests, rate.concurrency, async (request) => {
		if (!run.signal.aborted) await sendRequest(request, tools);
	});
	if (attempts) {
		await mapConcurrent(own, rate.concurrency, async (item) => {
			if (!run.signal.aborted) await completeOwnWork(item, attempts, tools);
		});
	}
	await Promise.all([reservations?.close(), attempts?.close()]);

	const results = await resultsOf(items, changes);
	giveHints(
		context,
		hintsOf(items, {
			continues: context.continueOnFail(),
			combine,
			refusals: limiter.refusals,
		}),
	);
	if (cancelled?.aborted) logAccepted(context, results);
	if (!context.continueOnFail()) throwFirst(context, results);
	return await waiting.park(
		results.flatMap(({ outputs }, item) => outputs.map((json) => ({ json, pairedItem: { item } }))),
	);
}

/** After how many items n8n's event loop goes on. */
const BREATH = 25;

/** The operation that the form names. @throws NodeOperationError if it names none */
function chosenOperation(context: IExecuteFunctions): Operation {
	const operation = operationOf(
		String(context.getNodeParameter('resource', 0)),
		String(context.getNodeParameter('operation', 0)),
	);
	if (operation) return operation;
	throw new NodeOperationError(context.getNode(), 'Choose a resource and one of its operations', {
		itemIndex: 0,
	});
}

/** Validates every item before anything is sent. Items of earlier tries keep what they reached. */
async function validateItems(
	context: IExecuteFunctions,
	changes: boolean,
	validate: (index: number) => Item,
): Promise<Item[]> {
	const memo = retryMemo(context);
	const items: Item[] = [];
	for (const index of context.getInputData().keys()) {
		const item = keptFor(memo.get(index), changes) ?? validated(index, validate);
		memo.set(index, item);
		items.push(item);
		if (items.length % BREATH === 0) await sleep(0);
	}
	return items;
}

function validated(index: number, validate: (index: number) => Item): Item {
	try {
		return validate(index);
	} catch (thrown) {
		return { index, outcome: { thrown, isSent: false }, results: new Map() };
	}
}

/** A run that cannot be remembered fails as a whole. */
function plan(items: readonly Item[], combine: boolean): PlannedRequest[] {
	try {
		return planRequests(items, combine);
	} catch (thrown) {
		for (const item of items) {
			if (!item.outcome || 'value' in item.outcome) item.outcome = { thrown, isSent: false };
		}
		return [];
	}
}

async function resultsOf(items: readonly Item[], changes: boolean): Promise<ItemResult[]> {
	const results: ItemResult[] = [];
	for (const item of items) {
		results.push(resultOf(item, changes));
		if (results.length % BREATH === 0) await sleep(0);
	}
	return results;
}

/** n8n shows the hints of the last try only, so each try gives them all. */
function giveHints(context: IExecuteFunctions, hints: string[]): void {
	context.addExecutionHints(
		...[...new Set(hints)].map((message) => ({ message, location: 'outputPane' as const })),
	);
}

/** n8n drops the output of a node that the user stopped, so its log keeps what was accepted. */
function logAccepted(context: IExecuteFunctions, results: readonly ItemResult[]): void {
	const accepted = listed(results, (result) => result.accepted.map(idsOf));
	const unclear = results.flatMap((result, index) => (result.unclear.length > 0 ? [index] : []));
	if (accepted.length === 0 && unclear.length === 0) return;
	context.logger.info(
		`Execution stopped by the user. Accepted by then: ${JSON.stringify(accepted)}. Perhaps accepted, by item: ${JSON.stringify(unclear)}.`,
	);
}

/** Throws the failure of the lowest index, with what became of the other items. */
function throwFirst(context: IExecuteFunctions, results: readonly ItemResult[]): void {
	const failure = results.find((result) => result.failure)?.failure;
	if (failure === undefined) return;
	const error = errorOf(context.getNode(), failure);
	Object.assign(error.context, failure.more);
	error.context.accepted = listed(results, ({ accepted }) => accepted);
	error.context.unclear = listed(results, ({ unclear }) => unclear);
	error.context.notAttempted = [...results.keys()].filter((index) => isOpen(results[index]));
	error.context.notReached = listed(results, ({ notReached }) =>
		notReached === undefined ? [] : [{ to: notReached }],
	);
	throw error;
}

/** Whether nothing was sent for an item, though it should have been. */
const isOpen = ({ isAttempted, outputs, failure }: ItemResult): boolean =>
	!isAttempted && (outputs.length === 0 || failure !== undefined);

const listed = (
	results: readonly ItemResult[],
	entriesOf: (result: ItemResult) => IDataObject[],
): IDataObject[] =>
	results.flatMap((result, itemIndex) =>
		entriesOf(result).map((entry) => ({ itemIndex, ...entry })),
	);
