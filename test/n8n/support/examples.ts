import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../harness/paths';
import type { N8nRest, StoredWorkflow, WorkflowDefinition, WorkflowNode } from '../harness/n8nRest';
import { CREDENTIAL_TYPE, type StoredCredential } from './world';

/** What a user fills in by hand, by the name of the node: its parameters, and those in options. */
export type FilledIn = Record<string, Record<string, unknown>>;

/** An example as it is published. */
export async function readExample(file: string): Promise<WorkflowDefinition> {
	return JSON.parse(
		await readFile(join(projectFolder, 'examples', file), 'utf8'),
	) as WorkflowDefinition;
}

/**
 * Imports an example and does what its note asks a user to do: the credential is chosen in each of
 * our nodes that takes one, and the parameters are filled in.
 *
 * @throws Error where the example has no node or no parameter of a name that is to be filled in
 */
export async function importFilledIn(
	rest: N8nRest,
	credential: StoredCredential,
	example: WorkflowDefinition,
	filledIn: FilledIn,
): Promise<StoredWorkflow> {
	for (const name of Object.keys(filledIn)) {
		if (!example.nodes.some((node) => node.name === name)) {
			throw new Error(`The example "${example.name}" has no node "${name}"`);
		}
	}
	return await rest.createWorkflow({
		...example,
		nodes: example.nodes.map((node) => ({
			...node,
			...(node.type.startsWith('n8n-nodes-yuntongxun.') && {
				credentials: { [CREDENTIAL_TYPE]: credential },
			}),
			parameters: merged(node, filledIn[node.name] ?? {}),
		})),
	});
}

/** Parameters with others in their place; options one by one. */
function merged({ name, parameters }: WorkflowNode, changes: Record<string, unknown>) {
	for (const parameter of Object.keys(changes)) {
		if (!(parameter in parameters)) throw new Error(`"${name}" has no parameter "${parameter}"`);
	}
	const { options = {} } = changes as { options?: object };
	return {
		...parameters,
		...changes,
		...('options' in parameters && { options: { ...(parameters.options as object), ...options } }),
	};
}
