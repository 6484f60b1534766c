import { randomInt } from 'crypto';

import { createToken } from './token';
import type { KeyFor } from './token';

/**
 * A cryptographically random code for a number, and the token that checks it. They are made when they
 * are first asked for, so that the code's lifetime begins with the request; then they stay the same.
 *
 * @param length digits of the code, 4 to 8
 * @param minutes for which the code is good
 */
export function newCode(to: string, length: number, minutes: number, keyFor: KeyFor) {
	const make = () => {
		const code = String(randomInt(10 ** length)).padStart(length, '0');
		const expiresAt = Math.floor(Date.now() / 1000) + minutes * 60;
		const verificationToken = createToken({ to, expiresAt, code }, keyFor);
		const expiry = new Date(expiresAt * 1000).toISOString();
		return { verifyCode: code, token: { verificationToken, expiresAt: expiry } };
	};
	let made: ReturnType<typeof make> | undefined;
	return () => (made ??= make());
}
