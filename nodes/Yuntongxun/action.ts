import { NodeOperationError } from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import { oneByOne } from './callResult/gate';
import { isParked } from './callResult/parked';
import { park } from './callResult/waiting';
import { Claims } from './execution/claims';
import { NotBegun, runItems } from './execution/items';
import type { Result, Turn } from './execution/items';
import { onceOnly } from './execution/onceOnly';
import { Throttle } from './execution/throttle';
import { operationOf } from './resources';
import { errandOf, groupsOf } from './resources/errands';
import type { Errand } from './resources/errands';
import { itemFailure } from './resources/failures';
import { hintsOf } from './resources/hints';
import { itemForm } from './resources/itemForm';
import type { Operation, Task } from './resources/operation';
import { idsOf, receiptOf } from './resources/output';
import { settingsOfRun } from './resources/runSettings';
import { accountOf } from './service/account';
import type { Send } from './service/client';
import { ServiceFailure } from './service/failure';
import type { HttpHelper } from './service/transport';

/**
 * Does for every item what the form says.
 *
 * @throws NodeApiError where the service refused, NodeOperationError where the form is wrong,
 * unless the node continues on failures
 */
export async function executeOperation(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const operation = chosenOperation(context);
	const { changes } = operation.endpoint;
	const credential = await context.getCredentials('yuntongxunApi');
	const http: HttpHelper = async (request) =>
		await context.helpers.httpRequestWithAuthentication.call(context, 'yuntongxunApi', request);
	const formOf = (index: number, account = accountOf(credential)) =>
		itemForm(context, index, operation, account);
	const { pace, combine } = settingsOfRun(operation, () => formOf(0));
	const throttle = new Throttle(pace);
	const claims = new Claims(context);

	return await runItems<Errand>(context, {
		check(index) {
			const account = accountOf(credential);
			return errandOf(operation, formOf(index, account), account, http);
		},
		plan: (checked) => ({
			width: pace.concurrency,
			jobs: groupsOf(checked, combine).map((group) => ({
				items: group.map(({ index }) => index),
				run: async (turn) =>
					await onceOnly(
						claims,
						group.map(({ errand }) => errand),
						ONCE_ONLY,
						async (fresh) => await carryOut(context, fresh, throttle, turn),
					),
			})),
		}),
		explain: (thrown, index, errand, sent) =>
			itemFailure(node, thrown, { index, to: errand?.task.to?.join(','), changes, sent }),
		receipt: (output) => (changes ? receiptOf(output) : undefined),
		forLog: idsOf,
		hints: (errands) =>
			hintsOf(errands, {
				continues: context.continueOnFail(),
				combine,
				refusals: throttle.refusals,
			}),
	});
}

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

/** Who brings an idempotency key again is not reached again. */
const ONCE_ONLY = {
	keyOf: ({ task }: Errand) => task.idempotencyKey,
	duplicateOf: ({ task: { idempotencyKey, to } }: Errand): IDataObject => ({
		duplicate: true,
		idempotencyKey,
		to: to?.join(','),
	}),
	wasRefused: (thrown: unknown) =>
		thrown instanceof ServiceFailure && thrown.facts.accepted === 'no',
};

/** Does what there is to do for items that share their work, or for a single one. */
async function carryOut(
	context: IExecuteFunctions,
	errands: Errand[],
	throttle: Throttle,
	turn: Turn,
): Promise<Result[]> {
	const [{ task, send }] = errands;
	const paced =
		(failed?: () => void): Send =>
		async (request) =>
			await throttle.run(async () => await send(request), {
				proceed: turn.proceed,
				isOverload: (thrown) => thrown instanceof ServiceFailure && thrown.facts.overload === true,
				failed,
			});
	if (task.shared === undefined) return [await resultOf(completed(context, task, paced()))];
	// Where the node stops at failures, the first request that fails ends the rest of the group.
	return await task.shared.completeAll(
		errands.map((errand) => errand.task.to ?? []),
		paced(turn.failed),
	);
}

async function resultOf(output: Promise<IDataObject[]>): Promise<Result> {
	try {
		return { output: await output };
	} catch (thrown) {
		return thrown instanceof NotBegun ? 'notBegun' : { thrown };
	}
}

/** Sends what there is to send, and parks the execution where it is to wait for the result. */
async function completed(
	context: IExecuteFunctions,
	{ complete, wait }: Task & { shared?: undefined },
	send: Send,
): Promise<IDataObject[]> {
	if (wait === undefined) return await complete(send);
	return await oneByOne(
		async () => {
			const [call] = await complete(send);
			return [await park(context, call, wait.until)];
		},
		async () => await isParked(context, wait.resumeUrl),
	);
}

/** What the service calls the result that an execution parked at this node waits for. */
export function awaitedAction(context: IWebhookFunctions): string {
	const operation = operationOf(
		String(context.getNodeParameter('resource', 'call')),
		String(context.getNodeParameter('operation', '')),
	);
	return operation?.resultAction ?? '';
}
