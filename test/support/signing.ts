import { createHmac, hkdfSync } from 'node:crypto';

/**
 * An address as the package signs it, worked out here from the contract alone: an HMAC-SHA256 over
 * the expiry, the last two segments of the path, and the other query parameters, with a key that
 * HKDF derives from the account's token.
 *
 * @param expires seconds since 1970
 */
export function signedUrl(
	url: string,
	{ accountSid, authToken }: { accountSid: string; authToken: string },
	expires: number,
): string {
	const { pathname, searchParams } = new URL(url);
	const signed = JSON.stringify([
		'result URL',
		String(expires),
		`/${pathname.split('/').slice(-2).join('/')}`,
		[...searchParams],
	]);
	const label = 'n8n-nodes-yuntongxun result URLs';
	const key = Buffer.from(hkdfSync('sha256', authToken, accountSid, label, 32));
	const signature = createHmac('sha256', key).update(signed).digest('hex');
	return `${url}${url.includes('?') ? '&' : '?'}ytExpires=${expires}&ytSignature=${signature}`;
}
