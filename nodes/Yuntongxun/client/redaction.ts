import { formatServiceTimestamp, toIsoDate } from '../util/serviceTime';
import { SUCCESS } from './classifyFailure';
import type { WireObject } from './codec';
import type { ApiCredential } from './credential';
import { sign } from './signing';

const SECOND_MS = 1000;

/** From just before a request was signed to when its answer had come, in milliseconds since 1970. */
export interface Exchange {
	began: number;
	ended: number;
}

/**
 * Makes what takes secrets out of an answer that echoes them: the account's token, the `sig` and
 * the Authorization value of the request, and secrets of the request itself. n8n signs the request,
 * so its second is not known, only between which moments it was.
 *
 * @param secrets such as a verification code: outside `statusMsg` they count only where they stand
 * alone, since ids may hold the same digits, and never in a date or the code of success
 */
export function createRedactor(
	account: ApiCredential,
	exchange: Exchange,
	secrets: readonly string[] = [],
): (object: WireObject) => WireObject {
	const ofAccount = toPattern([account.authToken, ...findSignatures(account, exchange)], 'gi');
	const anywhere = toPattern(secrets);
	const alone = new RegExp(`(?<![A-Za-z0-9])${anywhere.source}(?![A-Za-z0-9])`, 'g');

	const redactText = (name: string, text: string): string => {
		const left = text.replace(ofAccount, '***');
		if (name === 'statusMsg') return left.replace(anywhere, '***');
		return isDateOrSuccess(name, text.trim()) ? left : left.replace(alone, '***');
	};

	return (object) => {
		const members = Object.entries(object).map(([name, value]) => [
			name,
			typeof value === 'string' ? redactText(name, value) : value,
		]);
		return Object.fromEntries(members);
	};
}

/** `sig` and Authorization of each second in which the request can have been signed. */
function findSignatures(account: ApiCredential, { began, ended }: Exchange): string[] {
	const values: string[] = [];
	for (let moment = began - SECOND_MS; moment <= ended + SECOND_MS; moment += SECOND_MS) {
		const timestamp = formatServiceTimestamp(new Date(moment));
		const { sig, authorization } = sign(account.accountSid, account.authToken, timestamp);
		values.push(sig, authorization);
	}
	return values;
}

function isDateOrSuccess(name: string, text: string): boolean {
	return toIsoDate(text) !== undefined || (name === 'statusCode' && text === SUCCESS);
}

/** What matches any of the texts; nothing if there are none. */
function toPattern(texts: readonly string[], flags = 'g'): RegExp {
	const escaped = texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
	return new RegExp(escaped.length > 0 ? `(?:${escaped.join('|')})` : '(?!)', flags);
}
