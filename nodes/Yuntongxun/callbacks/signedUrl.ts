import { createHmac, timingSafeEqual } from 'crypto';

/** Query parameters of a signed address. */
const EXPIRES = 'ytExpires';
const SIGNATURE = 'ytSignature';

/**
 * Adds an expiry and a signature to an address, since the service does not sign what it sends
 * there. The query stays byte for byte.
 *
 * @param authToken token of the account; it cannot be derived from the signature
 * @param expiresAt milliseconds since 1970
 */
export function signUrl(url: string, authToken: string, expiresAt: number): string {
	const expiring = withQuery(url, `${EXPIRES}=${Math.floor(expiresAt / 1000)}`);
	return withQuery(expiring, `${SIGNATURE}=${signatureOf(expiring, authToken)}`);
}

/**
 * Whether an address was signed with the account's token and has not expired, in constant time.
 *
 * @param url whole, or from the path on, as it arrived
 * @param now milliseconds since 1970
 */
export function isSignedUrl(url: string, authToken: string, now: number): boolean {
	const given = Buffer.from(valueOf(url, SIGNATURE));
	const made = Buffer.from(signatureOf(url, authToken));
	const isSigned = given.length === made.length && timingSafeEqual(given, made);
	return isSigned && Math.floor(now / 1000) * 1000 <= expiryOf(url);
}

/** When a signed address expires, in milliseconds since 1970. */
export function expiryOf(url: string): number {
	return Number(valueOf(url, EXPIRES)) * 1000;
}

/** Adds to the query of an address, leaving what is there as it is; drops its fragment. */
export function withQuery(url: string, more: string): string {
	const [address] = url.split('#');
	return `${address}${address.includes('?') ? '&' : '?'}${more}`;
}

/** The query of an address, whole or from the path on. */
export function queryOf(url: string): URLSearchParams {
	const [, ...query] = url.split('?');
	return new URLSearchParams(query.join('?'));
}

/** What a parameter holds; of one that is repeated something that nobody has signed. */
function valueOf(url: string, name: string): string {
	return queryOf(url).getAll(name).join();
}

/**
 * Signs the expiry, all other parameters, and the last two segments of the path: these stay as they
 * are whatever host, proxy prefix or `N8N_ENDPOINT_WEBHOOK` an address arrives with.
 */
function signatureOf(url: string, authToken: string): string {
	const [path] = url.replace(/^[a-z]+:\/\/[^/?]*/i, '').split('?');
	const segments = /(?:\/[^/]*){1,2}$/.exec(path)?.[0] ?? path;
	const others = [...queryOf(url)].filter(([name]) => name !== EXPIRES && name !== SIGNATURE);
	return createHmac('sha256', authToken)
		.update(JSON.stringify(['result URL', valueOf(url, EXPIRES), segments, others]))
		.digest('hex');
}
