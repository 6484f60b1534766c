import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';

import { endInTime } from '../util/concurrency';
import { readAnswer, redact } from './answer';
import { encode } from './codec';
import type { Fields } from './codec';
import { buildOperationUrl } from './credential';
import type { ApiCredential } from './credential';
import { toServiceFailure } from './failureTable';
import type { NoAnswer } from './failureTable';
import type { Send, Endpoint } from './request';

/** n8n's HTTP helper, which signs with the credential. */
export type HttpHelper = (options: IHttpRequestOptions) => Promise<{
	statusCode: number;
	body: unknown;
}>;

/**
 * Gives n8n's HTTP helper, which signs with the node's credential, and respects proxies and n8n's own
 * protections. Specification section 5.
 */
export function createSignedHttp(context: IExecuteFunctions | ILoadOptionsFunctions): HttpHelper {
	return async (request) =>
		await context.helpers.httpRequestWithAuthentication.call(context, 'yuntongxunApi', request);
}

/** What goes out, before it is signed. */
type HttpRequest = Pick<IHttpRequestOptions, 'method' | 'url' | 'qs' | 'headers' | 'body'>;

/** An answer over HTTP, not necessarily from the service. */
interface HttpAnswer {
	kind: 'answer';
	status: number;
	text: string;
}

/** How many bytes of an answer are read: a page of 100 sub-accounts has some 30 KB. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** The body of an answer, still unread. */
interface BodyStream extends AsyncIterable<Buffer> {
	destroy(): void;
}

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
		const { text, status } = reply;
		return readAnswer(text, status, endpoint, (words) => redact(words, account, secrets));
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

/**
 * Sends a request exactly once and reads the whole answer, within limits of time and size. (The
 * helper's own timeout covers the headers only.) Never follows a redirect, never signs again.
 *
 * @param limits milliseconds from now to the last byte of the answer; a longer answer counts as none
 * @returns the answer; {@link NoAnswer} if there is none that could be read to its end
 */
export async function exchange(
	http: HttpHelper,
	request: HttpRequest,
	{ timeout, maxAnswerBytes }: { timeout: number; maxAnswerBytes: number },
): Promise<HttpAnswer | NoAnswer> {
	let body: BodyStream | undefined;
	let isOver = false;
	const fetchAnswer = async (): Promise<HttpAnswer> => {
		const answer = await http({
			...request,
			timeout,
			// As a stream, whatever the status: n8n would lose digits of long ids when it parses JSON, and
			// sign and send again on HTTP 401.
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		});
		body = answer.body as BodyStream;
		// The catch below came before there was a body.
		if (isOver) body.destroy();
		return {
			kind: 'answer',
			status: answer.statusCode,
			text: await readBody(body, maxAnswerBytes),
		};
	};
	try {
		return await endInTime(timeout, fetchAnswer());
	} catch (cause) {
		isOver = true;
		body?.destroy();
		return { kind: 'noAnswer', traces: collectTraces(cause) };
	}
}

async function readBody(body: BodyStream, maxBytes: number): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of body) {
		size += chunk.length;
		if (size > maxBytes) throw new Error('answer too large');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}

/** How many nested causes to look at: n8n wraps axios, which wraps Node.js. */
const MAX_CAUSES = 4;

/**
 * Collects codes and messages of an exception. n8n wraps the original and moves them around,
 * differently in each generation, so look everywhere.
 */
function collectTraces(cause: unknown, depth = 0): string[] {
	if (typeof cause !== 'object' || cause === null || depth > MAX_CAUSES) return [];
	const { code, httpCode, message, messages, description, cause: inner } = cause as IDataObject;
	const own = [code, httpCode, message, description, messages].flat();
	return [...own.filter((each) => typeof each === 'string'), ...collectTraces(inner, depth + 1)];
}
