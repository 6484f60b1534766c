import { randomInt } from 'crypto';

/** Digits that a verification code may have. Specification section 8. */
export const CODE_LENGTH = { minValue: 4, maxValue: 8 };

/**
 * A cryptographically random code.
 *
 * @param length digits of the code, 4 to 8
 */
export function randomCode(length: number): string {
	return String(randomInt(10 ** length)).padStart(length, '0');
}

/** Characters of a typed code that are looked at. No code with its blanks is longer. */
const MOST_CHARACTERS = 100;

const BLANKS = /[\s\u200b-\u200d\u2060\ufeff]/g;
const NOT_BLANK = /[^\s\u200b-\u200d\u2060\ufeff]/;

/** Whether a text has nothing but blanks. */
export function isBlank(text: string): boolean {
	return !NOT_BLANK.test(text);
}

const FULL_WIDTH_DIGITS = /[\uff10-\uff19]/g;
const FROM_FULL_WIDTH = 0xff10 - 0x30;

/**
 * What a person typed, as the code would be written: without blanks, in plain digits, and a number
 * with the zeros that it lost.
 *
 * @param length digits of the code
 * @returns empty if the text is too long to be a code; the work is bounded
 */
export function typedCode(typed: unknown, length: number): string {
	if (typeof typed === 'number') return String(typed).padStart(length, '0');
	const text = String(typed);
	if (text.length > MOST_CHARACTERS) return '';
	return text
		.replace(BLANKS, '')
		.replace(FULL_WIDTH_DIGITS, (digit) =>
			String.fromCharCode(digit.charCodeAt(0) - FROM_FULL_WIDTH),
		);
}
