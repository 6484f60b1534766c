import { createHash } from 'node:crypto';
import { CREDENTIALS } from './accounts';
import { readCompactTime } from './clock';
import { OPERATIONS, type Operation } from './operations';
import { broken, shown, type Violation } from './violation';

const FORMATS = ['xml', 'json'] as const;

/** The two formats of bodies (specification 1, rule 2). */
export type Format = (typeof FORMATS)[number];

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
	/** Whether the service knows the account of the path. */
	readonly isKnown: boolean;
	/** Format of the body, from `Content-Type`. */
	readonly requestFormat?: Format;
	/** Format of the answer, from `Accept`; XML if that names none (service facts). */
	readonly answerFormat: Format;
	/** The operation's own fields in the query, beside the signature. */
	readonly queryFields: ReadonlyMap<string, string>;
	readonly violations: readonly Violation[];
}

/** How far a timestamp may be from now (specification 5, rule 2). */
const MAX_CLOCK_SKEW_MS = 24 * 60 * 60 * 1000;

/** The only version there is (specification 9). */
const SOFT_VERSION = '2013-12-26';

/** A known format anywhere in what the client accepts: a refusal is written in it. */
const ACCEPTS = /\bapplication\/(xml|json)\b/i;

/** The code of a refusal for which the service's own list has no code. */
const NO_FITTING_CODE = '111000';

type Headers = ReadonlyMap<string, readonly string[]>;

function collectHeaders(rawHeaders: readonly string[]): Headers {
	const headers = new Map<string, string[]>();
	for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
		const name = rawHeaders[index].toLowerCase();
		headers.set(name, [...(headers.get(name) ?? []), rawHeaders[index + 1]]);
	}
	return headers;
}

interface Address {
	readonly accountSid: string;
	readonly operation?: Operation;
	readonly violations: readonly Violation[];
}

const findOperation = (path: string): Operation | undefined =>
	OPERATIONS.find((operation) => {
		const own = operation.path.join('/');
		return path === own || (operation.trailingSlash && path === `${own}/`);
	});

function readAddress(path: string, method: string): Address {
	const [, version = '', accounts = '', accountSid = '', ...rest] = path.split('/');
	const operation = findOperation(rest.join('/'));
	const violations: Violation[] = [];
	if (accounts !== 'Accounts' || !operation) {
		violations.push(broken('path', `no operation at ${shown(path)}`, NO_FITTING_CODE, 404));
	}
	if (version !== SOFT_VERSION) {
		const words = `the version segment must be ${SOFT_VERSION}: ${shown(version)}`;
		violations.push(broken('version', words, '111110'));
	}
	if (!/^[A-Za-z0-9]{32}$/.test(accountSid)) {
		const words = `the account id in the path must be 32 letters and digits: ${shown(accountSid)}`;
		violations.push(broken('accountSid', words, '111100'));
	}
	if (operation && method !== operation.method) {
		const words = `${operation.name} must be called with ${operation.method}, not ${method}`;
		violations.push(broken('method', words, NO_FITTING_CODE, 405));
	}
	return { accountSid, operation, violations };
}

interface Credentials {
	readonly timestamp?: string;
	readonly violations: readonly Violation[];
}

/** Decodes strict Base64: padded, and nothing outside its alphabet; undefined for anything else. */
function decodeBase64(text: string): string | undefined {
	const bytes = Buffer.from(text, 'base64');
	return bytes.toString('base64') === text ? bytes.toString('utf8') : undefined;
}

