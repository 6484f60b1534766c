import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { operationOf } from '../resources';
import type { Operation } from '../operation/defineOperation';

/** The operation that the form names. @throws NodeOperationError if it names none */
export function chosenOperation(context: IExecuteFunctions): Operation {
	const operation = operationOf(
		String(context.getNodeParameter('resource', 0)),
		String(context.getNodeParameter('operation', 0)),
	);
	if (operation) return operation;
	throw new NodeOperationError(context.getNode(), 'Choose a resource and one of its operations', {
		itemIndex: 0,
	});
}
