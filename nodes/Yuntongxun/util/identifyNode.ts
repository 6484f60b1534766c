import type { IAllExecuteFunctions } from 'n8n-workflow';

/** Identifies a node of this n8n across its executions: workflow id and node id. */
export function identifyNode(
	context: Pick<IAllExecuteFunctions, 'getWorkflow' | 'getNode'>,
): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}
