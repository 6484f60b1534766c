import { deriveKey } from '../../nodes/Yuntongxun/client/credential';
import { createToken, readToken } from '../../nodes/Yuntongxun/resources/verificationCode/token';

/** A token as Verification Code: Send gives it, and the code that only the person gets. */
export interface IssuedCode {
	token: string;
	code: string;
}

/** Makes a token without sending anything: good for ten minutes, with a code of six digits. */
export function issueCode(
	account: Parameters<typeof deriveKey>[0],
	to: string,
	codeLength = 6,
): IssuedCode {
	const expiresAt = Math.ceil(Date.now() / 1000) + 600;
	const { text, code } = createToken({ to, expiresAt, codeLength }, (purpose) =>
		deriveKey(account, purpose),
	);
	return { token: text, code };
}

/** The code of a token; undefined if the account did not make it. */
export const findCode = (
	account: Parameters<typeof deriveKey>[0],
	token: string,
): string | undefined => readToken(token, (purpose) => deriveKey(account, purpose))?.code;
