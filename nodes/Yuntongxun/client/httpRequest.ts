import type { Endpoint } from './client';
import { encode } from './codec';
import type { Fields } from './codec';
import { buildOperationUrl } from './credential';
import type { ApiCredential } from './credential';
import type { HttpRequest } from './transport';

/**
 * Builds the request with its headers, all but the signature, which n8n adds with the credential.
 * Specification sections 4 and 5, rule 4.
 */
export function buildHttpRequest(
	account: ApiCredential,
	{ name, path = name, root }: Endpoint,
	fields: Fields,
): HttpRequest {
	const { wireFormat: format } = account;
	const isGet = root === undefined;
	const body = isGet ? undefined : encode(format, root, fields);
	return {
		method: isGet ? 'GET' : 'POST',
		url: buildOperationUrl(account, path),
		qs: isGet ? fields : {},
		headers: {
			Accept: `application/${format}`,
			'Content-Type': `application/${format};charset=utf-8`,
			'Content-Length': String(Buffer.byteLength(body ?? '')),
		},
		body,
	};
}
