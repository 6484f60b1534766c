import { createHmac, timingSafeEqual } from 'crypto';

/**
 * The service does not sign its notifications, so the address it sends them to is signed: whoever
 * does not know the account's token cannot make up an address that is taken.
 */
const EXPIRES = 'ytExpires';
const SIGNATURE = 'ytSignature';

/** Seconds since 1970 of a moment in milliseconds. */
const secondsOf = (moment: number) => Math.floor(moment / 1000);

/**
 * Adds an expiry and a signature to an address. What was there stays byte for byte; host and proxy
 * prefix are not signed, since they can differ where the notification arrives.
 *
 * @param authToken token of the account; it cannot be told from the signature
 * @param expiresAt milliseconds since 1970
 */
export function signUrl(url: string, authToken: string, expiresAt: number): string {
	const [address] = url.split('#');
	const expires = String(secondsOf(expiresAt));
	const separator = address.includes('?') ? '&' : '?';
	const signature = signatureOf(address, expires, authToken).toString('hex');
	return `${address}${separator}${EXPIRES}=${expires}&${SIGNATURE}=${signature}`;
}

/**
 * Whether an address was signed with the account's token and has not expired, in constant time.
 *
 * @param url whole, or from the path on, as it arrived
 * @param now milliseconds since 1970
 */
export function isSignedUrl(url: string, authToken: string, now: number): boolean {
	const query = queryOf(url);
	const [expires, ...moreExpires] = query.getAll(EXPIRES);
	const [signature, ...moreSignatures] = query.getAll(SIGNATURE);
	if (moreExpires.length + moreSignatures.length > 0 || !/^\d{1,12}$/.test(expires ?? '')) {
		return false;
	}
	const expected = signatureOf(url, expires, authToken);
	return (
		/^[0-9a-f]{64}$/.test(signature ?? '') &&
		timingSafeEqual(Buffer.from(signature, 'hex'), expected) &&
		secondsOf(now) <= Number(expires)
	);
}

/** When a signed address expires, in milliseconds since 1970. */
export function expiryOf(url: string): number {
	return Number(queryOf(url).get(EXPIRES)) * 1000;
}

function signatureOf(url: string, expires: string, authToken: string): Buffer {
	const others = [...queryOf(url)].filter(([name]) => name !== EXPIRES && name !== SIGNATURE);
	return createHmac('sha256', authToken)
		.update(JSON.stringify(['result URL', expires, signedPathOf(url), others]))
		.digest();
}

function queryOf(url: string): URLSearchParams {
	const start = url.indexOf('?');
	return new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
}

/** The path from n8n's webhook segment on: what stands before it belongs to proxies. */
function signedPathOf(url: string): string {
	const [path] = url.replace(/^[a-z]+:\/\/[^/?]*/i, '').split('?');
	return /^.*(\/webhook(?:-test|-waiting)?\/.*)$/.exec(path)?.[1] ?? path;
}
