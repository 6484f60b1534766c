import { randomBytes, randomInt } from 'crypto';

import { equalsSecret } from '../../client/credential';
import { openSeal, seal } from '../../client/seal';
import type { ItemForm } from '../../operation/field';
import { parseJson } from '../../util/text';

/** What a token holds. */
interface TokenContent {
	/** The phone number that gets the code. */
	readonly to: string;
	/** Secret: it may go to the person's phone and nowhere else. */
	readonly code: string;
	/** Unique for each token. */
	readonly id: string;
}

/** A token of this account, and what it holds. */
export interface VerificationToken extends TokenContent {
	/** The token itself: its purpose, a dot, and what is sealed. Letters, digits, `.`, `-` and `_`. */
	readonly text: string;
	/** Milliseconds since 1970, a whole second. */
	readonly expiresAt: number;
	/** Whether it is of a dry run, so that its code was shown and is good by hand only. */
	readonly isRehearsal: boolean;
}

const ID_BYTES = 9;

/**
 * Makes a token with a new code. Nobody without the account's token can read, change or make one, so guesses can
 * only be tried at a Check node. With the account's token, it is all it takes to send the code again.
 *
 * @param codeLength how many digits its code has
 */
export function createToken(
	{ to, expiresAt, isRehearsal }: Pick<VerificationToken, 'to' | 'expiresAt' | 'isRehearsal'>,
	codeLength: number,
	keyFor: ItemForm['keyFor'],
): VerificationToken {
	const content: TokenContent = {
		to,
		code: String(randomInt(10 ** codeLength)).padStart(codeLength, '0'),
		id: randomBytes(ID_BYTES).toString('base64url'),
	};
	const purpose = isRehearsal ? 'rehearsal' : 'code';
	const payload = Buffer.from(JSON.stringify(content));
	const sealed = seal(keyFor('codes'), { payload, expiresAt }, purpose);
	return { ...content, expiresAt, isRehearsal, text: `${purpose}.${sealed}` };
}

/**
 * Reads a token. Blanks and invisible marks, which come with copying, are dropped.
 *
 * @returns undefined if this account did not make the token, or somebody altered it; in production one
 * of a dry run is none either, since its code was shown
 */
export function readToken(
	given: string,
	{ keyFor, inProduction }: Pick<ItemForm, 'keyFor' | 'inProduction'>,
): VerificationToken | undefined {
	const text = given.replace(/[\s\p{Cf}]/gu, '');
	const [, purpose, sealed] = /^(code|rehearsal)\.([\w-]+)$/.exec(text) ?? [];
	if (purpose === undefined) return undefined;

	const isRehearsal = purpose === 'rehearsal';
	const opened = openSeal(keyFor('codes'), sealed, purpose);
	if (opened === undefined || (isRehearsal && inProduction)) return undefined;
	const { payload, expiresAt } = opened;
	return { ...(parseJson(payload.toString()) as TokenContent), expiresAt, isRehearsal, text };
}

/**
 * Whether what a person typed is the code, by its digits, compared in constant time. Zeros in front may be missing,
 * as in a number. Twice in a row is the code, too: so phones fill it in.
 */
export function isCode({ code }: VerificationToken, typed: string): boolean {
	const digits = typed.normalize('NFKC').replace(/[^0-9]/g, '');
	const isWritten = (text: string) => equalsSecret(digits.padStart(text.length, '0'), text);
	return digits !== '' && (isWritten(code) || isWritten(code + code));
}
