import { createHash } from 'node:crypto';
import type { Account } from './accounts';
import { readCompactTime } from './clock';
import { OPERATIONS, type Operation } from './operations';
import { shown, type Violation } from './violation';

/** The two formats of bodies (specification 1.2). */
export type Format = 'xml' | 'json';

/** A request as it came off the wire. */
export interface WireRequest {
	readonly method: string;
	/** Path and query, exactly as sent. */
	readonly target: string;
	/** Names and values in turn, exactly as sent, repeated ones too. */
	readonly rawHeaders: readonly string[];
	readonly body: Buffer;
}

/** What the address and the headers of a request say, and what is wrong with them. */
export interface Envelope {
	readonly operation?: Operation;
	/** The account of the path; undefined where the service knows none of that id. */
	readonly account?: Account;
	/** Format of the body, from `Content-Type`. */
	readonly requestFormat?: Format;
	/** Format of the answer, from `Accept`; XML without a usable one. */
	readonly answerFormat: Format;
	readonly violations: readonly Violation[];
}

/** What checking an envelope needs to know of the service. */
export interface EnvelopeContext {
	/** Path in front of the version segment; empty, or starting with a slash. */
	readonly basePath: string;
	readonly findAccount: (accountSid: string) => Account | undefined;
	/** The moment, milliseconds since 1970 UTC. */
	readonly now: number;
	/** How far a timestamp may be from now, milliseconds. */
	readonly maxClockSkewMs: number;
}

/** The only version there is (specification 9). */
const SOFT_VERSION = '2013-12-26';

const ANSWER_FORMATS: ReadonlyMap<string, Format> = new Map([
	['application/xml', 'xml'],
	['application/json', 'json'],
]);

const REQUEST_FORMATS: ReadonlyMap<string, Format> = new Map([
	['application/xml;charset=utf-8', 'xml'],
	['application/json;charset=utf-8', 'json'],
]);

/** 111000 where the service's own list has no fitting code, 160031 for headers about the body. */
const NO_FITTING_CODE = '111000';
const BAD_BODY = '160031';

const broken = (
	rule: string,
	statusCode: string,
	words: string,
	httpStatus?: number,
): Violation => ({ rule, words, statusCode, ...(httpStatus !== undefined && { httpStatus }) });

type Headers = ReadonlyMap<string, readonly string[]>;

function collectHeaders(rawHeaders: readonly string[]): Headers {
	const headers = new Map<string, string[]>();
	for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
		const name = rawHeaders[index].toLowerCase();
		const values = headers.get(name);
		if (values) values.push(rawHeaders[index + 1]);
		else headers.set(name, [rawHeaders[index + 1]]);
	}
	return headers;
}

interface Address {
	readonly accountSid: string;
	readonly operation?: Operation;
	readonly violations: readonly Violation[];
}

const OPERATION_BY_PATH: ReadonlyMap<string, Operation> = new Map(
	OPERATIONS.flatMap((operation) => {
		const path = operation.path.join('/');
		const entry: [string, Operation] = [path, operation];
		return operation.trailingSlash ? [entry, [`${path}/`, operation]] : [entry];
	}),
);

function readAddress(path: string, method: string, basePath: string): Address {
	const inBase = path.startsWith(`${basePath}/`) ? path.slice(basePath.length + 1) : '';
	const [version = '', accounts = '', accountSid = '', ...rest] = inBase.split('/');
	const operation = OPERATION_BY_PATH.get(rest.join('/'));
	const violations: Violation[] = [];
	if (accounts !== 'Accounts' || !operation) {
		violations.push(broken('path', NO_FITTING_CODE, `no operation at ${shown(path)}`, 404));
	}
	if (version !== SOFT_VERSION) {
		const words = `the version segment must be ${SOFT_VERSION}: ${shown(version)}`;
		violations.push(broken('version', '111110', words));
	}
	if (!/^[A-Za-z0-9]{32}$/.test(accountSid)) {
		const words = `the account id in the path must be 32 letters and digits: ${shown(accountSid)}`;
		violations.push(broken('accountSid', '111100', words));
	}
	if (operation && method !== operation.method) {
		const words = `${operation.name} must be called with ${operation.method}, not ${method}`;
		violations.push(broken('method', NO_FITTING_CODE, words, 405));
	}
	return { accountSid, operation, violations };
}

interface Credentials {
	readonly timestamp?: string;
	readonly violations: readonly Violation[];
}

/** Base64 of nothing but its own alphabet, padded: what `Buffer` itself would write. */
function decodeBase64(text: string): string | undefined {
	const bytes = Buffer.from(text, 'base64');
	return bytes.toString('base64') === text ? bytes.toString('utf8') : undefined;
}

