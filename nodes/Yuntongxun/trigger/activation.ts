import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IHookFunctions } from 'n8n-workflow';

/**
 * Runs when n8n activates a trigger.
 *
 * @throws NodeOperationError if it requires signed URLs but has no credential; n8n then does not
 * activate it
 */
export function prepareTrigger(context: IHookFunctions): void {
	const node = context.getNode();
	const { requireSignedUrl } = context.getNodeParameter('options', {}) as IDataObject;
	if (requireSignedUrl && !node.credentials?.yuntongxunApi) {
		throw new NodeOperationError(
			node,
			'Require Signed URL needs a Yuntongxun API credential: choose the account that makes the calls',
		);
	}
}
