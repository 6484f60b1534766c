import type { ServiceAccount } from './account';
import { toTimestamp } from './serviceTime';
import { sign } from './signing';
import type { WireObject } from './wireObject';

const REDACTED = '***';

/** A signature that is echoed was made at most so long before or after its request, in milliseconds. */
const SECOND_MS = 1000;

/**
 * Makes what takes secrets out of an answer that echoes them: the account's token, the signature
 * and the Authorization value of the request, and secrets of the request itself.
 *
 * @param began when the request began, in milliseconds since 1970; it was signed soon after
 * @param secrets such as a verification code: outside `statusMsg` they count only where they stand
 * alone, since ids and dates may hold the same digits
 */
export function createRedactor(
	{ accountSid, authToken }: ServiceAccount,
	began: number,
	secrets: readonly string[] = [],
): (object: WireObject) => WireObject {
	// Base64 turns three bytes into four characters, so the beginning is the same at any time.
	const prefix = Buffer.from(`${accountSid}:`).subarray(
		0,
		3 * Math.floor((accountSid.length + 1) / 3),
	);
	const authorization = new RegExp(`${escaped(prefix.toString('base64'))}[\\w+/=-]*`, 'g');
	const token = new RegExp(escaped(authToken), 'gi');
	const anywhere = secrets.map((secret) => new RegExp(escaped(secret), 'g'));
	const alone = secrets.map(
		(secret) => new RegExp(`(?<![A-Za-z0-9])${escaped(secret)}(?![A-Za-z0-9])`, 'g'),
	);
	const redact = (text: string, own: readonly RegExp[]): string => {
		const plain = [authorization, token, ...own].reduce(
			(left, each) => left.replace(each, REDACTED),
			text,
		);
		if (!SIGNATURE_LIKE.test(plain)) return plain;
		const signatures = signaturesSince(accountSid, authToken, began);
		return plain.replace(SIGNATURES_LIKE, (found) =>
			signatures.has(found.toUpperCase()) ? REDACTED : found,
		);
	};
	return (object) =>
		Object.fromEntries(
			Object.entries(object).map(([name, value]) => [
				name,
				typeof value === 'string' ? redact(value, name === 'statusMsg' ? anywhere : alone) : value,
			]),
		);
}

const SIGNATURE_LIKE = /[\dA-F]{32}/i;
const SIGNATURES_LIKE = /[\dA-F]{32}/gi;

/** What the request may have been signed with until now, one a second. */
function signaturesSince(accountSid: string, authToken: string, began: number): Set<string> {
	const signatures = new Set<string>();
	for (let time = began - SECOND_MS; time <= Date.now() + SECOND_MS; time += SECOND_MS) {
		signatures.add(sign(accountSid, authToken, toTimestamp(new Date(time))).sig);
	}
	return signatures;
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
