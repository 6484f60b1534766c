import { randomBytes, randomInt } from 'node:crypto';

import { openBytes, sealBytes } from './sealing';
import type { Account } from './sealing';

/** A token as Verification Code: Send gives it, and the code that only the person gets. */
export interface IssuedCode {
	token: string;
	code: string;
}

/**
 * Makes a token without sending anything and without the package: good for ten minutes, with a code
 * of six digits unless another length is given.
 */
export function issueCode(
	account: Account,
	to: string,
	codeLength = 6,
	{ purpose = 'code', expires = Math.ceil(Date.now() / 1000) + 600 } = {},
): IssuedCode {
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
