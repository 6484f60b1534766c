import type { IHttpRequestOptions } from 'n8n-workflow';

/** Where a request goes and what it carries, as n8n's nodes write it. */
export interface RequestOptions extends Partial<IHttpRequestOptions> {
	/** n8n's HTTP Request node uses it instead of `url`; likewise `form` and `formData` beside `body`. */
	uri?: string;
	form?: unknown;
	formData?: unknown;
}

/** What n8n's HTTP Request node asks for by itself: several types, while the service reads one. */
const N8N_ACCEPTS = /^application\/json,text\//;

/**
 * The headers of a request with those that the service asks for and the node did not give. Specification
 * section 5, rule 4.
 *
 * @param headers what the node gave, which stays, in any case of letters
 */
export function addUsualHeaders(
	headers: Record<string, unknown>,
	options: RequestOptions,
): Record<string, unknown> {
	const given = Object.entries(headers).filter(
		([name, value]) => name.toLowerCase() !== 'accept' || !N8N_ACCEPTS.test(String(value)),
	);
	const names = new Set(given.map(([name]) => name.toLowerCase()));
	const missing = Object.entries(getUsualHeaders(options)).filter(
		([name]) => !names.has(name.toLowerCase()),
	);
	return Object.fromEntries([...given, ...missing]);
}

function getUsualHeaders({ body = '', form, formData }: RequestOptions): Record<string, string> {
	const accept = { Accept: 'application/json' };
	const json = { ...accept, 'Content-Type': 'application/json;charset=utf-8' };
	if (form !== undefined || formData !== undefined) return accept;
	if (body === null || body === '') return { ...json, 'Content-Length': '0' };
	return isJson(body) ? json : accept;
}

/** Whether a body is a text that begins as the service's requests do, or an object that n8n sends as JSON. */
function isJson(body: unknown): boolean {
	if (typeof body === 'string') return /^\s*\{/.test(body);
	if (typeof body !== 'object' || body === null) return false;
	// Not bytes, a stream or a form.
	const prototype: unknown = Object.getPrototypeOf(body);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}
