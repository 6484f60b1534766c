import { toIsoDate } from '../util/serviceTime';
import type { WireObject } from './codec';
import type { ApiCredential } from './credential';
import { SUCCESS } from './failureTable';
import { describeStatusCode } from './statusCodes';

/** Members that hold an ID of the service. */
const IDS = ['callSid', 'smsMessageSid', 'orderid'];

/** Members in the service's own words: no ID stands there that looks like a signature. */
const WORDS = ['statusCode', 'statusMsg'];

/** A signature behind its name, as in an address, in JSON or in words. */
const NAMED_SIGNATURE = /(\bsig\w*(?:%3[ad]|\W){1,8})[\da-f]{32}(?![\da-f])/gi;

/** What looks like a signature: upper-case MD5 with at least one letter. Specification section 5, rule 1. */
const BARE_SIGNATURE = /(?=\d*[A-F])[\dA-F]{32}/g;

/** Takes secrets out of the texts of an object. */
export type Redact = (object: WireObject) => WireObject;

/**
 * Creates the redactor of an answer. It takes out what the answer may echo: the account's token, the
 * `sig` and the Authorization value of the request, and secrets of the request itself. n8n signs the
 * request, so `sig` is known by its look only.
 *
 * @param secrets of the request, such as a verification code. They are taken out of any text, with two
 * exceptions, because a short code can equal digits that belong there: in an ID or a known status
 * code, a secret is taken out only where it stands alone; a date and the code of success stay as they
 * are.
 */
export function createRedactor(account: ApiCredential, secrets: readonly string[] = []): Redact {
	const ofAccount = buildAccountPattern(account);
	const ofRequest = secrets.length > 0 ? createTextRedactor(secrets) : keepText;

	const redactText = (name: string, text: string): string => {
		const named = text.replace(ofAccount, '***').replace(NAMED_SIGNATURE, '$1***');
		return ofRequest(name, WORDS.includes(name) ? named.replace(BARE_SIGNATURE, '***') : named);
	};
	return (object) => {
		const members = Object.entries(object).map(([name, value]) => [
			name,
			typeof value === 'string' ? redactText(name, value) : value,
		]);
		return Object.fromEntries(members);
	};
}

/**
 * The token, and the Authorization of any timestamp of this century, which always begins alike and is
 * always as long. Specification section 5, rule 3.
 */
function buildAccountPattern({ accountSid, authToken }: ApiCredential): RegExp {
	const toBase64 = (timestamp: string) =>
		Buffer.from(`${accountSid}:${timestamp}`).toString('base64');
	const examples = [toBase64('20000101000000'), toBase64('20991231235959')];
	const [first, last] = examples;
	const known = [...first].findIndex((character, position) => character !== last[position]);
	const authorization = `${escapeRegExp(first.slice(0, known))}[\\w+/=]{${first.length - known}}`;
	return new RegExp(`${escapeRegExp(authToken)}|${authorization}`, 'gi');
}

const keepText = (_name: string, text: string) => text;

/** Takes secrets of a request out of a text of that name. */
function createTextRedactor(secrets: readonly string[]): (name: string, text: string) => string {
	const anywhere = new RegExp(`(?:${secrets.map(escapeRegExp).join('|')})`, 'g');
	const alone = new RegExp(`(?<![A-Za-z0-9])${anywhere.source}(?![A-Za-z0-9])`, 'g');
	return (name, text) => {
		const trimmed = text.trim();
		if (isDateOrSuccess(name, trimmed)) return text;
		return text.replace(isIdOrKnownCode(name, trimmed) ? alone : anywhere, '***');
	};
}

function isIdOrKnownCode(name: string, text: string): boolean {
	if (name === 'statusCode') return describeStatusCode(text) !== undefined;
	return IDS.includes(name);
}

function isDateOrSuccess(name: string, text: string): boolean {
	return toIsoDate(text) !== undefined || (name === 'statusCode' && text === SUCCESS);
}

/** Writes text so that a regular expression matches it and nothing else. */
function escapeRegExp(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
