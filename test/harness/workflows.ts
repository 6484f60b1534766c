import type { WorkflowDefinition, WorkflowNode } from './n8nRest';
import { CREDENTIAL_TYPE, type StoredCredential } from './world';

export const START = 'Start';
export const ACTION = 'Yuntongxun';
export const TRIGGER = 'Yuntongxun Trigger';
export const AFTER = 'Afterwards';

/**
 * A manual trigger, our action node, and a node behind it.
 *
 * @param parameters of the action node, which gets one empty item
 */
export function actionWorkflow(
	credential: StoredCredential,
	parameters: Record<string, unknown>,
): WorkflowDefinition {
	return {
		name: 'Action under test',
		nodes: [
			node(START, 'n8n-nodes-base.manualTrigger'),
			{
				...node(ACTION, 'n8n-nodes-yuntongxun.yuntongxun', parameters),
				credentials: { [CREDENTIAL_TYPE]: credential },
			},
			node(AFTER, 'n8n-nodes-base.noOp'),
		],
		connections: {
			[START]: { main: [to(ACTION)] },
			[ACTION]: { main: [to(AFTER)] },
		},
		pinData: { [START]: [{ json: {} }] },
	};
}

/** A node of a workflow under test. */
export function node(
	name: string,
	type: string,
	parameters: Record<string, unknown> = {},
	typeVersion = 1,
): WorkflowNode {
	return { name, type, typeVersion, position: [0, 0], parameters };
}

/**
 * n8n's own HTTP Request node, which our credential signs for.
 *
 * @param more of the node's parameters
 */
export function httpRequestNode(
	url: string,
	headers: Record<string, string>,
	more: Record<string, unknown> = {},
): WorkflowNode {
	return node(
		'HTTP Request',
		'n8n-nodes-base.httpRequest',
		{
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL_TYPE,
			sendHeaders: true,
			headerParameters: {
				parameters: Object.entries(headers).map(([name, value]) => ({ name, value })),
			},
			options: {},
			...more,
		},
		4.2,
	);
}

/** A connection to the first input of a node. */
export function to(name: string): Array<{ node: string; type: string; index: number }> {
	return [{ node: name, type: 'main', index: 0 }];
}
