import { gzipSync } from 'node:zlib';
import type { Alteration, FaultEffect } from '../../../simulator/index';
import { ELSEWHERE, type Consequence, type DeadAddress, type MatrixFault } from './fault';

const MEGABYTE = 1024 * 1024;

const unreachable = (name: string, address: DeadAddress, says: RegExp): MatrixFault => ({
	name,
	strikes: { kind: 'address', address },
	then: 'no',
	says,
});

type Http = Omit<Extract<FaultEffect, { kind: 'http' }>, 'kind'>;

/** An HTTP answer in the place of the service's, though the request was accepted. */
const answered = (
	name: string,
	http: Http,
	then: Consequence,
	says: RegExp,
	accept = true,
): MatrixFault => ({
	name,
	strikes: { kind: 'effect', effect: { kind: 'http', ...http }, accept },
	then,
	says,
});

const NEVER = /(?!)/;
const UNREADABLE = /cannot be read/;
const CERTIFICATE = /certificate is not valid/;

/** The service's own answer to an accepted request, after something became of it. */
const mangled = (name: string, altered: Alteration, then: Consequence, says = UNREADABLE) =>
	answered(name, { altered }, then, then === 'success' ? NEVER : says);

const page = (status: number): Http => ({
	status,
	body: `<!DOCTYPE html><html><head><title>${status}</title></head><body>Sorry<br></body></html>`,
	contentType: 'text/html',
});

/** Something else than the service answers, in whose place nothing is accepted. */
const gate = (status: number, says: RegExp): MatrixFault =>
	answered(`HTTP ${status} with a page`, page(status), 'no', says, false);

/** The service breaks the connection off, or says nothing. */
const broken = (name: string, kind: 'reset' | 'silence', accept: boolean): MatrixFault => ({
	name,
	strikes: { kind: 'effect', effect: { kind }, accept },
	then: 'unknown',
	says: kind === 'silence' ? /in time/ : /connection broke/,
	isSlow: kind === 'silence',
});

/** A refusal of the service's own. */
const refused = (statusCode: string): MatrixFault => ({
	name: `Code ${statusCode}`,
	strikes: { kind: 'effect', effect: { kind: 'statusCode', statusCode }, accept: false },
	then: 'no',
	says: new RegExp(`\\(code ${statusCode}\\)\\. \\S`),
	statusCode,
});

/**
 * Everything that can go wrong on the way to the service and back, with what has to come of it. Answers of
 * an enemy are refused by test/unit/client/decode.test.ts.
 */
