import { FAILURES, classifyFailure } from '../../../nodes/Yuntongxun/client/classifyFailure';
import type { Reply, TransportError } from '../../../nodes/Yuntongxun/client/classifyFailure';

const silence = (kind: TransportError['kind'], ...traces: string[]): Reply => ({
	transportError: { kind, traces },
});
const broken = (...each: string[]): Reply[] => each.map((trace) => silence('network', trace));
const codes = (...all: string[]): Reply[] => all.map((statusCode) => ({ statusCode }));
const http = (...all: number[]): Reply[] => all.map((httpStatus) => ({ httpStatus }));
const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_each, index) => from + index);

/** What systems call a connection that was not made, or broke. */
const SYSTEM_ERRORS = [
	...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'],
	...['ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'ENETRESET', 'EADDRNOTAVAIL', 'EACCES', 'EPERM'],
];
const WRONG_VERSION =
	'80DC:error:0A00010B:SSL routines::wrong version number:../ssl3_record.c:354:\n';
const BEFORE_TLS =
	'Client network socket disconnected before secure TLS connection was established';

/** What is to follow from what, written down a second time. */
const EXPECTED: Array<[replies: Reply[], accepted: string, again: boolean]> = [
	[broken('getaddrinfo ENOTFOUND service.example.com', 'ENOTFOUND', 'EAI_AGAIN'), 'no', false],
	[broken(...SYSTEM_ERRORS.map((code) => `connect ${code} 192.0.2.1:8883`)), 'no', false],
	[broken('CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'CERT_REVOKED', 'CERT_UNTRUSTED'), 'no', false],
	[broken('ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'), 'no', false],
	[broken('DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'), 'no', false],
	[broken('UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), 'no', false],
	[broken(`write EPROTO ${WRONG_VERSION}`, BEFORE_TLS), 'no', false],
	[broken('The request was blocked because it resolves to a restricted IP address'), 'no', false],
	// The same words where the request may have left.
	[broken(...SYSTEM_ERRORS, ...SYSTEM_ERRORS.map((code) => `read ${code}`)), 'unknown', false],
	[broken(...SYSTEM_ERRORS.map((code) => `write ${code}`)), 'unknown', false],
	[broken(WRONG_VERSION, 'ERR_SSL_WRONG_VERSION_NUMBER', 'write EPROTO'), 'unknown', false],
	[broken('socket hang up', 'aborted', 'HPE_INVALID_CONSTANT', 'timeout', ''), 'unknown', false],
	[broken('x connect ECONNREFUSED', 'connect', 'x ENOTFOUND', 'CERT_X', 'EAI'), 'unknown', false],
	[[silence('network'), silence('timeout'), silence('tooLarge')], 'unknown', false],
	[
		[silence('timeout', 'connect ECONNREFUSED'), silence('tooLarge', 'ENOTFOUND')],
		'unknown',
		false,
	],
	[codes('000000'), 'yes', false],
	[codes('111111', '160016', '161006'), 'no', true],
	[codes(...range(160001, 160010).map(String)), 'no', true],
	[codes('160000', '160011', '160015', '160017', '160038', '161005', '161007'), 'no', false],
	[codes('111110', '111112', '160040', '999999'), 'no', false],
	[http(429), 'no', true],
	[http(300, 302, 399, 401, 403, 404, 405), 'no', false],
	[http(500, 502, 503, 504, 599), 'unknown', false],
	[http(200, 204, 299, 400, 402, 406, 428, 430, 499, 600), 'unknown', false],
];

it.each(
	EXPECTED.flatMap(([replies, ...rest]) => replies.map((reply) => [reply, ...rest] as const)),
)('%j: accepted %s, retryable %p', (reply, accepted, retryable) => {
	expect(classifyFailure(reply)).toMatchObject({ accepted, retryable });
});

it('covers every row of the table', () => {
	const replies = EXPECTED.flatMap(([each]) => each);
	const met = new Set(replies.map((reply) => FAILURES.find(({ fits }) => fits(reply))));
	expect([...met]).toEqual(expect.arrayContaining([...FAILURES]));
});

it('nothing that may have been accepted goes out again', () => {
	expect(FAILURES.filter(({ accepted, retryable }) => retryable && accepted !== 'no')).toEqual([]);
});
