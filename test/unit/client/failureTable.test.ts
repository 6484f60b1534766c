import { classifyFailure } from '../../../nodes/Yuntongxun/client/failureTable';
import type { Reply } from '../../../nodes/Yuntongxun/client/failureTable';

const broken = (...each: string[]): Reply[] =>
	each.map((trace) => ({ kind: 'noAnswer', traces: ['x', trace] }));
const codes = (...all: string[]): Reply[] =>
	all.map((statusCode) => ({ kind: 'statusCode', statusCode }));
const http = (...all: number[]): Reply[] =>
	all.map((httpStatus) => ({ kind: 'unreadable', httpStatus }));

/** What systems call a connection that was not made, or broke. */
const SYSTEM_ERRORS = [
	...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'],
	...['ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'ENETRESET', 'EADDRNOTAVAIL', 'EACCES', 'EPERM'],
	...['ENOTCONN', 'ENOBUFS', 'EMFILE', 'EINVAL'],
];
const TIMED_OUT = ['ECONNABORTED', 'ETIMEDOUT'];
const CERTIFICATE_ERRORS = [
	...['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'CERT_REVOKED', 'CERT_UNTRUSTED'],
	...['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
	...['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT', 'CERT_SIGNATURE_FAILURE'],
	...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'INVALID_CA'],
	...[
		'INVALID_PURPOSE',
		'PATH_LENGTH_EXCEEDED',
		'CERT_CHAIN_TOO_LONG',
		'CERT_REJECTED',
		'UNSPECIFIED',
	],
	...['UNABLE_TO_GET_CRL', 'CRL_HAS_EXPIRED', 'ERROR_IN_CERT_NOT_AFTER_FIELD'],
];
/** As Node.js 20 and 24 said it of servers with another version, cipher, key length or name, or without TLS. */
const openSsl = (words: string) => `write EPROTO 80DC:error:0A00:SSL routines:${words}`;
const alert = (number: number) =>
	openSsl(
		`ssl3_read_bytes:tlsv1 alert:../ssl/record/rec_layer_s3.c:918:SSL alert number ${number}\n`,
	);
const HANDSHAKE_ERRORS = [
	...[40, 70, 71, 112].map(alert),
	openSsl('tls_process_ske_dhe:dh key too small:../ssl/statem/statem_clnt.c:2354:\n'),
	openSsl('tls_process_server_hello:length mismatch:../ssl/statem/statem_clnt.c:1388:\n'),
	openSsl('tls_validate_record_header:wrong version number:../record/methods/tlsany_meth.c:77:\n'),
];
/** What can come once the request is on its way. */
const LATER_TLS_ERRORS = [
	...[47, 80, 90, 116].map(alert),
	openSsl('tls_process_new_session_ticket:bad extension:../ssl/statem/statem_clnt.c:2354:\n'),
	'80DC:error:0A00045C:SSL routines:ssl3_read_bytes:alert:../rec_layer_s3.c:918:SSL alert number 40',
	'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
];
const WRONG_VERSION =
	'80DC:error:0A00010B:SSL routines::wrong version number:../ssl3_record.c:354:\n';
const BEFORE_TLS =
	'Client network socket disconnected before secure TLS connection was established';

const RESTRICTED = 'The request was blocked because it resolves to a restricted IP address';
const POOL_IS_DRY = 'timeout exceeded when trying to connect';
const CUT = 'connection ended before receiving';
const BUSY = Array.from({ length: 10 }, (_, at) => String(160_001 + at));

type Row = [accepted: string, again: boolean, words: RegExp, replies: Reply[]];
const no = (words: RegExp, replies: Reply[]): Row => ['no', false, words, replies];
const again = (words: RegExp, replies: Reply[]): Row => ['no', true, words, replies];
const unknown = (words: RegExp, replies: Reply[]): Row => ['unknown', false, words, replies];

/** What is to follow from what, written down a second time, and words that tell it. */
const EXPECTED: Row[] = [
	no(
		/cannot be reached.*Check the Base URL/,
		broken(
			...SYSTEM_ERRORS.map((code) => `connect ${code} 192.0.2.1:8883`),
			...['getaddrinfo ENOTFOUND y', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'],
			`Proxy ${CUT} CONNECT response`,
		),
	),
	no(/^The certificate .*has to trust its certificate/, broken(...CERTIFICATE_ERRORS)),
	no(/^No encrypted connection/, broken(...HANDSHAKE_ERRORS, BEFORE_TLS)),
	no(/^This n8n does not allow .*Ask whoever runs this n8n/, broken(RESTRICTED)),
	no(/^n8n could not read the credential, .*Send it again\./, broken(POOL_IS_DRY)),
	// The same words where the request may have left.
	unknown(/^No complete answer/, broken(...LATER_TLS_ERRORS)),
	unknown(
		/^No complete answer came\. $/,
		broken(...SYSTEM_ERRORS.filter((code) => !TIMED_OUT.includes(code)), 'write EPROTO', 'EAI'),
	),
	unknown(
		/No complete answer|in time/,
		broken(...['read', 'write'].flatMap((step) => SYSTEM_ERRORS.map((code) => `${step} ${code}`))),
	),
	unknown(
		/No complete answer/,
		broken(WRONG_VERSION, 'ERR_SSL_WRONG_VERSION_NUMBER', 'aborted', ''),
	),
	unknown(
		/No complete answer/,
		broken('socket hang up', 'x connect ECONNREFUSED', 'X_CERT_REVOKED'),
	),
	unknown(/No complete answer/, [{ kind: 'noAnswer', traces: [] }]),
	unknown(/did not answer in time\. The option Request Timeout/, broken(...TIMED_OUT, 'timeout')),
	unknown(/^No complete answer came\. $/, broken('answer too large')),
	unknown(
		/^The answer could not be read\. .*not come from/,
		broken('HPE_CR_EXPECTED', 'Parse Error: Expected HTTP/'),
	),
	['yes', false, /reports success, but its answer lacks the result/, codes('000000')],
	again(/^Too many requests .*fewer at once\.$/, codes('111111', '160016', '161006')),
	again(/^The service is busy/, codes(...BUSY)),
	no(/./, codes('160000', '160011', '160015', '160017', '160038', '161005', '161007')),
	no(
		/a reason this node does not know\. Its own words/,
		codes('111112', '999999', '000001', '171999', '173000'),
	),
	unknown(
		/not one the service uses\. Ask whoever runs what stands at the Base URL/,
		codes(
			'172000',
			'172012',
			'172999',
			'0',
			'00000',
			'0000000',
			'16004',
			'E1001',
			'success',
			'１６００４０',
			'160040\n',
		),
	),
	again(/no more requests right now\. Nothing was passed on/, http(429)),
	no(
		/^Something in front of the service .*not come from/,
		http(300, 302, 399, 401, 403, 404, 405, 407, 511),
	),
	unknown(/^The service, or a proxy on the way, could not/, http(500, 502, 503, 504, 599)),
	unknown(
		/^The answer could not be read\. The answer does not come from/,
		http(200, 204, 299, 400, 402, 406, 408, 418, 428, 430, 499, 600),
	),
];

it.each(
	EXPECTED.flatMap(([accepted, isAgain, words, replies]) =>
		replies.map((reply) => [reply, accepted, isAgain || undefined, words] as const),
	),
)('classifies %j as accepted %s, to send again %p', (reply, accepted, isOverload, words) => {
	const { summary, remedy = '', ...rest } = classifyFailure(reply);
	expect(rest).toMatchObject({ accepted });
	expect(rest.isOverload).toBe(isOverload);
	expect(`${summary}. ${remedy}`).toMatch(words);
});
