import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { createClient } from '../client/client';
import { createAccountReader } from '../client/credential';
import type { ApiCredential } from '../client/credential';
import { createSignedHttp } from '../client/transport';
import { Reservations } from '../idempotency/reservations';
import { StoredTokenUsage } from '../idempotency/storedTokenUsage';
import { translate } from '../language/translate';
import { findOperation } from '../operation/defineOperation';
import type { Operation, Resource } from '../operation/defineOperation';
import { mapYielding } from '../util/concurrency';
import { identifyNode } from '../util/n8nInternals';
import { WaitingRun } from '../waiting/waitingRun';
import { findThrown, toErrorJson, toNodeError } from './errors';
import type { ItemFailure } from './errors';
import { planRequests, routeResults } from './messages';
import { hasFailed } from './model';
import type { Item } from './model';
import { toResult } from './outputs';
import type { ItemResult } from './outputs';
import { RateLimiter } from './rateLimiter';
import { createFormReader, validateItem } from './readItem';
import { refuseCircles } from './refuseCircles';
import { acceptRehearsed } from './rehearse';
import { getRunHints } from './runHints';
import { openRunMemo } from './runMemo';
import { adviseSkipping, logAccepted, toReport, warnOfRepeating } from './runReport';
import { sendAll } from './send';
import { StopSignal } from './stopSignal';
import { runTasks } from './tasks';

/**
 * Runs the selected operation for every item: checks all forms, sends what they ask for, and returns
 * the results in input order. Parks the execution if calls are waited for.
 *
 * @param resources of the node, with the operations to select from
 * @returns the output items
 * @throws NodeApiError if a request failed, NodeOperationError if a form is wrong, unless the node
 * continues
 */
export async function executeNode(
	context: IExecuteFunctions,
	resources: readonly Resource[],
): Promise<INodeExecutionData[]> {
	const attempt = await beginAttempt(context, readOperation(context, resources));
	const items = await prepare(attempt);
	await send(attempt, items);
	return await finish(attempt, items);
}

/** One try of a node run: n8n's Retry On Fail begins several. */
interface RunAttempt {
	context: IExecuteFunctions;
	/** Only where results can be waited for. */
	waiting?: WaitingRun;
	operation: Operation;
	hasSideEffects: boolean;
	/** Whether the other items go on if one fails. */
	continues: boolean;
	/** Throws UnusableCredential. */
	readAccount: () => ApiCredential;
	/** Items that this try keeps from the one before. */
	memo: Map<number, Item>;
	tokenUsage?: StoredTokenUsage;
}

async function beginAttempt(context: IExecuteFunctions, operation: Operation): Promise<RunAttempt> {
	const offersWait = Object.hasOwn(operation.fields, 'resultDelivery');
	// Before anything that can throw in one try and not in the next: n8n counts the try anyway.
	const waiting = offersWait ? WaitingRun.begin(context) : undefined;
	const hasSideEffects = operation.endpoint?.hasSideEffects ?? false;
	return {
		context,
		waiting,
		operation,
		hasSideEffects,
		continues: context.continueOnFail(),
		readAccount: createAccountReader(await context.getCredentials('yuntongxunApi')),
		memo: openRunMemo(context, hasSideEffects),
	};
}

/** Reads the selected operation. @throws NodeOperationError if there is no such operation */
function readOperation(context: IExecuteFunctions, resources: readonly Resource[]): Operation {
	const resource = String(context.getNodeParameter('resource', 0));
	const operation = String(context.getNodeParameter('operation', 0));
	const found = findOperation(resources, resource, operation);
	if (found) return found;
	const message = translate('Choose a resource and one of its operations');
	throw new NodeOperationError(context.getNode(), message, { itemIndex: 0 });
}

/** Reads and checks all forms, and finds where results go, before anything is sent. */
async function prepare(attempt: RunAttempt): Promise<Item[]> {
	const { context, operation, readAccount, waiting, memo } = attempt;
	const readForm = createFormReader(context, operation, readAccount);

	const items = await mapYielding(context.getInputData().keys(), (index) => {
		const kept = memo.get(index);
		if (kept) return kept;
		const item = checkItem(index, () => validateItem(operation, readForm(index), index));
		memo.set(index, item);
		return item;
	});
	if (waiting) {
		refuseCircles(context, items);
		await routeResults(context, readAccount, waiting, items);
	}
	return items;
}

