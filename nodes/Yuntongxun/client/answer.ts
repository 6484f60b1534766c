import { translate } from '../language/translate';
import { decode, getTextMember, isWireObject } from './codec';
import type { WireObject, WireValue } from './codec';
import type { ApiCredential } from './credential';
import { toServiceFailure } from './failure';
import { SUCCESS } from './failureTable';
import type { Answer, Endpoint } from './request';
import type { HttpAnswer } from './transport';

/** Codes that a sandbox credential gets from production, and the other way round. */
const NAMES_BASE_URL = new Set(['111109', '111141', '111143']);

/** The most of a code that is shown; the service's own have six digits. */
const MAX_CODE_LENGTH = 100;

/** The most of the service's words that is shown. */
const MAX_STATUS_MSG_LENGTH = 1000;

/**
 * Reads what came back: an answer of the service is one well-formed object with a text as its
 * `statusCode`. Everything else is an answer nobody can read. Specification sections 4 and 7.
 *
 * @param redact takes secrets out of the service's words
 * @throws ServiceFailure unless it is a success with all that is essential
 */
export function readAnswer(
	{ status, text }: HttpAnswer,
	endpoint: Endpoint,
	account: ApiCredential,
	redact: (words: string) => string,
): Answer {
	const content = parseContent(text);
	const statusCode = readCode(content, redact);
	if (statusCode === '')
		throw toServiceFailure({ kind: 'unreadable', httpStatus: status }, endpoint);
	if (statusCode !== SUCCESS) {
		throw toServiceFailure({ kind: 'statusCode', statusCode }, endpoint, {
			statusMsg: redact(getTextMember(content, 'statusMsg')).slice(0, MAX_STATUS_MSG_LENGTH),
			note: NAMES_BASE_URL.has(statusCode)
				? translate('The Base URL in use is {origin}.', { origin: account.baseUrl.origin })
				: undefined,
		});
	}

	const results = findResults(content, endpoint);
	const records = results.filter(isWireObject);
	const getText = (name: string) =>
		name === 'statusCode'
			? statusCode
			: findText(records[0] ?? {}, name) || findText(content, name);
	const answer: Answer = { statusCode, text: getText, records };
	const missing =
		endpoint.needsMember && results.length === 0
			? translate('the result')
			: findMissingField(answer, endpoint);
	if (missing === undefined) return answer;

	const summary = translate('The service reports success, but its answer lacks {missing}', {
		missing,
	});
	throw toServiceFailure({ kind: 'statusCode', statusCode }, endpoint, { summary });
}

/** The code; what is none of the service's six digits can be any words. */
function readCode(content: WireObject, redact: (words: string) => string): string {
	const code = getTextMember(content, 'statusCode');
	return /^\d{6}$/.test(code) ? code : redact(code).slice(0, MAX_CODE_LENGTH);
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

/** The essential field that is missing; undefined if the answer is complete. */
function findMissingField(
	{ text, records }: Answer,
	{ essential, essentialShape = /./s, essentialOfEach: each }: Endpoint,
): string | undefined {
	if (essential !== undefined && !essentialShape.test(text(essential))) return essential;
	if (each !== undefined && records.some((record) => getTextMember(record, each) === '')) {
		return each;
	}
	return undefined;
}
