import { createHmac, timingSafeEqual } from 'crypto';

/** Query parameters that are added to a signed address. */
const EXPIRES = 'ytExpires';
const SIGNATURE = 'ytSignature';

/** Seconds since 1970 of a moment in milliseconds. */
const secondsOf = (moment: number) => Math.floor(moment / 1000);

/**
 * Adds an expiry and a signature to an address, since the service does not sign what it sends
 * there. The query stays byte for byte. Host and proxy prefix are not signed: they can differ
 * where the call event arrives.
 *
 * @param authToken token of the account; it cannot be told from the signature
 * @param expiresAt milliseconds since 1970
 */
export function signUrl(url: string, authToken: string, expiresAt: number): string {
	const [address] = url.split('#');
	const expires = String(secondsOf(expiresAt));
	const signature = signatureOf(address, expires, authToken).toString('hex');
	return withQuery(address, `${EXPIRES}=${expires}&${SIGNATURE}=${signature}`);
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
	if (!/^[0-9a-f]{64}$/.test(signature ?? '') || secondsOf(now) > Number(expires)) return false;
	const given = Buffer.from(signature, 'hex');
	return timingSafeEqual(given, signatureOf(url, expires, authToken));
}

/** When a signed address expires, in milliseconds since 1970. */
export function expiryOf(url: string): number {
	return Number(queryOf(url).get(EXPIRES)) * 1000;
}

/** An address without its expiry and signature, and without the named parameters. */
export function unsignedUrl(url: string, ...others: string[]): string {
	const [path, ...query] = url.split('?');
	const left = query
		.join('?')
		.split('&')
		.filter((part) => ![EXPIRES, SIGNATURE, ...others].includes(part.split('=')[0]));
	return left.join('') === '' ? path : `${path}?${left.join('&')}`;
}

/** Adds to the query of an address, leaving what is there as it is. */
export function withQuery(url: string, more: string): string {
	return `${url}${url.includes('?') ? '&' : '?'}${more}`;
}

/** The query of an address, whole or from the path on. */
export function queryOf(url: string): URLSearchParams {
	const start = url.indexOf('?');
	return new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
}

function signatureOf(url: string, expires: string, authToken: string): Buffer {
	const others = [...queryOf(url)].filter(([name]) => name !== EXPIRES && name !== SIGNATURE);
	return createHmac('sha256', authToken)
		.update(JSON.stringify(['result URL', expires, signedPathOf(url), others]))
		.digest();
}

/**
 * The part of a path that carries the signature: the last two segments. They stay as they are
 * whatever n8n's own segments are called (`N8N_ENDPOINT_WEBHOOK`), and whatever prefix a proxy adds
 * or strips.
 */
function signedPathOf(url: string): string {
	const [path] = url.replace(/^[a-z]+:\/\/[^/?]*/i, '').split('?');
	return /(?:\/[^/]*){1,2}$/.exec(path)?.[0] ?? path;
}
