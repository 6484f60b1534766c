import type { Accepted } from './serviceFailure';

/** What came back from one request that did not succeed. */
export type Reply =
	/** Nothing that could be read to its end. */
	| { transportError: TransportError }
	/** An answer of the service: a code of six digits. */
	| { statusCode: string }
	/** An answer nobody can read, perhaps not from the service. */
	| { httpStatus: number };

/** Why there is nothing to read. */
export interface TransportError {
	/** `timeout`: not in time. `tooLarge`: far too much of it. `network`: the connection failed. */
	kind: 'timeout' | 'tooLarge' | 'network';
	/** Error codes and messages of the connection, each by itself. */
	traces: readonly string[];
}

/** What follows from a reply. */
interface Classification {
	/** Whether the service took what it was asked to do. */
	accepted: Accepted;
	/** Whether the request goes out again: it was certainly refused, for too much at once. */
	retryable: boolean;
	/** What happened: one clause, without a final period. */
	happened: string;
	/** What to do next, in sentences. */
	advice: string;
}

/** One row of the table of decisions. */
interface Row extends Classification {
	/** What came back, in words. */
	reply: string;
	fits(reply: Reply): boolean;
}

/** What the service calls success. Specification section 7. */
export const SUCCESS = '000000';

/** What a code of the service looks like; any other value is not the service's. */
export const CODE = /^\d{6}$/;

/** Codes with which the service refuses because too much comes at once. Specification section 7. */
const LOAD_CODES: ReadonlySet<string> = new Set([
	'111111',
	...['160001', '160002', '160003', '160004', '160005'],
	...['160006', '160007', '160008', '160009', '160010'],
	...['160016', '161006'],
]);

const CHECK_BASE_URL =
	'Check the Base URL in the credential, and whether n8n may reach the internet.';
const CHECK_CERTIFICATE =
	'Check the Base URL in the credential. If a proxy of your company opens encrypted connections, n8n has to trust its certificate.';
const NOT_THE_SERVICE =
	'The answer does not come from the service. Check the Base URL in the credential, and any proxy or firewall on the way.';

/** Words for a code that `statusCodes.ts` does not describe. */
const UNKNOWN_CODE = {
	happened: 'The service refused the request for a reason this node does not know',
	advice: 'Its own words are below; Yuntongxun support can explain the code.',
};

/** A connection that failed with one of these traces. */
const isTraced = (trace: RegExp) => (reply: Reply) =>
	'transportError' in reply &&
	reply.transportError.kind === 'network' &&
	reply.transportError.traces.some((each) => trace.test(each));

const isTransportError = (kind: TransportError['kind']) => (reply: Reply) =>
	'transportError' in reply && reply.transportError.kind === kind;

const isCode = (test: (code: string) => boolean) => (reply: Reply) =>
	'statusCode' in reply && test(reply.statusCode);

const isHttp =
	(from: number, to = from) =>
	(reply: Reply) =>
		'httpStatus' in reply && from <= reply.httpStatus && reply.httpStatus <= to;

/** Nothing had left: the row for a connection that was never made. */
const notConnected = (reply: string, trace: RegExp, happened: string, advice: string): Row => ({
	reply: `no connection: ${reply}`,
	fits: isTraced(trace),
	accepted: 'no',
	retryable: false,
	happened,
	advice,
});

/** The connection may have failed at any moment, so the request may have arrived. */
const mayHaveArrived = (reply: string, fits: Row['fits'], happened: string, advice = ''): Row => ({
	reply,
	fits,
	accepted: 'unknown',
	retryable: false,
	happened,
	advice,
});

/** Something in front of the service answered, which never passed the request on. */
const notPassedOn = (reply: string, fits: Row['fits'], happened: string): Row => ({
	reply,
	fits,
	accepted: 'no',
	retryable: false,
	happened,
	advice: NOT_THE_SERVICE,
});

/**
 * Whether a request was accepted, and whether it goes out again. The first row that fits counts.
 * An answer of the service counts whatever its HTTP status. What may have been accepted never goes
 * out again. Specification section 7.
 *
 * Only what a system reports while it connects proves that nothing had left. The same code in the
 * middle of a connection (`read EHOSTUNREACH`) does not, so a bare code counts only if no other
 * step can give it.
 */
