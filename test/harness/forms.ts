import type { StoredWorkflow } from './n8nRest';
import type { RunningN8n } from './startN8n';
import { until } from './until';

/** What a person enters into a field: words, or a file. */
export type Entry = string | { name: string; content: Buffer };

/** What n8n says when a form was sent. */
export interface SentForm {
	executionId: string;
	/** Where the next page is, in a workflow that has one. */
	nextPage?: string;
}

/** A busy n8n closes a kept connection just when the next request is on its way. */
const headers = { connection: 'close' };

/** Fields of n8n's forms, in the order of the form. */
function toFormData(entries: Entry[]): FormData {
	const form = new FormData();
	entries.forEach((entry, at) => {
		if (typeof entry === 'string') form.append(`field-${at}`, entry);
		else form.append(`field-${at}`, new Blob([entry.content]), entry.name);
	});
	return form;
}

/**
 * Fills in the form that an active workflow starts with, as a person does.
 *
 * @throws Error where n8n refuses the form
 */
export async function sendForm(
	{ url, rest }: Pick<RunningN8n, 'url' | 'rest'>,
	workflow: StoredWorkflow,
	entries: Entry[],
): Promise<SentForm> {
	const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	const address = `${url}/form/${trigger?.webhookId}`;
	await until('the form', async () => (await fetch(address)).ok || undefined);
	const before = new Set((await rest.listExecutions(workflow)).map(({ id }) => id));
	const response = await fetch(address, { method: 'POST', headers, body: toFormData(entries) });
	if (!response.ok) throw new Error(`n8n answered the form with HTTP ${response.status}`);
	const { formWaitingUrl } = (await response.json()) as { formWaitingUrl?: string };
	const executionId = await until('what the form starts', async () => {
		const started = (await rest.listExecutions(workflow)).find(({ id }) => !before.has(id));
		return started?.id;
	});
	return { executionId, nextPage: formWaitingUrl && atHome(formWaitingUrl, url) };
}

/** A page of a form that n8n waits with, below the address of this machine. */
export function atHome(address: string, url: string): string {
	const { pathname, search } = new URL(address);
	return `${url}${pathname}${search}`;
}

/** Reads the page that n8n waits with. */
export async function readPage(page: string): Promise<string> {
	return await (await fetch(page, { headers })).text();
}

/** Sends the page that n8n waits with. */
export async function sendPage(page: string, entries: Entry[] = []): Promise<void> {
	const response = await fetch(page, { method: 'POST', headers, body: toFormData(entries) });
	if (!response.ok) throw new Error(`n8n answered the page with HTTP ${response.status}`);
}
