import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomInt } from 'node:crypto';

/*
 * What the package seals, worked out here from the contract alone: AES-256-GCM with a key that HKDF derives
 * from the account's token, over the expiry in seconds (four bytes) and the payload. In an address purpose and
 * the last two segments of the path, decoded, are authenticated, in the token of a code its purpose.
 */

export interface Account {
	accountSid: string;
	authToken: string;
}

const getKey = ({ accountSid, authToken }: Account, what: string) =>
	Buffer.from(hkdfSync('sha256', authToken, accountSid, `n8n-nodes-yuntongxun ${what}`, 32));

/** Seals a payload. @param what the key is for @param expires seconds since 1970 */
function sealBytes(
	account: Account,
	what: string,
	authenticated: Buffer,
	expires: number,
	payload: Buffer,
): string {
	const iv = randomBytes(12);
	const expiry = Buffer.alloc(4);
	expiry.writeUInt32BE(expires);
	const cipher = createCipheriv('aes-256-gcm', getKey(account, what), iv);
	cipher.setAAD(authenticated);
	const text = Buffer.concat([cipher.update(Buffer.concat([expiry, payload])), cipher.final()]);
	return Buffer.concat([iv, text, cipher.getAuthTag()]).toString('base64url');
}

/** Opens what was sealed. @throws if the account cannot open it */
function openBytes(account: Account, what: string, authenticated: Buffer, sealed: string) {
	const bytes = Buffer.from(sealed, 'base64url');
	const decipher = createDecipheriv('aes-256-gcm', getKey(account, what), bytes.subarray(0, 12));
	decipher.setAAD(authenticated);
	decipher.setAuthTag(bytes.subarray(-16));
	const text = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
	return { expires: text.readUInt32BE(0), payload: text.subarray(4) };
}

const getAuthenticated = (url: string, purpose: string) => {
	const { pathname } = new URL(url, 'https://n8n.example.com');
	const segments = pathname.split('/').filter((segment) => segment !== '');
	return Buffer.from(JSON.stringify([purpose, ...segments.slice(-2).map(decodeURIComponent)]));
};

/** Adds a token for starting to an address without a query. @param expires seconds since 1970 */
export function sealUrl(url: string, account: Account, { expires }: { expires: number }): string {
	const authenticated = getAuthenticated(url, 'start');
	return `${url}?yt=start.${sealBytes(account, 'addresses', authenticated, expires, Buffer.alloc(0))}`;
}

/** What the token of an address holds. @throws if the account cannot open it */
export function openUrl(url: string, account: Account) {
	const [purpose, sealed] = (
		new URL(url, 'https://n8n.example.com').searchParams.get('yt') ?? ''
	).split('.');
	const authenticated = getAuthenticated(url, purpose);
	return { purpose, ...openBytes(account, 'addresses', authenticated, sealed) };
}

/** The resume address, without n8n's base, sealed in the address that the service reports to. */
export function openResumeAddress(url: string, account: Account): string {
	const { payload } = openUrl(url, account);
	const wait = `ytWait=${payload.subarray(0, 16).toString('base64url')}`;
	// n8n 2 has a token of 32 bytes, which go as they are.
	const tokenEnd = 17 + payload[16];
	const id = payload.subarray(tokenEnd).toString();
	const hex = payload.subarray(17, tokenEnd).toString('hex');
	const token = hex === '' ? '' : `signature=${hex}&`;
	return `${id}/yuntongxun-result?${token}${wait}`;
}

/**
 * Makes a token as Verification Code: Send does, and its code, without sending anything and without the package:
 * good for ten minutes, with a code of six digits unless another length is given.
 */
export function issueCode(
	account: Account,
	to: string,
	codeLength = 6,
	{ purpose = 'code', expires = Math.ceil(Date.now() / 1000) + 600 } = {},
) {
	const code = Array.from({ length: codeLength }, () => randomInt(10)).join('');
	const content = JSON.stringify({ to, code, id: randomBytes(9).toString('base64url') });
	const aad = Buffer.from(purpose);
	const sealed = sealBytes(account, 'codes', aad, expires, Buffer.from(content));
	return { token: `${purpose}.${sealed}`, code };
}

/** What a token holds, opened without the package. */
export function openCode(account: Account, token: string) {
	const [purpose, sealed] = token.split('.');
	const { expires, payload } = openBytes(account, 'codes', Buffer.from(purpose), sealed);
	const content = JSON.parse(payload.toString()) as { to: string; code: string; id: string };
	return { purpose, expires, ...content };
}
