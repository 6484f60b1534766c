import { FieldError } from './validationError';
import type { Validator } from './field';
import { text } from './validators';

/** Most numbers that one request may name. Specification section 8. */
export const MAX_NUMBERS = 200;

const BLANKS = /[\s\u00a0\u200b-\u200d\u2060\ufeff]/g;

/** The service wants a mobile number of mainland China without its country code. */
const withoutCountryCode = (number: string) => number.replace(/^(?:\+|00)86(?=1\d{10}(?:-|$))/, '');

const CALL_NUMBER = /^\+?\d{3,20}(?:-\d{1,8})?$/;
const SMS_NUMBER = /^\+?\d{5,20}$/;
const BETWEEN_NUMBERS = /[,，;；\r\n]/;

/** Values that look like a phone number and are not, each with the rule it breaks. */
const MISREADINGS: ReadonlyArray<readonly [RegExp, string]> = [
	[
		/^\+?\d+(?:\.\d+)?e\+?\d+$/i,
		'must be written out in full: this is how a spreadsheet shortens a long number, so format its column as text',
	],
	[
		/^\+?\d+-[\d-]*-[\d-]*$|^(?:0\d{2,3}|[48]00|(?:\+86|0086|86)?1[3-9]\d{1,8}|(?:\+|00)86(?:10|2\d|[3-9]\d\d)|00\d{1,4}|\+\d{1,3})-\d+$/,
		'must have no hyphen inside the number, since what follows a hyphen is dialled as an extension: write 01012345678 rather than 010-12345678, and 13800000000 rather than 138-0000-0000',
	],
];

/**
 * The phone number to call: 3 to 20 digits, with an optional leading plus sign and an optional
 * extension of 1 to 8 digits after a hyphen. Specification sections 4.1 and 4.2.
 */
export const callNumber: Validator<string> = (value, property, item) => {
	const given = text(value, { ...property, required: true }, item) ?? '';
	if (BETWEEN_NUMBERS.test(given.trim())) {
		throw new FieldError(
			property.displayName,
			'must be one number: each item makes one call, so split a list into items',
			value,
		);
	}
	const number = withoutCountryCode(given.replace(BLANKS, ''));
	const misreading = MISREADINGS.find(([shape]) => shape.test(number));
	if (misreading) throw new FieldError(property.displayName, misreading[1], value);
	if (!CALL_NUMBER.test(number)) {
		throw new FieldError(
			property.displayName,
			'must be a phone number of 3 to 20 digits, perhaps with a hyphen and an extension of 1 to 8 digits',
			value,
		);
	}
	return number;
};

/**
 * The phone numbers of an SMS, each once, from a list or from text separated by commas, semicolons
 * or line breaks. Specification section 4.3.
 */
export const smsNumbers: Validator<string[]> = (value, property, item) => {
	const entries = [value]
		.flat()
		.flatMap((entry) =>
			(text(entry, { ...property, required: false }, item) ?? '').split(BETWEEN_NUMBERS),
		);
	const numbers = entries
		.map((entry) => withoutCountryCode(entry.replace(BLANKS, '').replace(/-/g, '')))
		.filter((number) => number !== '');
	if (numbers.length === 0) throw new FieldError(property.displayName, 'is required', undefined);
	const position = numbers.findIndex((number) => !SMS_NUMBER.test(number));
	if (position >= 0) {
		throw new FieldError(
			property.displayName,
			`must hold phone numbers of 5 to 20 digits, which number ${position + 1} of the list is not`,
			value,
		);
	}
	return [...new Set(numbers)];
};

const ANY_COUNTRY_CODE = /^(?:\+|00)/;
const COUNTRY_CODE = /^(?:\+|00)86/;

/** A number as keys compare it: with its extension, and without the code of mainland China. */
export const comparableNumber = (number: string): string => number.replace(COUNTRY_CODE, '');

/** The line that a number reaches: without its extension, and without the code of mainland China. */
export const lineOf = (number: string): string => comparableNumber(number).split('-')[0];

/**
 * Reads a list of allowed recipients. `*` stands for a part of the line, never of an extension; an
 * entry with an extension allows no other. `+86`, `0086` or nothing in front are the same.
 *
 * @param allowed comma-separated numbers, `*` allowed at one end; empty allows every number
 * @returns whether a number, perhaps with an extension, may be called or texted
 */
export function recipientFilter(allowed: string): (number: string) => boolean {
	if (allowed.trim() === '') return () => true;
	const entries = new Set(allowed.split(BETWEEN_NUMBERS).map((entry) => entry.replace(BLANKS, '')));
	const wildcards = [...entries].filter((entry) => entry.startsWith('*') || entry.endsWith('*'));
	return (number) => {
		const lines = spellingsOf(lineOf(number));
		const numbers = spellingsOf(comparableNumber(number));
		return (
			[...lines, ...numbers].some((spelling) => entries.has(spelling)) ||
			lines.some((line) => wildcards.some((wildcard) => fits(wildcard, line)))
		);
	};
}

const spellingsOf = (number: string): string[] =>
	ANY_COUNTRY_CODE.test(number) ? [number] : [number, `+86${number}`, `0086${number}`];

function fits(entry: string, line: string): boolean {
	if (entry.startsWith('*')) return line.endsWith(entry.slice(1));
	return line.startsWith(entry.slice(0, -1));
}
