import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { N8nRest, StoredWorkflow, WorkflowDefinition, WorkflowNode } from './n8nRest';
import { projectFolder } from './paths';
import { CREDENTIAL_TYPE, type StoredCredential } from './world';

/** Nodes that n8n gives an address. */
const LISTENS = /(?:[tT]rigger|\.webhook|\.wait|\.form)$/;

/** Credentials of other services that a user chooses by hand, by the name of the node. */
export type OtherCredentials = Record<string, WorkflowNode['credentials']>;

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
 * our nodes that takes one, and the parameters are filled in. As in n8n's editor, each node that
 * listens gets an address of its own.
 *
 * @param others credentials of other services
 * @throws Error where the example has no node or no parameter of a name that is to be filled in
 */
export async function importAndFill(
	rest: N8nRest,
	credential: StoredCredential,
	example: WorkflowDefinition,
	filledIn: FilledIn,
	others: OtherCredentials = {},
): Promise<StoredWorkflow> {
	for (const name of Object.keys({ ...filledIn, ...others })) {
		if (!example.nodes.some((node) => node.name === name)) {
			throw new Error(`The example "${example.name}" has no node "${name}"`);
		}
	}
	return await rest.createWorkflow({
		...example,
		nodes: example.nodes.map((node) => ({
			...node,
			...(LISTENS.test(node.type) && { webhookId: randomUUID() }),
			...(node.type.startsWith('n8n-nodes-yuntongxun.') && {
				credentials: { [CREDENTIAL_TYPE]: credential },
			}),
			...(Object.hasOwn(others, node.name) && { credentials: others[node.name] }),
			parameters: merged(node, filledIn[node.name] ?? {}),
		})),
	});
}

/**
 * A node of a workflow.
 *
 * @throws Error where there is none of that name
 */
export function findNode(
	{ name: workflow, nodes }: WorkflowDefinition,
	name: string,
): WorkflowNode {
	const node = nodes.find((each) => each.name === name);
	if (!node) throw new Error(`The workflow "${workflow}" has no node "${name}"`);
	return node;
}

/**
 * A Set node's fields with other values.
 *
 * @throws Error where the node has no field of a name
 */
export function withValues(
	example: WorkflowDefinition,
	name: string,
	values: Record<string, string>,
): FilledIn {
	const { assignments } = findNode(example, name).parameters.assignments as {
		assignments: Array<{ name: string; value: string }>;
	};
	for (const field of Object.keys(values)) {
		if (!assignments.some((each) => each.name === field)) {
			throw new Error(`"${name}" has no field "${field}"`);
		}
	}
	const filled = assignments.map((each) => ({ ...each, value: values[each.name] ?? each.value }));
	return { [name]: { assignments: { assignments: filled } } };
}

/** A data table to choose in a node. */
export const dataTable = (id: string) => ({ __rl: true, mode: 'id', value: id });

/** Parameters with others in their place; options one by one. */
function merged({ name, parameters }: WorkflowNode, changes: Record<string, unknown>) {
	for (const parameter of Object.keys(changes)) {
		if (!Object.hasOwn(parameters, parameter))
			throw new Error(`"${name}" has no parameter "${parameter}"`);
	}
	const { options = {} } = changes as { options?: object };
	return {
		...parameters,
		...changes,
		...(Object.hasOwn(parameters, 'options') && {
			options: { ...(parameters.options as object), ...options },
		}),
	};
}
