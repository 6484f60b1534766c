import { toIsoDate, toTimestamp } from '../util/serviceTime';
import type { ApiCredential } from './credential';
import { SUCCESS } from './classifyFailure';
import type { WireObject } from './codec';
import { sign } from './signing';

const SECOND_MS = 1000;

/**
 * Makes what takes secrets out of an answer that echoes them: the account's token, the signature
 * and the Authorization value of the request, and secrets of the request itself.
 *
 * @param began when the request began, in milliseconds since 1970; it was signed soon after
 * @param secrets such as a verification code: outside `statusMsg` they count only where they stand
 * alone, since ids may hold the same digits, and never in a date or the code of success
 */
export function createRedactor(
	{ accountSid, authToken }: ApiCredential,
	began: number,
	secrets: readonly string[] = [],
): (object: WireObject) => WireObject {
	// Base64 turns three bytes into four characters, so the beginning is the same in this century.
	const known = Buffer.from(`${accountSid}:20`);
	const prefix = known.subarray(0, known.length - (known.length % 3)).toString('base64');
	const authorization = `${escaped(prefix)}[\\w+/=-]*`;
	const anywhere = secrets.map(escaped);
	const alone = anywhere.map((secret) => `(?<![A-Za-z0-9])${secret}(?![A-Za-z0-9])`);
	const redact = (name: string, text: string): string => {
		const signatures = /[\dA-F]{32}/i.test(text) ? signaturesSince(began) : [];
		const told = text.trim();
		const isOwn = toIsoDate(told) !== undefined || (name === 'statusCode' && told === SUCCESS);
		const exact = [authorization, ...(name === 'statusMsg' ? anywhere : isOwn ? [] : alone)];
		return [escaped(authToken), ...signatures]
			.reduce((left, each) => left.replace(new RegExp(each, 'gi'), '***'), text)
			.replace(new RegExp(exact.join('|'), 'g'), '***');
	};
	/** What the request may have been signed with, a second before or after it included. */
	const signaturesSince = (start: number): string[] => {
		const seconds = Math.floor((Date.now() - start) / SECOND_MS) + 3;
		return Array.from({ length: seconds }, (_, at) => {
			const moment = new Date(start + (at - 1) * SECOND_MS);
			return sign(accountSid, authToken, toTimestamp(moment)).sig;
		});
	};
	return (object) =>
		Object.fromEntries(
			Object.entries(object).map(([name, value]) => [
				name,
				typeof value === 'string' ? redact(name, value) : value,
			]),
		);
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
