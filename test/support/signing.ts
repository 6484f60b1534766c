import { createHmac } from 'node:crypto';

/**
 * An address as the package signs it, worked out here from the contract alone: an HMAC-SHA256 over
 * the expiry, the last two segments of the path, and the other query parameters.
 *
 * @param expires seconds since 1970
 */
export function signedUrl(url: string, authToken: string, expires: number): string {
	const { pathname, searchParams } = new URL(url);
	const signed = JSON.stringify([
		'result URL',
		String(expires),
		`/${pathname.split('/').slice(-2).join('/')}`,
		[...searchParams],
	]);
	const signature = createHmac('sha256', authToken).update(signed).digest('hex');
	return `${url}${url.includes('?') ? '&' : '?'}ytExpires=${expires}&ytSignature=${signature}`;
}