/** Refuses an item with a wrong form. */
function checkItem(index: number, check: () => Item): Item {
	try {
		return check();
	} catch (error) {
		return { kind: 'refused', index, error };
	}
}

/**
 * Sends what is planned, and writes into the items what became of it. Does nothing if an item has
 * failed already and the node does not continue.
 */
async function send(attempt: RunAttempt, items: Item[]): Promise<void> {
	const { context, operation, continues, readAccount } = attempt;
	if (!continues && items.some(hasFailed)) return;

	const stop = new StopSignal(context.getExecutionCancelSignal());
	const http = createSignedHttp(context);
	const getClient = (timeout: number) => createClient(readAccount(), http, timeout);
	const tools = { ...attempt, stop, getClient };
	// Closing looks after the records a moment later: the run does not wait for it.
	switch (operation.kind) {
		case 'task':
			await runTasks(items, { ...tools, openTokenUsage: () => openTokenUsage(attempt) });
			void attempt.tokenUsage?.close();
			break;
		case 'message': {
			const requests = planRequests(items);
			acceptRehearsed(items, context.getExecutionId());
			const [first] = requests;
			if (first === undefined) break;
			const { rate } = first.item;
			const reservations = new Reservations(context);
			const limiter = new RateLimiter(identifyNode(context), rate.perSecond, stop);
			await sendAll(requests, { ...tools, ...rate, limiter, reservations });
			limiter.close();
			void reservations.close();
			break;
		}
	}
}

/** Opens what the node remembers of tokens when the first one is tried: most tasks try none. */
function openTokenUsage(attempt: RunAttempt): StoredTokenUsage {
	attempt.tokenUsage ??= new StoredTokenUsage(attempt.context);
	return attempt.tokenUsage;
}

/** Returns the output of all items, in input order. Throws the failure if the node does not continue. */
async function finish(attempt: RunAttempt, items: readonly Item[]): Promise<INodeExecutionData[]> {
	const { context, continues, hasSideEffects, waiting } = attempt;
	const results = await mapYielding(items, (item) => toResult(item, hasSideEffects));

	// n8n shows the hints of the last try only, so each try gives them all.
	const hints = getRunHints(items, context.getMode() === 'manual');
	context.addExecutionHints(
		...hints.map((message) => ({ message, location: 'outputPane' as const })),
	);
	if (context.getExecutionCancelSignal()?.aborted) {
		logAccepted(
			context.logger,
			results.flatMap(({ rows }) => rows),
		);
	}
	if (!continues) throwIfFailed(attempt, items, results);
	const output = results.flatMap(toExecutionData);
	return waiting ? await waiting.park(output) : output;
}

/** Throws what failed, if anything did. */
function throwIfFailed(
	{ context, hasSideEffects }: RunAttempt,
	items: readonly Item[],
	results: readonly ItemResult[],
): void {
	const failures = results.flatMap(({ output }): ItemFailure[] =>
		output.kind === 'failure' ? [output.failure] : [],
	);
	if (failures.length === 0) return;

	const thrown = findThrown(failures);

	const rows = results.flatMap((result) => result.rows);
	const isFormWrong = hasSideEffects && items[thrown.index].kind === 'refused';
	const advice = isFormWrong ? adviseSkipping(rows) : '';
	const warning = advice || warnOfRepeating(rows, thrown.index);
	throw toNodeError(context.getNode(), thrown, { warning, report: toReport(rows) });
}

function toExecutionData({ output }: ItemResult, index: number): INodeExecutionData[] {
	switch (output.kind) {
		case 'none':
			return [];
		case 'jsons':
			return output.jsons.map((json) => ({ json, pairedItem: { item: index } }));
		case 'failure':
			return [{ json: { error: toErrorJson(output.failure) }, pairedItem: { item: index } }];
	}
}
