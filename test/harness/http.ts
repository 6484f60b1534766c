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
