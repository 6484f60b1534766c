import type { Accepted } from './serviceFailure';
import { describeStatusCode } from './statusCodes';
import type { NoAnswer } from './transport';

/** What came back from a request that did not succeed. */
export type Reply =
	/** Nothing that could be read to its end. */
	| NoAnswer
	/** An answer of the service, with its code: any text. */
	| { kind: 'statusCode'; statusCode: string }
	/** An unreadable answer, perhaps not from the service. */
	| { kind: 'unreadable'; httpStatus: number };

/** What follows from a reply. */
interface Classification {
	/** Whether the service took what it was asked to do. */
	accepted: Accepted;
	/** Whether to send again: the request was certainly rejected, because of load. */
	retryable: boolean;
	/** What happened: one clause, without a final period. */
	summary: string;
	/** What to do next, in sentences; may be empty. */
	remedy: string;
}

/** A row of the table: which replies it fits, and what follows from them. */
interface Row extends Classification {
	fits(reply: Reply): boolean;
}

/** What the service calls success. Specification section 7. */
export const SUCCESS = '000000';

/** A code of the service, which then did not take the request. Publicly known, not in the specification. */
const REJECTION_CODE = /^\d{6}$/;

/** Codes for too many requests at once. Publicly known, not in the specification. */
const LOAD_CODE = /^(?:111111|16000[1-9]|160010|160016|161006)$/;

/** Made up by the vendor's SDKs, after a time-out too. It gets here through somebody's own relay. */
const RELAY_CODE = /^172\d{3}$/;

const CHECK_BASE_URL =
	'Check the Base URL in the credential, and whether n8n may reach the internet.';
const NOT_THE_SERVICE =
	'The answer does not come from the service. Check the Base URL in the credential, and any proxy or firewall on the way.';

/** Codes of Node.js for a certificate that it refuses: nothing is sent before it is checked. */
const REFUSED_CERTIFICATE =
	/^(?:(?:CERT|CRL|ERROR_IN_CERT|ERROR_IN_CRL|UNABLE_TO)_[A-Z_]+|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT(?:_IN_CHAIN)?|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|UNSPECIFIED)$/;

/**
 * What OpenSSL and Node.js say where a handshake failed. Of alerts only those that a server sends instead of a
 * handshake: any other may come later. Without `write EPROTO` it could be garbage in an encrypted connection.
 */
const FAILED_HANDSHAKE =
	/^write EPROTO (?!.*(?:session_ticket|key_update)).*(?:SSL alert number (?:40|70|71|112)\b|wrong version number|\/statem\/)|before secure TLS connection was established$/;

const traced = (trace: RegExp) => (reply: Reply) =>
	reply.kind === 'noAnswer' && reply.traces.some((each) => trace.test(each));

const hasCode = (shape: RegExp) => (reply: Reply) =>
	reply.kind === 'statusCode' && shape.test(reply.statusCode);

const hasHttpStatus =
	(from: number, to = from) =>
	(reply: Reply) =>
		reply.kind === 'unreadable' && from <= reply.httpStatus && reply.httpStatus <= to;

const row = (accepted: Accepted, fits: Row['fits'], summary: string, remedy = ''): Row => ({
	accepted,
	fits,
	summary,
	remedy,
	retryable: false,
});

/** Nothing was sent: there was no connection. */
const notConnected = (trace: RegExp, summary: string, remedy = CHECK_BASE_URL): Row =>
	row('no', traced(trace), summary, remedy);

/** Something in front of the service answered, and did not pass the request on. */
const notPassedOn = (fits: Row['fits'], summary: string, remedy = NOT_THE_SERVICE): Row =>
	row('no', fits, summary, remedy);

const OWN_WORDS = 'Its own words are below; Yuntongxun support can explain the code.';

/** For a code that `statusCodes.ts` does not describe. */
const UNKNOWN_CODE = [
	'The service refused the request for a reason this node does not know',
	OWN_WORDS,
] as const;

