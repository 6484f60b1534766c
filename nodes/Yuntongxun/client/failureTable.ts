import { joinSentences, translate } from '../language/translate';
import type { Endpoint } from './request';
import { ServiceFailure } from './serviceFailure';
import type { Accepted } from './serviceFailure';
import { describeStatusCode } from './statusCodes';

/** Nothing came that could be read to its end: error codes and messages of the connection. */
export interface NoAnswer {
	kind: 'noAnswer';
	traces: readonly string[];
}

/** What came back from a request that did not succeed. */
export type Reply =
	| NoAnswer
	/** An answer of the service, with its code: any text. */
	| { kind: 'statusCode'; statusCode: string }
	/** An unreadable answer, perhaps not from the service. */
	| { kind: 'unreadable'; httpStatus: number };

/** A row of the table: which replies of a kind it fits, and what follows from them. */
interface Row {
	/** Of a trace of the connection, of the code, or of the HTTP status. */
	shape: RegExp;
	/** Whether the service took what it was asked to do. */
	accepted: Accepted;
	/** Whether to send again: the request was certainly rejected, because of load. */
	isOverload?: true;
	/** What happened: one clause, without a final period. */
	summary: string;
	/** What to do next, in sentences. */
	remedy?: string;
}

/** What the service calls success. Specification section 7. */
export const SUCCESS = '000000';

const CHECK_BASE_URL =
	'Check the Base URL in the credential, and whether n8n, and any proxy on the way, may reach its host and port.';
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

/**
 * Whether a request was accepted, and whether to send it again. The first row that fits counts, and the last of
 * each kind fits all. An answer of the service counts whatever its HTTP status is. What may have been accepted is
 * never sent again. Specification section 7; which codes there are is publicly known, not in the specification.
 *
 * Only an error while connecting proves that nothing was sent. The same code in the middle of a
 * connection (`read EHOSTUNREACH`) proves nothing, so a bare code counts only if no other step can
 * produce it.
 */
const FAILURES: Readonly<Record<Reply['kind'], readonly Row[]>> = {
	noAnswer: [
		{
			shape:
				/^(?:getaddrinfo E|ENOTFOUND$|EAI_[A-Z]+$|connect E[A-Z]+\b|Proxy connection ended before receiving CONNECT response$)/,
			accepted: 'no',
			summary: 'The service cannot be reached from here',
			remedy: CHECK_BASE_URL,
		},
		{
			// n8n 2 says this; it has no code for it.
			shape: /^The request was blocked because /,
			accepted: 'no',
			summary: 'This n8n does not allow requests to the address of the service',
			remedy: 'Ask whoever runs this n8n to allow the host of the Base URL.',
		},
		{
			shape: REFUSED_CERTIFICATE,
			accepted: 'no',
			summary: 'The certificate is not valid, not for this address, or not trusted by this n8n',
			remedy:
				'Check the Base URL in the credential. If a proxy of your company opens encrypted connections, n8n has to trust its certificate.',
		},
		{
			shape: FAILED_HANDSHAKE,
			accepted: 'no',
			summary: 'No encrypted connection could be made',
			remedy: CHECK_BASE_URL,
		},
		{
			// The words of PostgreSQL's driver; the service is reached by another.
			shape: /^timeout exceeded when trying to connect$/,
			accepted: 'no',
			summary: 'n8n could not read the credential, since its database has no free connection',
			remedy: 'Send it again. If this goes on, raise DB_POSTGRESDB_POOL_SIZE.',
		},
		// The connection may have failed at any moment, so the request may have arrived.
		{
			shape: /^ECONNABORTED$|\bETIMEDOUT\b|timeout/i,
			accepted: 'unknown',
			summary: 'The service did not answer in time',
			remedy: 'The option Request Timeout sets how long to wait.',
		},
		{
			// Something that is not HTTP.
			shape: /^(?:HPE_[A-Z_]+$|Parse Error)/,
			accepted: 'unknown',
			summary: 'The answer could not be read',
			remedy: NOT_THE_SERVICE,
		},
		{
			shape: /^/,
			accepted: 'unknown',
			summary: 'No complete answer came',
		},
	],
	statusCode: [
		{
			shape: /^000000$/,
			accepted: 'yes',
			summary: 'The service reports success, but its answer lacks the result',
		},
		// The service is busy, or got too many requests at once.
		{
			shape: /^(?:111111|16000[1-9]|160010|160016|161006)$/,
			accepted: 'no',
			isOverload: true,
			summary: 'The service is busy, or could not handle the request',
		},
		// 172… is made up by the vendor's SDKs, after a time-out too. It gets here through somebody's own relay.
		{
			shape: /^(?!172)\d{6}$/,
			accepted: 'no',
			summary: 'The service refused the request for a reason this node does not know',
			remedy: 'Its own words are below; Yuntongxun support can explain the code.',
		},
		{
			shape: /^/,
			accepted: 'unknown',
			summary: 'The status code is not one the service uses',
			remedy: 'Ask whoever runs what stands at the Base URL in the credential.',
		},
	],
	unreadable: [
		{
			shape: /^429$/,
			accepted: 'no',
			isOverload: true,
			summary: 'The address accepts no more requests right now',
			remedy: 'Nothing was passed on. Wait before you send it again.',
		},
		{
			shape: /^(?:3\d\d|401|403|404|405|407|511)$/,
			accepted: 'no',
			summary: 'Something in front of the service did not pass the request on',
			remedy: NOT_THE_SERVICE,
		},
		{
			shape: /^5\d\d$/,
			accepted: 'unknown',
			summary: 'The service, or a proxy on the way, could not answer',
		},
		{
			shape: /^/,
			accepted: 'unknown',
			summary: 'The answer could not be read',
			remedy: NOT_THE_SERVICE,
		},
	],
};

