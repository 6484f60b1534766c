import { readAnswer } from './answer';
import { redact } from './answerRedaction';
import { encode } from './codec';
import type { Fields } from './codec';
import { buildOperationUrl } from './credential';
import type { ApiCredential } from './credential';
import { toServiceFailure } from './failure';
import type { Send, Endpoint } from './request';
import { exchange, MAX_ANSWER_BYTES } from './transport';
import type { HttpHelper, HttpRequest } from './transport';

/**
 * Makes the function that sends requests to the service. Specification sections 1, 4, 5 and 7.
 *
 * @param timeout milliseconds for one request and its whole answer
 */
export function createClient(account: ApiCredential, http: HttpHelper, timeout: number): Send {
	return async ({ endpoint, fields, secrets }) => {
		const request = buildHttpRequest(account, endpoint, fields);
		const { maxAnswerBytes = MAX_ANSWER_BYTES } = endpoint;
		const reply = await exchange(http, request, { timeout, maxAnswerBytes });
		if (reply.kind !== 'answer') throw toServiceFailure(reply, endpoint);
		return readAnswer(reply, endpoint, account, (words) => redact(words, account, secrets));
	};
}

/**
 * Builds the request with its headers, all but the signature, which n8n adds with the credential.
 * Specification sections 4 and 5, rule 4.
 */
function buildHttpRequest(
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
