import { NodeOperationError } from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import { oneByOne } from './callResult/gate';
import { isParked, park } from './callResult/waiting';
import { runItems } from './execution/items';
import { operationOf } from './resources';
import { itemFailure } from './resources/failures';
import { itemForm } from './resources/itemForm';
import type { Task } from './resources/operation';
import { receiptOf } from './resources/output';
import { prepareItem } from './resources/prepare';
import { timeout, wireFormat } from './resources/sharedFields';
import { accountOf } from './service/account';
import { serviceClient } from './service/client';
import type { Send } from './service/client';

/**
 * Does for every item what the form says.
 *
 * @throws NodeApiError where the service refused, NodeOperationError where the form is wrong,
 * unless the node continues on failures
 */
export async function executeOperation(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const operation = operationOf(
		String(context.getNodeParameter('resource', 0)),
		String(context.getNodeParameter('operation', 0)),
	);
	if (!operation) {
		throw new NodeOperationError(node, 'Choose a resource and one of its operations', {
			itemIndex: 0,
		});
	}
	const { changes } = operation.endpoint;
	const credential = await context.getCredentials('yuntongxunApi');
	const tasks = new Map<number, Task>();

	return await runItems(context, {
		prepare(index) {
			const account = accountOf(credential);
			const form = itemForm(context, index, operation, account);
			const task = prepareItem(operation, form);
			const send = serviceClient(
				account,
				async (request) =>
					await context.helpers.httpRequestWithAuthentication.call(
						context,
						'yuntongxunApi',
						request,
					),
				wireFormat.read(form),
				timeout.read(form),
			);
			tasks.set(index, task);
			return { hints: task.hints ?? [], run: async () => await carryOut(context, task, send) };
		},
		explain: (thrown, index, sent) =>
			itemFailure(node, thrown, { index, to: tasks.get(index)?.to?.join(','), changes, sent }),
		receipt: (output) => (changes ? receiptOf(output) : undefined),
	});
}

/** Sends what there is to send, and parks the execution where it is to wait for the result. */
async function carryOut(
	context: IExecuteFunctions,
	{ complete, wait }: Task,
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