function readAuthorization(headers: Headers, accountSid: string, now: number): Credentials {
	const refuse = (statusCode: string, words: string, timestamp?: string): Credentials => ({
		violations: [broken('authorization', words, statusCode)],
		timestamp,
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
	if (parts.length !== 2) return refuse('111103', 'Authorization must be "accountSid:timestamp"');
	const [sid, timestamp] = parts;
	if (sid === '') return refuse('111104', 'Authorization has no account id');
	if (timestamp === '') return refuse('111105', 'Authorization has no timestamp');
	if (sid !== accountSid) {
		return refuse('111107', 'the account id in Authorization differs from the one in the path');
	}
	const moment = readCompactTime(timestamp);
	if (moment === undefined) {
		const words = `the timestamp must be a real yyyyMMddHHmmss: ${shown(timestamp)}`;
		return refuse('111113', words, timestamp);
	}
	if (Math.abs(now - moment) > MAX_CLOCK_SKEW_MS) {
		const words = `the timestamp ${timestamp} is too far from the service's time (UTC+8)`;
		return refuse('111106', words, timestamp);
	}
	return { timestamp, violations: [] };
}

/** The parameters that the operation has in its query. */
function readQueryFields(parameters: readonly string[], operation: Operation | undefined) {
	const names = operation?.method === 'GET' ? operation.fields.map(({ name }) => name) : [];
	const given = new URLSearchParams(parameters.join('&'));
	return new Map([...given].filter(([name]) => names.includes(name)));
}

function checkSignature(
	parameters: readonly string[],
	ownParameters: number,
	timestamp: string | undefined,
	isKnown: boolean,
): Violation[] {
	const signatures = parameters.filter((parameter) => /^sig(=|$)/.test(parameter));
	const [value = '', ...more] = signatures.map((parameter) => parameter.slice('sig='.length));
	if (value === '') return [broken('sig', 'the query parameter sig is missing or empty', '111108')];
	if (more.length > 0) return [broken('sig', 'the query must have sig once', '111109')];
	if (!/^[0-9A-F]{32}$/.test(value)) {
		return [broken('sig', 'sig must be 32 upper-case hexadecimal digits', '111109')];
	}
	const found =
		parameters.length > 1 + ownParameters
			? [broken('query', 'the query must have sig and what the operation asks for, nothing else')]
			: [];
	if (!isKnown || timestamp === undefined) return found;
	const expected = createHash('md5')
		.update(CREDENTIALS.accountSid + CREDENTIALS.authToken + timestamp)
		.digest('hex')
		.toUpperCase();
	if (value === expected) return found;
	const words = 'sig is not MD5(accountSid + token + the timestamp of Authorization)';
	return [...found, broken('signature', words, '111109')];
}

interface ReadFormat {
	readonly format?: Format;
	readonly violations: readonly Violation[];
}

/**
 * The format that a header names, exactly as the specification writes it (section 5, rule 4).
 * @param suffix what stands behind the format
 */
function readFormat(
	headers: Headers,
	name: 'Accept' | 'Content-Type',
	suffix: '' | ';charset=utf-8',
): ReadFormat {
	const values = headers.get(name.toLowerCase()) ?? [];
	const exact = FORMATS.map((each) => `application/${each}${suffix}`);
	const format = FORMATS[exact.indexOf(values[0])];
	if (format && values.length === 1) return { format, violations: [] };
	const given = values.length === 0 ? 'it is missing' : values.map(shown).join(' and ');
	const words = `${name} must be exactly one of ${exact.join(', ')}: ${given}`;
	const [, named] = ACCEPTS.exec(values.join(', ')) ?? [];
	return {
		...(named && { format: named.toLowerCase() as Format }),
		violations: [broken(name, words)],
	};
}

function checkLength(headers: Headers, body: Buffer, method: string): Violation[] {
	const found: Violation[] = [];
	if (headers.has('transfer-encoding')) {
		const words = 'Transfer-Encoding was sent: the body must come with Content-Length';
		found.push(broken('transferEncoding', words));
	}
	const lengths = headers.get('content-length') ?? [];
	if (lengths.length !== 1) {
		found.push(broken('contentLength', 'Content-Length is required, once'));
	} else if (lengths[0] !== String(body.length)) {
		const words = `Content-Length is ${shown(lengths[0])}, the body has ${body.length} bytes`;
		found.push(broken('contentLength', words));
	}
	if (method === 'GET' && body.length > 0) {
		found.push(broken('bodyOnGet', 'a GET request must not have a body'));
	}
	return found;
}

/** The token proves who sends; it goes into `sig` and nowhere else (specification 5, rule 1). */
function checkTokenIsSecret({ target, rawHeaders, body }: WireRequest): Violation[] {
	return [target, ...rawHeaders, body].some((each) => each.includes(CREDENTIALS.authToken))
		? [broken('token', 'the authorization token itself was sent: only sig may be', '111109')]
		: [];
}

/**
 * Checks everything about a request but its body: address, method, query, and headers
 * (specification 4, 5 and 9).
 * @param now milliseconds since 1970 UTC
 * @returns what was read, and the violations in the order in which the service would find them
 */
export function readEnvelope(request: WireRequest, now: number): Envelope {
	const [path, ...queries] = request.target.split('?');
	const parameters = queries.join('?').split('&').filter(Boolean);
	const headers = collectHeaders(request.rawHeaders);
	const { accountSid, operation, violations } = readAddress(path, request.method);
	const isKnown = accountSid === CREDENTIALS.accountSid;
	const { timestamp, ...authorization } = readAuthorization(headers, accountSid, now);
	const answer = readFormat(headers, 'Accept', '');
	const body = readFormat(headers, 'Content-Type', ';charset=utf-8');
	const queryFields = readQueryFields(parameters, operation);
	return {
		operation,
		isKnown,
		requestFormat: body.format,
		answerFormat: answer.format ?? 'xml',
		queryFields,
		violations: [
			...violations,
			...authorization.violations,
			...checkSignature(parameters, queryFields.size, timestamp, isKnown),
			...answer.violations,
			...body.violations,
			...checkLength(headers, request.body, request.method),
			...checkTokenIsSecret(request),
		],
	};
}
