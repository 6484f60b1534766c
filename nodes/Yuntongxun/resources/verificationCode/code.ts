import { randomInt } from 'crypto';

import { createToken } from './token';
import type { KeyFor } from './token';

/** Digits that a verification code may have. Specification section 8. */
export const CODE_LENGTH = { minValue: 4, maxValue: 8 };

/** A code, and what checks it. */
export interface IssuedCode {
	verifyCode: string;
	token: { verificationToken: string; expiresAt: string };
}

/**
 * A cryptographically random code for a number. It is made when it is first asked for, so that its
 * lifetime begins with the request; then it stays the same.
 *
 * @param length digits of the code, 4 to 8
 * @param minutes for which the code is good
 */
export function newCode(
	to: string,
	length: number,
	minutes: number,
	keyFor: KeyFor,
): () => IssuedCode {
	let issued: IssuedCode | undefined;
	return () => {
		if (issued !== undefined) return issued;
		const code = String(randomInt(10 ** length)).padStart(length, '0');
		const expiresAt = Math.floor(Date.now() / 1000) + minutes * 60;
		const verificationToken = createToken({ to, expiresAt, code }, keyFor);
		issued = {
			verifyCode: code,
			token: { verificationToken, expiresAt: new Date(expiresAt * 1000).toISOString() },
		};
		return issued;
	};
}