/** What the table tells the replies of a kind apart by. */
function listMarks(reply: Reply): string[] {
	switch (reply.kind) {
		case 'noAnswer':
			return [...reply.traces, ''];
		case 'statusCode':
			return [reply.statusCode];
		case 'unreadable':
			return [String(reply.httpStatus)];
	}
}

/** Classifies a reply by the first row that fits; `statusCodes.ts` explains the codes it knows. */
export function classifyFailure(reply: Reply): Row {
	const marks = listMarks(reply);
	const rows = FAILURES[reply.kind];
	const fits = ({ shape }: Row) => marks.some((mark) => shape.test(mark));
	const found = rows.find(fits) ?? rows[rows.length - 1];
	return reply.kind === 'statusCode'
		? { ...found, ...describeStatusCode(reply.statusCode) }
		: found;
}

/** What to know before sending again. */
const CONSEQUENCE: Record<Accepted, string> = {
	no: '',
	unknown:
		'Nobody can tell whether it was accepted: look in the Yuntongxun console before you send it again.',
	yes: 'It was accepted, so do not send it again.',
};

const ONLY_READS = 'Nothing was changed, so it is safe to run it again.';

/**
 * Builds the failure of a request from what came back, with what to do about it.
 *
 * @param statusMsg the service's own words, without secrets
 */
export function toServiceFailure(
	reply: Reply,
	{ hasSideEffects }: Endpoint,
	statusMsg = '',
): ServiceFailure {
	const { accepted, isOverload, ...row } = classifyFailure(reply);
	const summary = translate(row.summary);
	const safeToRepeat = accepted === 'no' ? '' : ONLY_READS;
	const consequence = hasSideEffects ? CONSEQUENCE[accepted] : safeToRepeat;
	return new ServiceFailure({
		summary:
			reply.kind === 'unreadable'
				? translate('{summary} (HTTP {status})', { summary, status: reply.httpStatus })
				: summary,
		remedy: joinSentences(translate(row.remedy ?? ''), translate(consequence)),
		statusCode: reply.kind === 'statusCode' ? reply.statusCode : '',
		statusMsg,
		accepted: hasSideEffects ? accepted : undefined,
		overload: isOverload,
	});
}
