import { FAILURES, classifyFailure } from '../../../nodes/Yuntongxun/client/failureTable';
import type { Reply } from '../../../nodes/Yuntongxun/client/failureTable';
import { listCodes } from '../support/knownCodes';

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
	...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
];
const WRONG_VERSION =
	'80DC:error:0A00010B:SSL routines::wrong version number:../ssl3_record.c:354:\n';
const BEFORE_TLS =
	'Client network socket disconnected before secure TLS connection was established';

/** What is to follow from what, written down a second time, and words that tell it. */
const EXPECTED: Array<[replies: Reply[], accepted: string, again: boolean, words: RegExp]> = [
	[
		broken('getaddrinfo ENOTFOUND service.example.com', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'),
		...(['no', false, /is not known\. Check the Base URL/] as const),
	],
	[
		broken(...SYSTEM_ERRORS.map((code) => `connect ${code} 192.0.2.1:8883`)),
		...(['no', false, /cannot be reached.*Check the Base URL/] as const),
	],
	[broken(...CERTIFICATE_ERRORS), 'no', false, /^The certificate .*has to trust its certificate/],
	[broken(`write EPROTO ${WRONG_VERSION}`, BEFORE_TLS), 'no', false, /No encrypted connection/],
	[
		broken('The request was blocked because it resolves to a restricted IP address'),
		...(['no', false, /^This n8n does not allow .*Ask whoever runs this n8n/] as const),
	],
	[[{ kind: 'unsigned' }], 'no', false, /^n8n could not sign .*Send it again\.$/],
	// The same words where the request may have left.
	[
		broken(...SYSTEM_ERRORS.filter((code) => !TIMED_OUT.includes(code)), 'write EPROTO', 'EAI'),
		...(['unknown', false, /^The connection broke before the answer was complete\. $/] as const),
	],
	[
		broken(...['read', 'write'].flatMap((step) => SYSTEM_ERRORS.map((code) => `${step} ${code}`))),
		...(['unknown', false, /connection broke|in time/] as const),
	],
	[
		broken(WRONG_VERSION, 'ERR_SSL_WRONG_VERSION_NUMBER', 'socket hang up', 'aborted', ''),
		...(['unknown', false, /connection broke/] as const),
	],
	[
		broken('HPE_INVALID_CONSTANT', 'x connect ECONNREFUSED', 'connect', 'x ENOTFOUND', 'CERT_X'),
		...(['unknown', false, /connection broke/] as const),
	],
	[
		broken(...TIMED_OUT, 'timeout'),
		'unknown',
		false,
		/did not answer in time\. The option Request Timeout/,
	],
	[[{ kind: 'noAnswer', traces: [] }], 'unknown', false, /connection broke/],
	[broken('answer too large'), 'unknown', false, /far too long/],
	[codes('000000'), 'yes', false, /reports success, but its answer lacks the result/],
	[codes('111111', '160016', '161006'), 'no', true, /^Too many requests .*fewer at once\.$/],
	[codes(...listCodes('160001-160010')), 'no', true, /^A channel of the service is busy/],
	[codes('160000', '160011', '160015', '160017', '160038', '161005', '161007'), 'no', false, /./],
	[
		codes('172000', '172001', '172012', '172999'),
		...([
			'unknown',
			false,
			/^A program between n8n and the service .*Ask whoever runs what stands at the Base URL/,
		] as const),
	],
	[
		codes('111112', '999999', '000001', '171999', '173000'),
		'no',
		false,
		/a reason this node does not know\. Its own words/,
	],
	[
		codes('0', '00000', '0000000', '16004', 'E1001', 'success', '１６００４０', '160040\n'),
		...(['unknown', false, /not one of its six-digit codes\. Its own words/] as const),
	],
	[http(429), 'no', true, /no more requests right now\. Nothing was passed on/],
	[http(300, 302, 399), 'no', false, /redirects to another one\. The answer does not come from/],
	[http(401), 'no', false, /another login\. The answer does not come from the service/],
	[http(403), 'no', false, /does not let this n8n in\. The answer does not come/],
	[http(407), 'no', false, /^A proxy on the way asks for a login\. The answer does not come/],
	[http(511), 'no', false, /^The network on the way asks for a login\. The answer does not/],
	[http(404, 405), 'no', false, /no such service at this address\. The answer does not come/],
	[http(500, 502, 503, 504, 599), 'unknown', false, /^The service could not answer\. $/],
	[
		http(200, 204, 299, 400, 402, 406, 408, 418, 428, 430, 499, 600),
		...(['unknown', false, /^The answer cannot be read\. The answer does not come from/] as const),
	],
];

it.each(
	EXPECTED.flatMap(([replies, ...rest]) => replies.map((reply) => [reply, ...rest] as const)),
)('classifies %j as accepted %s, retryable %p', (reply, accepted, retryable, words) => {
	const { summary, remedy, ...rest } = classifyFailure(reply);
	expect(rest).toMatchObject({ accepted, retryable });
	expect(`${summary}. ${remedy}`).toMatch(words);
});

it('covers every row of the table', () => {
	const replies = EXPECTED.flatMap(([each]) => each);
	const met = new Set(replies.map((reply) => FAILURES.find(({ fits }) => fits(reply))));
	expect([...met]).toEqual(expect.arrayContaining([...FAILURES]));
});
