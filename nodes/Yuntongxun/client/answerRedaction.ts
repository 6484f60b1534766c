import { BoundedMap } from '../util/boundedMap';
import { formatServiceTimestamp, toIsoDate } from '../util/serviceTime';
import type { WireObject } from './codec';
import type { ApiCredential } from './credential';
import { SUCCESS } from './failureTable';
import { sign } from './signing';
import { describeStatusCode } from './statusCodes';

const SECOND_MS = 1000;

/** Members that hold an ID of the service. */
const IDS = ['callSid', 'smsMessageSid', 'orderid'];

/** For how many spans of time a pattern is kept: requests of one run often share a span. */
const REMEMBERED_SPANS = 20;

/** From just before a request was signed to when its answer had come, in milliseconds since 1970. */
export interface Exchange {
	began: number;
	ended: number;
}

/** Takes secrets out of the texts of an object. */
export type Redact = (object: WireObject) => WireObject;

/**
 * Creates the redactors for the answers of an account. They take out what an answer may echo:
 * the account's token, the `sig` and the Authorization value of the request, and secrets of the
 * request itself. n8n signs the request, so its second is not known, only between which moments it
 * was.
 *
 * @returns makes the redactor of one exchange. `secrets` are those of the request, such as a
 * verification code. They are taken out of any text, with two exceptions, because a short code can
 * equal digits that belong there: in an ID or a known status code, a secret is taken out only where it
 * stands alone; a date and the code of success stay as they are.
 */
export function createRedactors(
	account: ApiCredential,
): (exchange: Exchange, secrets?: readonly string[]) => Redact {
	const patterns = new BoundedMap<string, RegExp>(REMEMBERED_SPANS);
	const getPattern = (first: number, last: number): RegExp => {
		const span = `${first} to ${last}`;
		const pattern = patterns.get(span) ?? toPattern(findSecrets(account, first, last), 'gi');
		patterns.set(span, pattern);
		return pattern;
	};

	return ({ began, ended }, secrets = []) => {
		const first = Math.floor(began / SECOND_MS) - 1;
		const last = Math.floor(ended / SECOND_MS) + 1;
		const ofAccount = getPattern(first, last);
		const ofRequest = secrets.length > 0 ? createTextRedactor(secrets) : keepText;

		return (object) => {
			const members = Object.entries(object).map(([name, value]) => [
				name,
				typeof value === 'string' ? ofRequest(name, value.replace(ofAccount, '***')) : value,
			]);
			return Object.fromEntries(members);
		};
	};
}

/** The token, and `sig` and Authorization of each of these seconds since 1970. */
function findSecrets(account: ApiCredential, first: number, last: number): string[] {
	const { accountSid, authToken } = account;
	const secrets = [authToken];
	for (let second = first; second <= last; second++) {
		const timestamp = formatServiceTimestamp(new Date(second * SECOND_MS));
		const { sig, authorization } = sign(accountSid, authToken, timestamp);
		secrets.push(sig, authorization);
	}
	return secrets;
}

const keepText = (_name: string, text: string) => text;

/** Takes secrets of a request out of a text of that name. */
function createTextRedactor(secrets: readonly string[]): (name: string, text: string) => string {
	const anywhere = toPattern(secrets);
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

/** What matches any of the texts; nothing if there are none. */
function toPattern(texts: readonly string[], flags = 'g'): RegExp {
	const escaped = texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
	return new RegExp(escaped.length > 0 ? `(?:${escaped.join('|')})` : '(?!)', flags);
}
