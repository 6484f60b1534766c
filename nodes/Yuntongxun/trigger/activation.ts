import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { Inbox } from '../waiting/inbox';

/**
 * Prepares a trigger that n8n activates; n8n 1 does so when it starts, too.
 *
 * @throws NodeOperationError if it checks signatures without a credential; n8n does not activate it
 */
export async function prepareTrigger(context: IHookFunctions): Promise<void> {
	const node = context.getNode();
	const { requireSignedUrl } = context.getNodeParameter('options', {}) as IDataObject;
	if (requireSignedUrl && !node.credentials?.yuntongxunApi) {
		throw new NodeOperationError(
			node,
			'Require Signed URL needs a Yuntongxun API credential: choose the account that makes the calls',
		);
	}
	// Results that were stored before n8n stopped need not wait for the next delivery.
	await Inbox.open(context);
}
