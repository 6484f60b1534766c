import { createHmac, randomBytes, timingSafeEqual } from 'crypto';

import { plainText } from '../../operation/validators';

/** Gives a key of 32 bytes for a purpose; nobody can tell it without the account's token. */
export type KeyFor = (purpose: string) => Buffer;

/** The code of one phone number, and until when it is good. */
export interface Verification {
	to: string;
	/** Seconds since 1970. */
	expiresAt: number;
	code: string;
}

/** A token that this account made. */
export interface VerificationToken {
	to: string;
	/** Seconds since 1970. */
	expiresAt: number;
	/** Name of the token, different for each. */
	id: string;
	/** Whether what a person typed is the code, in constant time. */
	fits(typed: unknown): boolean;
}

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const SHAPE =
	/^v1\.(?<expiresAt>\d{1,12})\.(?<length>[4-8])\.(?<number>[\d_-]{3,40})\.(?<nonce>[\w-]{16})\.(?<tag>[\w-]{22})\.(?<signature>[\w-]{43})$/;

/**
 * Makes the token from which the code can be checked.
 *
 * It holds expiry, length of the code and number as they are, a nonce, a tag that is a keyed hash
 * of nonce and code, and a signature over all of them. Without the account's token nobody can
 * compute tag or signature, so a token tells nothing about its code, and no guess can be tried
 * outside a Check node.
 *
 * @returns letters, digits, `.`, `-` and `_`
 */
export function createToken({ to, expiresAt, code }: Verification, keyFor: KeyFor): string {
	const nonce = randomBytes(NONCE_BYTES).toString('base64url');
	const number = to.replace('+', '_');
	const tag = tagOf(nonce, code, keyFor).toString('base64url');
	const content = [VERSION, expiresAt, code.length, number, nonce, tag].join('.');
	return `${content}.${signatureOf(content, keyFor).toString('base64url')}`;
}

/**
 * Reads a token. Blanks, which come with copying, are dropped.
 *
 * @returns undefined if this account did not make the token, or somebody altered it
 */
export function readToken(given: string, keyFor: KeyFor): VerificationToken | undefined {
	const token = given.replace(/\s/g, '');
	const { groups } = SHAPE.exec(token) ?? {};
	if (groups === undefined || !isSigned(token, keyFor)) return undefined;
	const { expiresAt, length, number, nonce, tag } = groups;
	return {
		to: number.replace('_', '+'),
		expiresAt: Number(expiresAt),
		id: nonce,
		fits: (typed) =>
			timingSafeEqual(
				tagOf(nonce, codeIn(typed, Number(length)), keyFor),
				Buffer.from(tag, 'base64url'),
			),
	};
}

/** The code that a person typed: a number has lost its zeros in front. */
function codeIn(typed: unknown, length: number): string {
	return typeof typed === 'number' ? String(typed).padStart(length, '0') : plainText(String(typed));
}

/** Compares the texts, since several texts of a signature can stand for the same bytes. */
function isSigned(token: string, keyFor: KeyFor): boolean {
	const at = token.lastIndexOf('.');
	const expected = signatureOf(token.slice(0, at), keyFor).toString('base64url');
	return timingSafeEqual(Buffer.from(token.slice(at + 1)), Buffer.from(expected));
}

function signatureOf(content: string, keyFor: KeyFor): Buffer {
	return createHmac('sha256', keyFor('verification token')).update(content).digest();
}

function tagOf(nonce: string, code: string, keyFor: KeyFor): Buffer {
	return createHmac('sha256', keyFor('verification code'))
		.update(JSON.stringify([nonce, code]))
		.digest()
		.subarray(0, TAG_BYTES);
}
