import { createHmac, randomBytes } from 'crypto';

import { equalsSecret } from '../../client/credential';
import type { ItemForm } from '../../operation/field';
import { toPlainText } from '../../operation/validators';

/** Derives a secret of 32 bytes for a purpose, which nobody can compute without the account's token. */
export type KeyFor = (purpose: string) => Buffer;

/** What a new token is made for. */
export interface TokenContent {
	/** The phone number that gets the code. */
	to: string;
	/** Seconds since 1970. */
	expiresAt: number;
	/** Number of digits, 4 to 8. */
	codeLength: number;
	/** Whether it is of a rehearsal, so that its code was shown and is good by hand only. */
	isRehearsal?: boolean;
}

/** A token of this account, and the code that belongs to it. */
export interface VerificationToken extends TokenContent {
	/** The token itself: letters, digits, `.`, `-` and `_`. */
	text: string;
	/** Unique for each token. */
	id: string;
	/** Secret: it may go to the person's phone and nowhere else. */
	code: string;
}

const VERSION = 'v1';

/** In the place of the version: a signed mark, so nobody can remove it. */
const REHEARSAL_VERSION = 'r1';
const NONCE_BYTES = 12;

const TOKEN_SHAPE =
	/^(?<content>(?<version>[vr]1)\.(?<expiresAt>\d{1,12})\.(?<length>\d)\.(?<number>[\d_-]{3,40})\.(?<nonce>[\w-]{16}))\.(?<signature>[\w-]{43})$/;

/**
 * Makes a new token.
 *
 * It contains version, expiry, length of the code, number and a nonce in plain text, and a signature
 * over all of them. The code is derived from the same content with another secret. Without the
 * account's token nobody can compute code or signature, so a token reveals nothing about its code, and
 * guesses can only be tried at a Check node. With the account's token, the token is all it takes to
 * send the code again.
 */
export function createToken(made: TokenContent, keyFor: KeyFor): VerificationToken {
	const { to, expiresAt, codeLength, isRehearsal = false } = made;
	const nonce = randomBytes(NONCE_BYTES).toString('base64url');
	const content = [
		isRehearsal ? REHEARSAL_VERSION : VERSION,
		expiresAt,
		codeLength,
		to.replace('+', '_'),
		nonce,
	].join('.');

	return {
		...made,
		isRehearsal,
		text: `${content}.${signContent(content, keyFor)}`,
		id: nonce,
		code: deriveCode(content, codeLength, keyFor),
	};
}

/**
 * Reads a token. Blanks and invisible marks, which come with copying, are dropped.
 *
 * @returns undefined if this account did not make the token, or somebody altered it; in production one
 * of a rehearsal is none either, since its code was shown
 */
export function readToken(
	given: string,
	{ keyFor, inProduction }: Pick<ItemForm, 'keyFor' | 'inProduction'>,
): VerificationToken | undefined {
	const text = toPlainText(given);
	const { groups } = TOKEN_SHAPE.exec(text) ?? {};
	if (groups === undefined) return undefined;

	const { content, version, expiresAt, length, number, nonce, signature } = groups;
	// Compared as text, since several texts decode to the same bytes.
	if (!equalsSecret(signature, signContent(content, keyFor))) return undefined;

	const isRehearsal = version === REHEARSAL_VERSION;
	if (isRehearsal && inProduction) return undefined;

	const codeLength = Number(length);
	return {
		to: number.replace('_', '+'),
		expiresAt: Number(expiresAt),
		codeLength,
		isRehearsal,
		text,
		id: nonce,
		code: deriveCode(content, codeLength, keyFor),
	};
}

/**
 * Whether what a person typed is the code, compared in constant time.
 *
 * @param typed a number may have lost leading zeros; text may have blanks and full-width digits
 */
export function isCode({ code, codeLength }: VerificationToken, typed: string | number): boolean {
	const given =
		typeof typed === 'number' ? String(typed).padStart(codeLength, '0') : toPlainText(typed);

	return equalsSecret(given, code);
}

/**
 * Derives the digits that belong to a token's content. They come from 256 bits, so no code is more
 * likely than another by more than one part in 2^229.
 */
function deriveCode(content: string, length: number, keyFor: KeyFor): string {
	const hash = createHmac('sha256', keyFor('verification code')).update(content).digest('hex');
	const digits = BigInt(`0x${hash}`) % BigInt(10 ** length);

	return String(digits).padStart(length, '0');
}

function signContent(content: string, keyFor: KeyFor): string {
	return createHmac('sha256', keyFor('verification token')).update(content).digest('base64url');
}
