import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../harness/paths';
import type { N8nRest, StoredWorkflow, WorkflowDefinition, WorkflowNode } from '../harness/n8nRest';
import type { StoredCredential } from './world';

/** Names of the nodes in `examples/missed-call-sends-sms.json`. */
export const exampleNodes = {
	start: 'When Order Arrives',
	call: 'Call Customer',
	trigger: 'Call Result',
	decision: 'Nobody Answered?',
	sms: 'Text Customer',
} as const;

/**
 * Imports the example and fills in what its note asks a user to fill in: the credential
 * and the number to call.
 *
 * @param number to call
 * @returns the workflow, not yet active
 */
export async function importExample(
	rest: N8nRest,
	credential: StoredCredential,
	number: string,
): Promise<StoredWorkflow> {
	const path = join(projectFolder, 'examples/missed-call-sends-sms.json');
	const example = JSON.parse(await readFile(path, 'utf8')) as WorkflowDefinition;
	const filledIn = (node: WorkflowNode): WorkflowNode => {
		if (node.type !== 'n8n-nodes-yuntongxun.yuntongxun') return node;
		const withCredential = { ...node, credentials: { yuntongxunApi: credential } };
		if (node.name !== exampleNodes.call) return withCredential;
		return { ...withCredential, parameters: { ...node.parameters, to: number } };
	};
	return await rest.createWorkflow({ ...example, nodes: example.nodes.map(filledIn) });
}