function readAuthorization(
	headers: Headers,
	accountSid: string,
	{ now, maxClockSkewMs }: EnvelopeContext,
): Credentials {
	const refuse = (statusCode: string, words: string, timestamp?: string): Credentials => ({
		violations: [broken('authorization', statusCode, words)],
		...(timestamp !== undefined && { timestamp }),
	});
	const values = headers.get('authorization') ?? [];
	if (values.length === 0 || values[0] === '') {
		return refuse('111101', 'the Authorization header is missing or empty');
	}
	if (values.length > 1) {
		return refuse('111103', `there are ${values.length} Authorization headers`);
	}
	const decoded = decodeBase64(values[0]);
	if (decoded === undefined) return refuse('111102', 'Authorization is not strict Base64');
	const parts = decoded.split(':');
	if (parts.length !== 2) return refuse('111103', 'Authorization must hold "accountSid:timestamp"');
	const [sid, timestamp] = parts;
	if (sid === '') return refuse('111104', 'Authorization holds no account id');
	if (timestamp === '') return refuse('111105', 'Authorization holds no timestamp');
	if (sid !== accountSid) {
		return refuse('111107', 'the account id in Authorization differs from the one in the path');
	}
	const moment = readCompactTime(timestamp);
	if (moment === undefined) {
		const words = `the timestamp must be a real yyyyMMddHHmmss: ${shown(timestamp)}`;
		return refuse('111113', words, timestamp);
	}
	if (Math.abs(now - moment) > maxClockSkewMs) {
		const words = `the timestamp ${timestamp} is too far from the service's time (UTC+8)`;
		return refuse('111106', words, timestamp);
	}
	return { timestamp, violations: [] };
}

function checkSignature(
	query: string | undefined,
	timestamp: string | undefined,
	account: Account | undefined,
): Violation[] {
	const parameters = query ? query.split('&') : [];
	const signatures = parameters.filter((parameter) => /^sig(=|$)/.test(parameter));
	const values = signatures.map((parameter) => parameter.slice('sig='.length));
	if (values.length === 0 || values[0] === '') {
		return [broken('sig', '111108', 'the query parameter sig is missing or empty')];
	}
	if (parameters.length > 1) {
		return [broken('sig', '111109', 'the query must hold sig once and nothing else')];
	}
	if (!/^[0-9A-F]{32}$/.test(values[0])) {
		return [broken('sig', '111109', 'sig must be 32 upper-case hexadecimal digits')];
	}
	if (!account || timestamp === undefined) return [];
	const expected = createHash('md5')
		.update(account.accountSid + account.authToken + timestamp)
		.digest('hex')
		.toUpperCase();
	return values[0] === expected
		? []
		: [
				broken(
					'sig',
					'111109',
					'sig is not MD5(accountSid + token + the timestamp of Authorization)',
				),
			];
}

function readFormat(
	headers: Headers,
	name: string,
	known: ReadonlyMap<string, Format>,
	statusCode: string,
): { format?: Format; violations: Violation[] } {
	const values = headers.get(name.toLowerCase()) ?? [];
	const format = values.length === 1 ? known.get(values[0]) : undefined;
	if (format) return { format, violations: [] };
	const given = values.length === 0 ? 'it is missing' : values.map(shown).join(' and ');
	const words = `${name} must be exactly one of ${[...known.keys()].join(', ')}: ${given}`;
	return { violations: [broken(name, statusCode, words)] };
}

function checkLength(headers: Headers, body: Buffer, method: string): Violation[] {
	const found: Violation[] = [];
	if (headers.has('transfer-encoding')) {
		const words = 'Transfer-Encoding was sent: the body must come with Content-Length';
		found.push(broken('transferEncoding', BAD_BODY, words));
	}
	const lengths = headers.get('content-length') ?? [];
	if (lengths.length !== 1) {
		found.push(broken('contentLength', BAD_BODY, 'Content-Length is required, once'));
	} else if (lengths[0] !== String(body.length)) {
		const words = `Content-Length is ${shown(lengths[0])}, the body has ${body.length} bytes`;
		found.push(broken('contentLength', BAD_BODY, words));
	}
	if (method === 'GET' && body.length > 0) {
		found.push(broken('bodyOnGet', BAD_BODY, 'a GET request must not have a body'));
	}
	return found;
}

/** The token proves who sends; it goes into `sig` and nowhere else (specification 5.1). */
function checkTokenIsSecret(request: WireRequest, account: Account | undefined): Violation[] {
	if (!account) return [];
	const { authToken } = account;
	const isSent =
		request.target.includes(authToken) ||
		request.rawHeaders.some((text) => text.includes(authToken)) ||
		request.body.includes(authToken);
	return isSent
		? [broken('token', '111109', 'the authorization token itself was sent: only sig may be')]
		: [];
}

/**
 * Checks everything about a request but its body: address, method, query, and headers
 * (specification 4, 5 and 9).
 * @returns what was read, and the violations in the order in which the service would find them
 */
export function readEnvelope(request: WireRequest, context: EnvelopeContext): Envelope {
	const mark = request.target.indexOf('?');
	const path = mark < 0 ? request.target : request.target.slice(0, mark);
	const query = mark < 0 ? undefined : request.target.slice(mark + 1);
	const headers = collectHeaders(request.rawHeaders);
	const address = readAddress(path, request.method, context.basePath);
	const account = context.findAccount(address.accountSid);
	const credentials = readAuthorization(headers, address.accountSid, context);
	const answer = readFormat(headers, 'Accept', ANSWER_FORMATS, NO_FITTING_CODE);
	const body = readFormat(headers, 'Content-Type', REQUEST_FORMATS, BAD_BODY);
	return {
		...(address.operation && { operation: address.operation }),
		...(account && { account }),
		...(body.format && { requestFormat: body.format }),
		answerFormat: answer.format ?? 'xml',
		violations: [
			...address.violations,
			...credentials.violations,
			...checkSignature(query, credentials.timestamp, account),
			...answer.violations,
			...body.violations,
			...checkLength(headers, request.body, request.method),
			...checkTokenIsSecret(request, account),
		],
	};
}
