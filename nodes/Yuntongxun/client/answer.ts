import { decode, getTextMember, isWireObject } from './codec';
import type { WireObject, WireValue } from './codec';
import type { ApiCredential } from './credential';
import { SUCCESS, toServiceFailure } from './failureTable';
import type { Answer, Endpoint } from './request';

/** The most of the service's code and words that is shown. */
const MAX_SHOWN = 1000;

/**
 * Reads what came back: an answer of the service is one well-formed object with a text as its
 * `statusCode`. Everything else is an answer nobody can read. Specification sections 4 and 7.
 *
 * @param text of the answer
 * @param httpStatus of the answer
 * @param redact takes secrets out of the service's words
 * @throws ServiceFailure unless it is a success with all that is essential
 */
export function readAnswer(
	text: string,
	httpStatus: number,
	endpoint: Endpoint,
	redact: (words: string) => string,
): Answer {
	const content = parseContent(text);
	const statusCode = readCode(content, redact);
	if (statusCode === '') throw toServiceFailure({ kind: 'unreadable', httpStatus }, endpoint);
	if (statusCode !== SUCCESS) {
		const statusMsg = redact(getTextMember(content, 'statusMsg')).slice(0, MAX_SHOWN);
		throw toServiceFailure({ kind: 'statusCode', statusCode }, endpoint, statusMsg);
	}

	const results = findResults(content, endpoint);
	const records = results.filter(isWireObject);
	const getText = (name: string) =>
		name === 'statusCode'
			? statusCode
			: findText(records[0] ?? {}, name) || findText(content, name);
	const answer: Answer = { statusCode, text: getText, records };
	const hasMember = !endpoint.needsMember || results.length > 0;
	if (hasMember && isComplete(answer, endpoint)) return answer;
	throw toServiceFailure({ kind: 'statusCode', statusCode }, endpoint);
}

/**
 * The status code. Six digits are the service's, even if a code that was sent has the same; anything else could
 * quote a secret, so it is redacted.
 */
function readCode(content: WireObject, redact: (words: string) => string): string {
	const code = getTextMember(content, 'statusCode');
	return /^\d{6}$/.test(code) ? code : redact(code).slice(0, MAX_SHOWN);
}

/** The members of an answer; none if nobody can read it, or its `statusCode` is no text. */
function parseContent(text: string): WireObject {
	try {
		return decode(text, 'Response', 'statusCode');
	} catch {
		return {};
	}
}

/** A text by its name, in any case of letters if not in that one: `orderid` is `orderId` as well. */
function findText(object: WireObject, name: string): string {
	const wanted = name.toLowerCase();
	const other = Object.keys(object).find((each) => each.toLowerCase() === wanted) ?? name;
	return getTextMember(object, name) || getTextMember(object, other);
}

/** The member's name differs in case between the formats. It holds one object, a list, or nothing. */
function findResults(content: WireObject, { root = '', members = [root] }: Endpoint): WireValue[] {
	const wanted = new Set(members.map((name) => name.toLowerCase()));
	const found = Object.entries(content).filter(([name]) => wanted.has(name.toLowerCase()));
	return found.flatMap(([, value]) => value);
}

/** Whether an answer has every essential field. */
function isComplete(
	{ text, records }: Answer,
	{ essential, essentialShape = /./s, essentialOfEach: each }: Endpoint,
): boolean {
	if (essential !== undefined && !essentialShape.test(text(essential))) return false;
	return each === undefined || records.every((record) => getTextMember(record, each) !== '');
}

/** What looks like a signature: MD5 with at least one letter, perhaps behind %3D. Specification section 5, rule 1. */
const SIGNATURE = /(?=\d*[A-F])[\dA-F]{32,}/gi;

/**
 * Takes secrets out of the service's own words, which may quote the request: the account's token, the
 * `sig` and the Authorization value, and secrets of the request itself. n8n signs the request, so `sig`
 * is known by its look only.
 *
 * @param secrets of the request, such as a verification code
 */
export function redact(
	words: string,
	account: ApiCredential,
	secrets: readonly string[] = [],
): string {
	const known = [account.authToken, ...secrets].map(escapeRegExp);
	const pattern = new RegExp([...known, buildAuthorizationPattern(account)].join('|'), 'gi');
	return words.replace(pattern, '***').replace(SIGNATURE, '***');
}

/** The Authorization of any timestamp of this century begins alike. Specification section 5, rule 3. */
function buildAuthorizationPattern({ accountSid }: ApiCredential): string {
	const beginning = Buffer.from(`${accountSid}:20`).toString('base64').replace(/=+$/, '');
	// The bits of the last character belong to the next byte as well.
	return `${escapeRegExp(beginning.slice(0, -1))}[\\w+/=]*`;
}

/** Writes text so that a regular expression matches it and nothing else. */
function escapeRegExp(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
