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

function getUsualHeaders(options: RequestOptions): Record<string, string> {
	const accept = { Accept: 'application/json' };
	const json = { 'Content-Type': 'application/json;charset=utf-8' };
	switch (judgeBody(options)) {
		case 'none':
			return { ...accept, ...json, 'Content-Length': '0' };
		case 'json':
			return { ...accept, ...json };
		case 'other':
			return accept;
	}
}

function judgeBody({ body, form, formData }: RequestOptions): 'none' | 'json' | 'other' {
	if (form !== undefined || formData !== undefined) return 'other';
	if (body === undefined || body === null || body === '') return 'none';
	const isJson = typeof body === 'string' ? holdsJson(body) : isPlain(body);
	return isJson ? 'json' : 'other';
}

/** Whether a value is an object that n8n sends as JSON, rather than bytes, a stream or a form. */
function isPlain(body: unknown): boolean {
	if (typeof body !== 'object' || body === null) return false;
	const prototype: unknown = Object.getPrototypeOf(body);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether a text is an object in JSON, as each request of the service is. */
function holdsJson(text: string): boolean {
	try {
		return /^\s*\{/.test(text) && typeof JSON.parse(text) === 'object';
	} catch {
		return false;
	}
}