/**
 * Whether a request was accepted, and whether to send it again. The first row that fits counts. An
 * answer of the service counts whatever its HTTP status is. What may have been accepted is never sent
 * again. Specification section 7.
 *
 * Only an error while connecting proves that nothing was sent. The same code in the middle of a
 * connection (`read EHOSTUNREACH`) proves nothing, so a bare code counts only if no other step can
 * produce it.
 */
export const FAILURES: readonly Row[] = [
	notConnected(
		/^(?:getaddrinfo E|ENOTFOUND$|EAI_[A-Z]+$)/,
		'The address of the service is not known',
	),
	notConnected(/^connect E[A-Z]+\b/, 'The service cannot be reached from here'),
	notConnected(
		// n8n 2 says this; it has no code for it.
		/^The request was blocked because /,
		'This n8n does not allow requests to the address of the service',
		'Ask whoever runs this n8n to allow the host of the Base URL.',
	),
	notConnected(
		REFUSED_CERTIFICATE,
		'The certificate is not valid, not for this address, or not trusted by this n8n',
		'Check the Base URL in the credential. If a proxy of your company opens encrypted connections, n8n has to trust its certificate.',
	),
	notConnected(FAILED_HANDSHAKE, 'No encrypted connection could be made'),
	notConnected(
		/^Proxy connection ended before receiving CONNECT response$/,
		'The proxy on the way made no connection',
		'Ask whoever runs the proxy to allow the host and port of the Base URL.',
	),
	notConnected(
		// The words of PostgreSQL's driver; the service is reached by another.
		/^timeout exceeded when trying to connect$/,
		'n8n could not read the credential, since its database has no free connection',
		'Send it again. If this goes on, raise DB_POSTGRESDB_POOL_SIZE.',
	),

	// The connection may have failed at any moment, so the request may have arrived.
	row(
		'unknown',
		traced(/^answer too large$/),
		'The answer is far too long to come from the service',
	),
	row(
		'unknown',
		traced(/^ECONNABORTED$|\bETIMEDOUT\b|timeout/i),
		'The service did not answer in time',
		'The option Request Timeout sets how long to wait.',
	),
	row('unknown', traced(/^(?:HPE_[A-Z_]+$|Parse Error)/), 'The answer could not be read'),
	row('unknown', (reply) => reply.kind === 'noAnswer', 'No complete answer came'),

	row('yes', hasCode(/^000000$/), 'The service reports success, but its answer lacks the result'),
	{ ...row('no', hasCode(LOAD_CODE), ...UNKNOWN_CODE), retryable: true },
	row(
		'unknown',
		hasCode(RELAY_CODE),
		'A program between n8n and the service answered in its place',
		"Codes that begin with 172 are made up by the vendor's SDKs, after a time-out as well. Ask whoever runs what stands at the Base URL in the credential.",
	),
	row('no', hasCode(REJECTION_CODE), ...UNKNOWN_CODE),
	row(
		'unknown',
		hasCode(/./s),
		'The service answered with a status code that is not one of its six-digit codes',
		OWN_WORDS,
	),

	{
		...notPassedOn(
			hasHttpStatus(429),
			'The address accepts no more requests right now',
			'Nothing was passed on. Wait before you send it again.',
		),
		retryable: true,
	},
	notPassedOn(hasHttpStatus(300, 399), 'The address redirects to another one'),
	notPassedOn(
		(reply) =>
			reply.kind === 'unreadable' && [401, 403, 404, 405, 407, 511].includes(reply.httpStatus),
		'Something in front of the service did not pass the request on',
	),
	row('unknown', hasHttpStatus(500, 599), 'The service, or a proxy on the way, could not answer'),
	row('unknown', () => true, 'The answer could not be read', NOT_THE_SERVICE),
];

/** Classifies a reply by the first row that fits; `statusCodes.ts` explains the codes it knows. */
export function classifyFailure(reply: Reply): Classification {
	const found = FAILURES.find(({ fits }) => fits(reply)) ?? FAILURES[FAILURES.length - 1];
	return reply.kind === 'statusCode'
		? { ...found, ...describeStatusCode(reply.statusCode) }
		: found;
}
