import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { Inbox } from '../waiting/inbox';

/**
 * Runs when n8n activates a trigger (n8n 1: also at start-up).
 *
 * @throws NodeOperationError if it requires signed URLs but has no credential; n8n then does not
 * activate it
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
	// Deliver what was stored before n8n stopped, without waiting for the next request.
	await Inbox.open(context);
}
