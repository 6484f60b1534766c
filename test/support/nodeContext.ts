import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { buildNode, buildRun } from './executeData';

const TRIGGER = buildNode({
	id: 'Trigger',
	type: 'n8n-nodes-yuntongxun.yuntongxunTrigger',
	webhookId: '4f9c',
});

/**
 * What a node sees of n8n while it reads the form of its only item, in production, in a workflow
 * with an active trigger.
 *
 * @param parameters what the expressions in the form come to
 */
export function nodeContext(parameters: IDataObject): IExecuteFunctions {
	const context = {
		getNode: () => buildNode(),
		getExecuteData: () => buildRun(),
		getNodeParameter: (
			name: string,
			_index: number,
			fallback: unknown,
			{ extractValue = false } = {},
		) => {
			const value = name in parameters ? parameters[name] : fallback;
			const isLocator = typeof value === 'object' && value !== null && '__rl' in value;
			return extractValue && isLocator ? (value as { value?: unknown }).value : value;
		},
		getInputData: () => [{ json: {} }],
		getWorkflow: () => ({ id: 'w', active: true }),
		workflow: { nodes: { Trigger: TRIGGER } },
		additionalData: { webhookBaseUrl: 'https://n8n.example.com/webhook' },
		getMode: () => 'trigger',
		evaluateExpression: () => 'https://n8n.example.com/webhook-waiting/7',
	};
	return context as unknown as IExecuteFunctions;
}
