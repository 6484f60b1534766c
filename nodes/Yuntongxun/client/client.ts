import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { createRedactors } from './answerRedaction';
import type { Redact } from './answerRedaction';
import { decode, encode, isTextMember, isWireObject, getTextMember } from './codec';
import type { DataFormat, Fields, WireObject, WireValue } from './codec';
import { buildOperationUrl, parseCredential } from './credential';
import type { ApiCredential } from './credential';
import { classifyFailure, SUCCESS } from './failureTable';
import type { Reply } from './failureTable';
import { ServiceFailure } from './serviceFailure';
import type { Accepted, FailureFacts } from './serviceFailure';
import { exchange } from './transport';
import type { HttpAnswer, HttpHelper, HttpRequest } from './transport';

/** One operation of the service as it goes over the wire. Specification section 4. */
export interface Endpoint {
	/** The operation's name in the specification. */
	name: string;
	/** What follows the account in the path; its name unless given. */
	path?: string;
	/** Root element of an XML request; a GET has none. */
	root?: string;
	/** Names that the member with the result can have; the root's name unless given. */
	members?: readonly string[];
	/** Whether that member must be there. It may be empty. */
	needsMember?: boolean;
	/** Field without which a success tells nothing. */
	essential?: string;
	/** What the essential field looks like; any text if not given. */
	essentialShape?: RegExp;
	/** Field that every record of the result must have, if there can be several. */
	essentialOfEach?: string;
	/** Whether it calls, sends, creates or closes: such a request must never go out twice. */
	hasSideEffects: boolean;
}

export interface ServiceRequest {
	endpoint: Endpoint;
	/** What the body holds; of a GET, what the query holds beside the signature. */
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
	const createRedactor = createRedactors(account);
	return async ({ endpoint, fields, secrets }) => {
		const request = buildHttpRequest(account, format, endpoint, fields);
		const began = Date.now();
		const reply = await exchange(http, request, timeout);
		if (reply.kind === 'noAnswer') throw toFailure(reply, endpoint);

		const redact = createRedactor({ began, ended: Date.now() }, secrets);
		return readAnswer(reply, endpoint, account, redact);
	};
}

/**
 * Makes clients of a stored account, as items ask for them. Items with the same settings share one.
 *
 * @throws UnusableCredential, when asked
 */
export function createClients(stored: ICredentialDataDecryptedObject, http: HttpHelper) {
	const clients = new Map<string, Send>();
	return ({ format, timeout }: { format: DataFormat; timeout: number }): Send => {
		const settings = `${format} ${timeout}`;
		const client =
			clients.get(settings) ?? createClient(parseCredential(stored), http, format, timeout);
		clients.set(settings, client);
		return client;
	};
}

/** The request but for its signature. Specification sections 4 and 5, rule 4. */
function buildHttpRequest(
	account: ApiCredential,
	format: DataFormat,
	{ name, path = name, root }: Endpoint,
	fields: Fields,
): HttpRequest {
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

/** What to know before sending again. */
const CONSEQUENCE: Record<Accepted, string> = {
	no: '',
	unknown:
		'Nobody can tell whether it was accepted: look in the Yuntongxun console before you send it again.',
	yes: 'It was accepted, so do not send it again.',
	partly: '',
};
const ONLY_READS = 'Nothing was changed, so it is safe to run it again.';

/** What is known beyond the table of failures. */
interface FailureDetails {
	/** In place of the table's. */
	summary?: string;
	/** Behind the table's remedy. */
	note?: string;
	statusMsg?: string;
}

function toFailure(
	reply: Reply,
	{ hasSideEffects }: Endpoint,
	details: FailureDetails = {},
): ServiceFailure {
	const { accepted, retryable, ...row } = classifyFailure(reply);
	const summary = details.summary ?? row.summary;
	const safeToRepeat = accepted === 'no' ? '' : ONLY_READS;
	const consequence = hasSideEffects ? CONSEQUENCE[accepted] : safeToRepeat;

	const facts: FailureFacts = {
		summary: reply.kind === 'unreadable' ? `${summary} (HTTP ${reply.httpStatus})` : summary,
		remedy: [row.remedy, details.note, consequence].filter(Boolean).join(' '),
		statusCode: reply.kind === 'statusCode' ? reply.statusCode : '',
		statusMsg: details.statusMsg ?? '',
	};
	if (hasSideEffects) facts.accepted = accepted;
	if (retryable) facts.overload = true;
	return new ServiceFailure(facts);
}

/** Codes that a sandbox credential gets from production, and the other way round. */
const NAMES_BASE_URL = new Set(['111109', '111141', '111143']);

/** The most of a code that is shown; the service's own have six digits. */
const MAX_CODE_LENGTH = 100;

/**
 * Reads what came back: an answer of the service is one well-formed object with a text as its
 * `statusCode`. Everything else is an answer nobody can read. Specification sections 4 and 7.
 */
function readAnswer(
	{ status, text }: HttpAnswer,
	endpoint: Endpoint,
	account: ApiCredential,
	redact: Redact,
): Answer {
	const content = redact(parseContent(text));
	const statusCode = getTextMember(content, 'statusCode').slice(0, MAX_CODE_LENGTH);
	if (statusCode === '') throw toFailure({ kind: 'unreadable', httpStatus: status }, endpoint);
	if (statusCode !== SUCCESS) {
		throw toFailure({ kind: 'statusCode', statusCode }, endpoint, {
			statusMsg: getTextMember(content, 'statusMsg'),
			note: NAMES_BASE_URL.has(statusCode)
				? `The Base URL in use is ${account.baseUrl.origin}.`
				: undefined,
		});
	}

	const results = findResults(content, endpoint);
	const records = results.filter(isWireObject).map(redact);
	const getText = (name: string) =>
		name === 'statusCode'
			? statusCode
			: getTextMember(records[0] ?? {}, name) || getTextMember(content, name);
	const answer: Answer = { statusCode, text: getText, records };
	const missing =
		endpoint.needsMember && results.length === 0
			? 'the result'
			: findMissingField(answer, endpoint);
	if (missing === undefined) return answer;

	const summary = `The service reports success, but its answer lacks ${missing}`;
	throw toFailure({ kind: 'statusCode', statusCode }, endpoint, { summary });
}

/** The members of an answer; none if nobody can read it, or its `statusCode` is no text. */
function parseContent(text: string): WireObject {
	try {
		const content = decode(text, 'Response');
		return isTextMember(text, 'statusCode') ? content : {};
	} catch {
		return {};
	}
}

/** The member's name differs in case between the formats. It holds one object, a list, or nothing. */
function findResults(content: WireObject, { root = '', members = [root] }: Endpoint): WireValue[] {
	const wanted = new Set(members.map((name) => name.toLowerCase()));
	const found = Object.entries(content).filter(([name]) => wanted.has(name.toLowerCase()));
	return found.flatMap(([, value]) => value);
}

/** The essential field that is missing; undefined if the answer is complete. */
function findMissingField(
	{ text, records }: Answer,
	{ essential, essentialShape = /./s, essentialOfEach: each }: Endpoint,
): string | undefined {
	if (essential !== undefined && !essentialShape.test(text(essential))) return essential;
	if (each !== undefined && records.some((record) => getTextMember(record, each) === '')) {
		return each;
	}
	return undefined;
}
