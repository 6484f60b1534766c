import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { createClient, createSignedHttp } from '../client/client';
import { createAccountReader } from '../client/credential';
import type { ApiCredential } from '../client/credential';
import { getRecordedKeys, MAX_RECORDS } from '../idempotency/recordedKeys';
import { countKeys, Reservations } from '../idempotency/reservations';
import { translate } from '../language/translate';
import { findOperation } from '../operation/defineOperation';
import type { Operation, Resource } from '../operation/defineOperation';
import { mapYielding } from '../util/concurrency';
import { hasLastingPlace, identifyNode, isUsedByAgent } from '../util/n8nInternals';
import { WaitingRun } from '../waiting/waitingRun';
import { buildTooManyKeysError, toNodeError } from './errors';
import { hasFailed, isPlanned, refuse } from './model';
import type { Item, MessageItem } from './model';
import { getRunHints, logAccepted, toFailure, toJsons, toReport, warnOfRepeating } from './outputs';
import { Pace, StopSignal } from './pace';
import { createFormReader, requireNoMemory, validateItem } from './readItem';
import { acceptRehearsed } from './rehearse';
import { routeResults } from './routeResults';
import { openRunMemo } from './runMemo';
import { sendAll } from './send';
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
	const runTry = await beginTry(context, readOperation(context, resources));
	const items = await prepare(runTry);
	await send(runTry, items);
	return await finish(runTry, items);
}

/** One try of a node run: n8n's Retry On Fail begins several. */
interface RunTry {
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
	memo: Map<number, Item[]>;
}

async function beginTry(context: IExecuteFunctions, operation: Operation): Promise<RunTry> {
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

function readOperation(context: IExecuteFunctions, resources: readonly Resource[]): Operation {
	const resource = String(context.getNodeParameter('resource', 0));
	const operation = String(context.getNodeParameter('operation', 0));
	const found = findOperation(resources, resource, operation);
	if (found) return found;
	const message = translate('Choose a resource and one of its operations');
	throw new NodeOperationError(context.getNode(), message, { itemIndex: 0 });
}

/** Reads and checks all forms, and finds where results go, before anything is sent. */
async function prepare(runTry: RunTry): Promise<Item[]> {
	const { context, operation, readAccount, waiting, memo } = runTry;
	const readForm = createFormReader(context, operation, readAccount);
	// n8n copies the node for each question, so asked once.
	const isLasting = hasLastingPlace(context);

	const lists = await mapYielding(context.getInputData().keys(), (index) => {
		const kept = memo.get(index);
		if (kept) return kept;
		const items = checkItem(index, () => {
			const form = readForm(index);
			if (!isLasting) requireNoMemory(operation, form);
			return validateItem(operation, form, index);
		});
		memo.set(index, items);
		return items;
	});
	const items = lists.flat();
	if (waiting) await routeResults(context, readAccount, waiting, items);
	return items;
}

function checkItem(index: number, check: () => Item[]): Item[] {
	try {
		return check();
	} catch (error) {
		return [refuse(index, error)];
	}
}

/**
 * Sends what is planned, and writes into the items what became of it. Does nothing if an item has
 * failed already and the node does not continue.
 */
async function send(runTry: RunTry, items: Item[]): Promise<void> {
	const { context, operation, continues, readAccount } = runTry;
	if (!continues && items.some(hasFailed)) return;

	const stop = new StopSignal(context.getExecutionCancelSignal());
	const http = createSignedHttp(context);
	const getClient = (timeout: number) => createClient(readAccount(), http, timeout);
	const tools = { ...runTry, stop, getClient };
	switch (operation.kind) {
		case 'task': {
			const tasks = items.filter((item) => item.kind === 'task').filter(isPlanned);
			const recordKey = async (key: string) =>
				(await getRecordedKeys(identifyNode(context)).record(context, [key])).size > 0;
			await runTasks(tasks, { ...tools, recordKey });
			break;
		}
		case 'message': {
			acceptRehearsed(items, context.getExecutionId());
			const messages = planMessages(items);
			if (messages.length === 0) break;
			const pace = new Pace(identifyNode(context), messages[0].perSecond, stop);
			await sendAll(messages, { ...tools, pace, reservations: new Reservations(context) });
			break;
		}
	}
}

/** The messages to send, in input order: none, and all failed, if a node cannot remember their IDs. */
function planMessages(items: readonly Item[]): MessageItem[] {
	const messages = items.filter((item) => item.kind === 'message').filter(isPlanned);
	const needed = countKeys(messages);
	if (needed <= MAX_RECORDS) return messages;

	const error = buildTooManyKeysError(needed, MAX_RECORDS);
	for (const message of messages) message.status = { state: 'failed', error, accepted: 'no' };
	return [];
}

/** Returns the output of all items, in input order. Throws the failure if the node does not continue. */
async function finish(runTry: RunTry, items: readonly Item[]): Promise<INodeExecutionData[]> {
	const { context, continues, hasSideEffects, waiting } = runTry;
	const outputs = await mapYielding(items, (item) => toJsons(item, hasSideEffects));

	// n8n shows the hints of the last try only, so each try gives them all.
	const hints = getRunHints(items);
	context.addExecutionHints(
		...hints.map((message) => ({ message, location: 'outputPane' as const })),
	);
	if (context.getExecutionCancelSignal()?.aborted) logAccepted(context.logger, items);
	if (!continues) throwIfFailed(runTry, items, outputs);
	const data = outputs.flatMap((jsons, position) => {
		const pairedItem = { item: items[position].index };
		return jsons.map((json) => ({ json, pairedItem }));
	});
	return waiting ? await waiting.park(data) : data;
}

function throwIfFailed(
	{ context, hasSideEffects }: RunTry,
	items: readonly Item[],
	outputs: ReadonlyArray<readonly IDataObject[]>,
): void {
	const thrown = items.find(hasFailed);
	if (thrown?.status.state !== 'failed') return;

	const failure = toFailure(thrown, thrown.status, hasSideEffects);
	const warning = warnOfRepeating(items, thrown, hasSideEffects);
	const report = hasSideEffects ? toReport(items, outputs) : undefined;
	const byAgent = isUsedByAgent(context);
	throw toNodeError(context.getNode(), failure, { byAgent, warning, report });
}