export const FAULTS: readonly MatrixFault[] = [
	unreachable('Nobody listens at the address', 'nobodyListens', /cannot be reached/),
	unreachable('The name of the address does not exist', 'unknownName', /not known/),
	unreachable('The certificate has expired', 'expiredCertificate', CERTIFICATE),
	unreachable('The certificate is for another host', 'certificateOfAnotherHost', CERTIFICATE),
	unreachable('The certificate is from an unknown issuer', 'certificateOfNobody', CERTIFICATE),
	unreachable('The address speaks without encryption', 'noEncryption', /encrypted connection/),
	unreachable(
		'The connection is closed before it is encrypted',
		'closedWhileConnecting',
		/encrypted connection/,
	),
	{
		// Node.js reports it just as a reset after the request has left.
		...unreachable(
			'The connection is reset before it is encrypted',
			'resetWhileConnecting',
			/broke/,
		),
		then: 'unknown',
	},

	broken('Connection reset before the service accepts', 'reset', false),
	broken('Connection reset after the service accepted', 'reset', true),
	broken('No answer, and nothing accepted', 'silence', false),
	broken('No answer, though it was accepted', 'silence', true),
	{
		...answered('The answer drips in byte by byte', { dripMs: 1000 }, 'unknown', /in time/),
		isSlow: true,
	},

	...[301, 302, 303, 307, 308].map((status) =>
		answered(
			`HTTP ${status} to another host`,
			{ ...page(status), headers: { Location: `https://${ELSEWHERE}/2013-12-26/AccountInfo` } },
			'no',
			new RegExp(`redirects to another one \\(HTTP ${status}\\)`),
			false,
		),
	),
	answered('HTTP 204', { status: 204 }, 'unknown', UNREADABLE),
	gate(401, /another login \(HTTP 401\)/),
	gate(403, /does not let this n8n in \(HTTP 403\)/),
	gate(404, /no such service .*\(HTTP 404\)/),
	{ ...gate(429, /no more requests .*\(HTTP 429\)/), isLoad: true },
	...[500, 502, 503, 504].map((status) =>
		answered(
			`HTTP ${status} with a page`,
			page(status),
			'unknown',
			new RegExp(`could not answer \\(HTTP ${status}\\)`),
		),
	),
	...[201, 302, 401, 404, 500].map((status) =>
		answered(
			`HTTP ${status} with the answer of a success`,
			{ status, headers: { Location: '/elsewhere' } },
			'success',
			NEVER,
		),
	),
	answered('An answer in chunks', { chunked: true }, 'success', NEVER),
	answered('An answer byte by byte, quickly', { dripMs: 1 }, 'success', NEVER),

	answered('Empty body', { body: '' }, 'unknown', UNREADABLE),
	answered('The connection ends in the body', { cutAfter: 20 }, 'unknown', /connection broke/),
	mangled('Half of the body', 'half', 'unknown'),
	mangled('JSON with a stray comma, XML with crossed tags', 'crossed', 'unknown'),
	mangled('Something behind the answer', 'trailing', 'unknown'),

	answered('Labelled as a picture', { contentType: 'image/png' }, 'success', NEVER),
	answered('Labelled as the other format', { contentType: 'text/xml' }, 'success', NEVER),
	answered('No label', { contentType: '' }, 'success', NEVER),
	mangled('A byte order mark', 'byteOrderMark', 'success'),
	answered(
		'Compressed, and labelled so',
		{ altered: 'compressed', headers: { 'Content-Encoding': 'gzip' } },
		'success',
		NEVER,
	),
	mangled('Compressed without a label', 'compressed', 'unknown'),
	answered(
		'Labelled as compressed, but plain',
		{ headers: { 'Content-Encoding': 'gzip' } },
		'unknown',
		/connection broke/,
	),
	answered(
		'A label that names another character set',
		{ contentType: 'application/json;charset=gbk' },
		'success',
		NEVER,
	),
	mangled('Bytes of another character set in a field nobody needs', 'foreignBytes', 'success'),
	mangled('All of it in UTF-16', 'utf16', 'unknown'),

	mangled('Well-formed, but the answer is in a list', 'inAList', 'unknown'),
	mangled('Well-formed, but the status is an object', 'statusInside', 'unknown'),
	mangled('000000 without a result', 'statusAlone', 'noResult', /its answer lacks/),
	mangled('000000 with a result of blanks', 'withoutValues', 'noResult', /its answer lacks/),

	answered('A body of 50 MB', { megabytes: 50 }, 'unknown', /too long/),
	answered(
		'A few bytes that unfold to 64 MB',
		{
			body: gzipSync(Buffer.alloc(64 * MEGABYTE, ' ')),
			contentType: 'application/json',
			headers: { 'Content-Encoding': 'gzip' },
		},
		'unknown',
		/too long/,
	),
	mangled('Nested 100 deep', 'deep', 'unknown'),
	mangled('Nested 10,000 deep', 'veryDeep', 'unknown'),
	{
		...mangled('Fields named __proto__ and constructor beside it', 'prototypeKeys', 'success'),
		// The XML parser takes no such names, which leaves an answer that nobody reads.
		inXml: { then: 'unknown', says: UNREADABLE },
	},
	mangled('The answer in a field named __proto__', 'inPrototype', 'unknown'),

	// What each code is, is decided by test/unit/client/failureTable.test.ts, and each strange answer by
	// client.test.ts beside it.
	refused('112349'),
	{ ...refused('111111'), isLoad: true },
];
