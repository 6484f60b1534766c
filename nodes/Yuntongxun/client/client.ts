import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { operationUrl, parseCredential } from './credential';
import type { ApiCredential } from './credential';
import { CODE, classifyFailure, SUCCESS } from './classifyFailure';
import type { Reply } from './classifyFailure';
import { createRedactor } from './redaction';
import { ServiceFailure } from './serviceFailure';
import type { Accepted } from './serviceFailure';
import { exchange } from './transport';
import type { HttpAnswer, HttpHelper } from './transport';
import { decode, encode, isWireObject, textIn } from './codec';
import type { DataFormat, Fields, WireObject } from './codec';

/** How long a request and its whole answer may take, in milliseconds. */
export const DEFAULT_TIMEOUT = 30_000;

/** One operation of the service as it goes over the wire. Specification section 4. */
export interface Endpoint {
	/** The operation's name in the specification. */
	name: string;
	/** What follows the account in the path; its name unless given. */
	path?: string;
	/** Root element of an XML request; a GET has none. */
	root?: string;
	/** Member of the answer that holds the result; the root's name unless given. */
	member?: string;
	/** Field without which a success tells nothing. */
	essential?: string;
	/** What the essential field looks like; any text if not given. */
	essentialShape?: RegExp;
	/** The same for each record of the result, if there can be several. */
	essentialOfEach?: string;
	/** Whether it calls, sends, creates or closes: such a request must never go out twice. */
	hasSideEffects: boolean;
}

export interface ServiceRequest {
	endpoint: Endpoint;
	fields: Fields;
	/** What no output or error may show, not even where the answer echoes it. */
	secrets?: readonly string[];
}

/** An answer with status code `000000` that has what is essential. */
export interface Answer {
	statusCode: string;
	/** A field of the result, trimmed; empty if missing. */
	text(name: string): string;
	/** The objects of the result, if there can be several. */
	records: WireObject[];
}

/** Sends one request and returns its checked answer; throws a {@link ServiceFailure} otherwise. */
export type Send = (request: ServiceRequest) => Promise<Answer>;

/**
 * Makes the function that sends requests to the service. Specification sections 1, 4, 5 and 7.
 *
 * @param format of the request; an answer is read in either
 * @param timeout milliseconds for one request and its whole answer
 */
export function createClient(
	account: ApiCredential,
	http: HttpHelper,
	format: DataFormat,
	timeout: number,
): Send {
	return async ({ endpoint, fields, secrets }) => {
		const redact = createRedactor(account, Date.now(), secrets);
		const { name, path = name, root } = endpoint;
		const body = root && encode(format, root, fields);
		const answer = await exchange(
			http,
			{
				method: root === undefined ? 'GET' : 'POST',
				url: operationUrl(account, path),
				headers: {
					Accept: `application/${format}`,
					'Content-Type': `application/${format};charset=utf-8`,
					'Content-Length': String(Buffer.byteLength(body ?? '')),
				},
				body,
			},
			timeout,
		);
		return 'traces' in answer ? fail(answer, endpoint) : read(answer, endpoint, account, redact);
	};
}

/** Makes clients of a stored account, as items ask for them. @throws UnusableCredential, when asked */
export function clientsOf(stored: ICredentialDataDecryptedObject, http: HttpHelper) {
	return ({ format, timeout }: { format: DataFormat; timeout: number }) =>
		createClient(parseCredential(stored), http, format, timeout);
}

/** What to know before sending again. */
const CONSEQUENCE: Record<Accepted, string> = {
	no: '',
	unknown:
		'Nobody can tell whether it was accepted: look in the Yuntongxun console before you send it again.',
	yes: 'It was accepted, so do not send it again.',
	partly: '',
};
const ONLY_READS = 'Nothing was changed, so it is safe to run it again.';

/** @param details what is known beyond the table of failures; a note stands behind the advice */
function fail(
	reply: Reply,
	{ hasSideEffects }: Endpoint,
	details: { happened?: string; note?: string; statusMsg?: string } = {},
): never {
	const { accepted, retryable, advice, ...row } = classifyFailure(reply);
	const happened = details.happened ?? row.happened;
	const consequence = hasSideEffects ? CONSEQUENCE[accepted] : CONSEQUENCE[accepted] && ONLY_READS;
	throw new ServiceFailure({
		happened: 'httpStatus' in reply ? `${happened} (HTTP ${reply.httpStatus})` : happened,
		advice: [advice, details.note, consequence].filter(Boolean).join(' '),
		statusCode: 'statusCode' in reply ? reply.statusCode : '',
		statusMsg: details.statusMsg ?? '',
		...(hasSideEffects && { accepted }),
		...(retryable && { overload: true }),
	});
}

/** Codes that a sandbox credential gets from production, and the other way round. */
const NAMES_BASE_URL = new Set(['111109', '111141', '111143']);

/**
 * Reads what came back: an answer of the service is one well-formed object whose `statusCode` is
 * six digits. Everything else is an answer nobody can read. Specification sections 4 and 7.
 */
function read(
	{ status, text }: HttpAnswer,
	endpoint: Endpoint,
	account: ApiCredential,
	redact: (object: WireObject) => WireObject,
): Answer {
	const content = redact(contentOf(text));
	const statusCode = textIn(content, 'statusCode');
	if (!CODE.test(statusCode)) return fail({ httpStatus: status }, endpoint);
	if (statusCode !== SUCCESS) {
		return fail({ statusCode }, endpoint, {
			statusMsg: textIn(content, 'statusMsg'),
			note: NAMES_BASE_URL.has(statusCode)
				? `The Base URL in use is ${account.baseUrl.origin}.`
				: undefined,
		});
	}
	const records = recordsOf(content, endpoint.member ?? endpoint.root).map(redact);
	const answer: Answer = {
		statusCode,
		text: (name) =>
			name === 'statusCode' ? statusCode : textIn(records[0] ?? {}, name) || textIn(content, name),
		records,
	};
	const missing = missingIn(answer, endpoint);
	if (missing === undefined) return answer;
	const happened = `The service reports success, but its answer lacks ${missing}`;
	return fail({ statusCode }, endpoint, { happened });
}

function contentOf(text: string): WireObject {
	try {
		return decode(text, 'Response');
	} catch {
		return {};
	}
}

/** The member's name differs in case between the formats. It holds one object or a list. */
function recordsOf(content: WireObject, name = ''): WireObject[] {
	const key = Object.keys(content).find((own) => own.toLowerCase() === name.toLowerCase());
	return key === undefined ? [] : [content[key]].flat().filter(isWireObject);
}

/** The essential field that is missing; undefined if the answer is complete. */
function missingIn(
	{ text, records }: Answer,
	{ essential, essentialShape = /./s, essentialOfEach: each }: Endpoint,
): string | undefined {
	if (essential !== undefined && !essentialShape.test(text(essential))) return essential;
	if (each !== undefined && records.some((record) => textIn(record, each) === '')) return each;
	return undefined;
}
