import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchAlone } from './http';
import type { StoredWorkflow, WorkflowDefinition, WorkflowNode } from './n8nRest';
import { projectFolder } from './paths';
import { CREDENTIAL_TYPE, type Setup } from './setup';
import { until } from './until';

/** Nodes that n8n gives an address. */
const LISTENS = /(?:[tT]rigger|\.webhook|\.wait|\.form)$/;

/** What a user fills in by hand, by the name of the node: its parameters, and those in options. */
export type FilledIn = Record<string, Record<string, unknown>>;

/** An example as it is published. */
export async function readExample(file: string): Promise<WorkflowDefinition> {
	const text = await readFile(join(projectFolder, 'examples', file), 'utf8');
	return JSON.parse(text) as WorkflowDefinition;
}

/**
 * Imports an example and does what its note asks a user to do: the credential is chosen in each of
 * our nodes that takes one, and the parameters are filled in. As in n8n's editor, each node that
 * listens gets an address of its own.
 *
 * @param others credentials of other services, by the name of the node
 */
export async function importExample(
	{ n8n, credential }: Pick<Setup, 'n8n' | 'credential'>,
	example: WorkflowDefinition,
	filledIn: FilledIn,
	others: Record<string, WorkflowNode['credentials']> = {},
): Promise<StoredWorkflow> {
	const fill = ({ name, parameters }: WorkflowNode) => {
		const filled = { ...parameters, ...filledIn[name] };
		const options = { ...Object(parameters.options), ...Object(filledIn[name]?.options) } as object;
		return Object.hasOwn(parameters, 'options') ? { ...filled, options } : filled;
	};
	const nodes = example.nodes.map((node) => ({
		...node,
		...(LISTENS.test(node.type) && { webhookId: randomUUID() }),
		...(node.type.startsWith('n8n-nodes-yuntongxun.') && {
			credentials: { [CREDENTIAL_TYPE]: credential },
		}),
		...(others[node.name] && { credentials: others[node.name] }),
		parameters: fill(node),
	}));
	return await n8n.rest.createWorkflow({ ...example, nodes });
}

/** A node of a workflow. */
export function findNode({ nodes }: WorkflowDefinition, name: string): WorkflowNode {
	const node = nodes.find((each) => each.name === name);
	if (!node) throw new Error(`There is no node "${name}"`);
	return node;
}

/** What a person enters into a field of a form: words, or a file. */
export type Entry = string | { name: string; content: Buffer };

/**
 * Sends a page of a form, the first or a later one, as a person does.
 *
 * @param entries in the order of the form
 * @throws Error where n8n refuses it
 */
export async function sendPage(page: string, entries: Entry[] = []): Promise<Response> {
	const body = new FormData();
	for (const [at, entry] of entries.entries()) {
		if (typeof entry === 'string') body.append(`field-${at}`, entry);
		else body.append(`field-${at}`, new Blob([entry.content]), entry.name);
	}
	const response = await fetchAlone(page, { method: 'POST', body });
	if (!response.ok) throw new Error(`n8n answered the form with HTTP ${response.status}`);
	return response;
}

/**
 * Fills in the form that an active workflow starts with.
 *
 * @returns the execution that it starts, and where the next page is, in a workflow that has one
 */
export async function sendForm(
	{ n8n: { url, rest } }: Pick<Setup, 'n8n'>,
	workflow: StoredWorkflow,
	entries: Entry[],
): Promise<{ executionId: string; nextPage: string }> {
	const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	const address = `${url}/form/${trigger?.webhookId}`;
	await until('the form', async () => (await fetch(address)).ok || undefined);
	const { id, given } = await rest.startBy(workflow, async () => await sendPage(address, entries));
	const { formWaitingUrl } = (await given.json()) as { formWaitingUrl?: string };
	const { pathname, search } = new URL(formWaitingUrl ?? url);
	return { executionId: id, nextPage: `${url}${pathname}${search}` };
}

/** Reads the page that n8n waits with. */
export async function readPage(page: string): Promise<string> {
	return await (await fetchAlone(page)).text();
}