export const FAILURES: readonly Row[] = [
	notConnected(
		'the name is unknown',
		/^(?:getaddrinfo E|ENOTFOUND$|EAI_[A-Z]+$)/,
		'The address of the service is not known',
		CHECK_BASE_URL,
	),
	notConnected(
		'nothing listens',
		/^connect ECONNREFUSED\b/,
		'Nothing answers at the address of the service',
		CHECK_BASE_URL,
	),
	notConnected(
		'anything else that systems report while connecting',
		/^connect E[A-Z]+\b/,
		'The service cannot be reached from here',
		CHECK_BASE_URL,
	),
	notConnected(
		'n8n itself blocks the address',
		// Words of n8n 2, which has no code for it.
		/^The request was blocked because /,
		'This n8n does not allow requests to the address of the service',
		'Ask whoever runs this n8n to allow the host of the Base URL.',
	),
	notConnected(
		'the certificate is not valid today',
		/^(?:CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/,
		'The certificate of the service is not valid today',
		CHECK_CERTIFICATE,
	),
	notConnected(
		'the certificate is for another host',
		/^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
		'The certificate belongs to another address than the Base URL',
		CHECK_CERTIFICATE,
	),
	notConnected(
		'the certificate is not trusted',
		/^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|CERT_UNTRUSTED|CERT_REVOKED|CERT_SIGNATURE_FAILURE)$/,
		'The certificate of the service comes from nobody this n8n trusts',
		CHECK_CERTIFICATE,
	),
	notConnected(
		'no encryption',
		// Without `write EPROTO` it is plain text in the middle of an encrypted connection.
		/^write EPROTO .*wrong version number|before secure TLS connection was established$/,
		'No encrypted connection could be made',
		CHECK_BASE_URL,
	),

	mayHaveArrived(
		'no whole answer in time',
		isTransportError('timeout'),
		'The service did not answer in time',
		'The option Timeout sets how long to wait.',
	),
	mayHaveArrived(
		'far too long an answer',
		isTransportError('tooLarge'),
		'The answer is far too long to come from the service',
		CHECK_BASE_URL,
	),
	mayHaveArrived(
		'a time-out of the system',
		isTraced(/^ECONNABORTED$|\bETIMEDOUT\b|timeout/i),
		'The service did not answer in time',
	),
	mayHaveArrived(
		'any other broken connection, whatever the system calls it',
		(reply) => 'transportError' in reply,
		'The connection broke before the answer was complete',
	),

	{
		reply: `${SUCCESS} without the id that belongs to it`,
		fits: isCode((code) => code === SUCCESS),
		accepted: 'yes',
		retryable: false,
		happened: 'The service reports success, but its answer lacks the result',
		advice: '',
	},
	{
		reply: 'a code of the service for too much at once',
		fits: isCode((code) => LOAD_CODES.has(code)),
		accepted: 'no',
		retryable: true,
		...UNKNOWN_CODE,
	},
	{
		reply: 'any other code of the service',
		fits: isCode(() => true),
		accepted: 'no',
		retryable: false,
		...UNKNOWN_CODE,
	},

	{
		reply: 'no readable answer, HTTP 429',
		fits: isHttp(429),
		accepted: 'no',
		retryable: true,
		happened: 'The address takes no more requests right now',
		advice: 'Nothing was sent on. Wait before you send it again.',
	},
	notPassedOn(
		'no readable answer, HTTP 3xx',
		isHttp(300, 399),
		'The address points to another one',
	),
	notPassedOn('no readable answer, HTTP 401', isHttp(401), 'The address asks for another login'),
	notPassedOn('no readable answer, HTTP 403', isHttp(403), 'The address does not let this n8n in'),
	notPassedOn(
		'no readable answer, HTTP 404 or 405',
		isHttp(404, 405),
		'There is no such service at this address',
	),
	mayHaveArrived(
		'no readable answer, HTTP 5xx',
		isHttp(500, 599),
		'The service was not able to answer',
	),
	mayHaveArrived(
		'no readable answer, any other HTTP status',
		(reply) => 'httpStatus' in reply,
		'The answer cannot be read',
		NOT_THE_SERVICE,
	),
];

/** What follows from what came back. Every reply fits a row. */
export function classifyFailure(reply: Reply): Classification {
	return FAILURES.find(({ fits }) => fits(reply)) ?? FAILURES[FAILURES.length - 1];
}
