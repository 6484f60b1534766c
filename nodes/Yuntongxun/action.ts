import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

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

/**
 * Does for every item what the form says.
 *
 * @throws NodeApiError where the service refused, NodeOperationError where the form is wrong,
 * unless the node continues on failures
 */
export async function executeOperation(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const operation = operationOf(
		context.getNodeParameter('resource', 0) as string,
		context.getNodeParameter('operation', 0) as string,
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
			const form = itemForm(context, index, operation, account.appId);
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
			return { hints: task.hints ?? [], run: async () => await task.complete(send) };
		},
		explain: (thrown, index, sent) =>
			itemFailure(node, thrown, { index, to: tasks.get(index)?.to?.join(','), changes, sent }),
		receipt: (output) => (changes ? receiptOf(output) : undefined),
	});
}
