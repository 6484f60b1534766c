import { fetchAlone } from './http';
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
	const { id, given } = await rest.startBy(workflow, async () => {
		const response = await fetchAlone(address, { method: 'POST', body: toFormData(entries) });
		if (!response.ok) throw new Error(`n8n answered the form with HTTP ${response.status}`);
		return (await response.json()) as { formWaitingUrl?: string };
	});
	const { formWaitingUrl } = given;
	return { executionId: id, nextPage: formWaitingUrl && atHome(formWaitingUrl, url) };
}

/** A page of a form that n8n waits with, below the address of this machine. */
export function atHome(address: string, url: string): string {
	const { pathname, search } = new URL(address);
	return `${url}${pathname}${search}`;
}

/** Reads the page that n8n waits with. */
export async function readPage(page: string): Promise<string> {
	return await (await fetchAlone(page)).text();
}

/** Sends the page that n8n waits with. */
export async function sendPage(page: string, entries: Entry[] = []): Promise<void> {
	const response = await fetchAlone(page, { method: 'POST', body: toFormData(entries) });
	if (!response.ok) throw new Error(`n8n answered the page with HTTP ${response.status}`);
}
