import type { IAllExecuteFunctions, INode } from 'n8n-workflow';

/** Identifies a node of this n8n across its executions: workflow id and node id. */
export function identifyNode(
	context: Pick<IAllExecuteFunctions, 'getWorkflow' | 'getNode'>,
): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}

/** Whether a node is the tool of an AI agent. */
export function isTool(node: INode): boolean {
	return node.type.endsWith('Tool');
}
