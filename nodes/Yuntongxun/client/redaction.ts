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
	// Base64 turns three bytes into four characters, so the beginning is the same in this century.
	const known = Buffer.from(`${accountSid}:20`);
	const prefix = known.subarray(0, known.length - (known.length % 3)).toString('base64');
	const authorization = new RegExp(`${escaped(prefix)}[\\w+/=-]*`, 'g');
	const token = new RegExp(escaped(authToken), 'gi');
	const anywhere = secrets.map((secret) => new RegExp(escaped(secret), 'g'));
	const alone = secrets.map(
		(secret) => new RegExp(`(?<![A-Za-z0-9])${escaped(secret)}(?![A-Za-z0-9])`, 'g'),
	);
	const redact = (text: string, own: readonly RegExp[]): string => {
		const signatures = SIGNATURE_LIKE.test(text)
			? signaturesSince(accountSid, authToken, began)
			: [];
		return [authorization, token, ...signatures, ...own].reduce(
			(left, each) => left.replace(each, REDACTED),
			text,
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

/** What the request may have been signed with until now, one a second. */
function signaturesSince(accountSid: string, authToken: string, began: number): RegExp[] {
	const signatures: RegExp[] = [];
	for (let time = began - SECOND_MS; time <= Date.now() + SECOND_MS; time += SECOND_MS) {
		signatures.push(new RegExp(sign(accountSid, authToken, toTimestamp(new Date(time))).sig, 'gi'));
	}
	return signatures;
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
