import { createHmac } from 'crypto';

import { deriveKey, equalsSecret } from '../client/credential';
import type { SigningAccount } from '../client/credential';

/** Query parameters of a signed address. */
const EXPIRES = 'ytExpires';
const SIGNATURE = 'ytSignature';

/** How long a signed address is good for, in milliseconds, unless a wait needs another time. */
export const SIGNED_URL_LIFETIME_MS = 24 * 60 * 60_000;

/** An address that may be signed, read once. */
export interface SignedUrl {
	/** As it arrived: whole, or from the path on. */
	readonly url: string;
	readonly query: URLSearchParams;
	/** Milliseconds since 1970; 0 without an expiry, NaN if it is no single number. */
	readonly expiresAt: number;
	/** Empty if it has none. */
	readonly signature: string;
	/** What a signature covers. */
	readonly signedText: string;
}

/** Reads an address, whole or from the path on. */
export function parseSignedUrl(url: string): SignedUrl {
	const [address, ...rest] = url.split('?');
	const query = new URLSearchParams(rest.join('?'));
	const expires = getValue(query, EXPIRES);
	return {
		url,
		query,
		expiresAt: Number(expires) * 1000,
		signature: getValue(query, SIGNATURE),
		signedText: getSignedText(address, query, expires),
	};
}

/**
 * Adds an expiry and a signature to an address, since the service is not known to sign what
 * it sends there. The query stays byte for byte.
 *
 * @param account its token cannot be worked out from the signature
 * @param expiresAt milliseconds since 1970
 */
export function signUrl(url: string, account: SigningAccount, expiresAt: number): string {
	const expiring = withQuery(url, `${EXPIRES}=${Math.floor(expiresAt / 1000)}`);
	const signature = getSignature(parseSignedUrl(expiring), account);
	return withQuery(expiring, `${SIGNATURE}=${signature}`);
}

/**
 * Whether the account signed an address that has not expired, compared in constant time.
 *
 * @param now milliseconds since 1970
 */
export function isSigned(address: SignedUrl, account: SigningAccount, now: number): boolean {
	const isMatch = equalsSecret(address.signature, getSignature(address, account));
	return isMatch && Math.floor(now / 1000) * 1000 <= address.expiresAt;
}

/** Adds to the query of an address, leaving what is there as it is; drops its fragment. */
export function withQuery(url: string, more: string): string {
	const [address] = url.split('#');
	return `${address}${address.includes('?') ? '&' : '?'}${more}`;
}

/**
 * A parameter's value; empty if it is missing. A repeated one is joined with commas, which no
 * signature of ours covers.
 */
function getValue(query: URLSearchParams, name: string): string {
	return query.getAll(name).join();
}

/**
 * The expiry, all other parameters, and the last two segments of the path: these stay as they are
 * whatever host, proxy prefix or `N8N_ENDPOINT_WEBHOOK` an address arrives with.
 */
function getSignedText(address: string, query: URLSearchParams, expires: string): string {
	const path = address.replace(/^[a-z]+:\/\/[^/?]*/i, '');
	const segments = /(?:\/[^/]*){1,2}$/.exec(path)?.[0] ?? path;
	const others = [...query].filter(([name]) => name !== EXPIRES && name !== SIGNATURE);
	return JSON.stringify(['result URL', expires, segments, others]);
}

function getSignature({ signedText }: SignedUrl, account: SigningAccount): string {
	return createHmac('sha256', deriveKey(account, 'result URLs')).update(signedText).digest('hex');
}
