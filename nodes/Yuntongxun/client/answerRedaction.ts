import type { ApiCredential } from './credential';

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
