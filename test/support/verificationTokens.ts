import { createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** What tokens are made with: an account of the service. */
interface Account {
	accountSid: string;
	authToken: string;
}

/** A token as Verification Code: Send gives it, and the code that only the person gets. */
export interface IssuedCode {
	token: string;
	code: string;
}

/** A keyed hash of a token's content; the secret is one of the account's, by its purpose. */
function hash({ accountSid, authToken }: Account, purpose: string, content: string): Buffer {
	const label = `n8n-nodes-yuntongxun ${purpose}`;
	const secret = Buffer.from(hkdfSync('sha256', authToken, accountSid, label, 32));
	return createHmac('sha256', secret).update(content).digest();
}

/** The code of a token, worked out without the package. */
function findCode(account: Account, token: string): string {
	const content = token.slice(0, token.lastIndexOf('.'));
	const length = Number(content.split('.')[2]);
	const digits = BigInt(`0x${hash(account, 'verification code', content).toString('hex')}`);
	return digits.toString().slice(-length).padStart(length, '0');
}

/**
 * Makes a token without sending anything and without the package: good for ten minutes, with a code
 * of six digits unless another length is given.
 */
export function issueCode(account: Account, to: string, codeLength = 6): IssuedCode {
	const expiresAt = Math.ceil(Date.now() / 1000) + 600;
	const nonce = randomBytes(12).toString('base64url');
	const content = `v1.${expiresAt}.${codeLength}.${to.replace('+', '_')}.${nonce}`;
	const signature = hash(account, 'verification token', content).toString('base64url');
	const token = `${content}.${signature}`;
	return { token, code: findCode(account, token) };
}
