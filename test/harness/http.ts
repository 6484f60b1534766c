import { until } from './until';

type Headers = Record<string, string>;

/** A request on a connection of its own: a busy n8n closes a kept one just when the next request is on its way. */
export async function fetchAlone(
	url: string,
	{ headers, ...request }: RequestInit & { headers?: Headers } = {},
): Promise<Response> {
	return await fetch(url, { ...request, headers: { connection: 'close', ...headers } });
}

/** Posts an object as JSON. */
export async function postJson(url: string, body: object, headers?: Headers): Promise<Response> {
	return await fetchAlone(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});
}

/** Waits until n8n takes what is posted to a webhook: to a GET it says that it takes only that. */
export async function untilListening(url: string): Promise<void> {
	await until(`n8n to listen at ${url}`, async () => {
		const response = await fetch(url);
		return /make a POST request/.test(await response.text()) || undefined;
	});
}
