import { FieldError, isEmpty, kindOf } from './validationError';
import type { Validator } from './field';

/** Most numbers that one request may name. Specification section 8. */
export const MAX_NUMBERS = 200;

const BLANKS = /[\s\u00a0\u200b-\u200d\u2060\ufeff]/g;
const FULL_WIDTH_DIGITS = /[\uff10-\uff19]/g;
const BETWEEN_NUMBERS = /[,，;；、\r\n]/;

/** The service wants a mobile number of mainland China without its country code. */
const MOBILE_COUNTRY_CODE = /^(?:\+|00)?86(?=1[3-9]\d{9}(?:-|$))/;

/** What a mobile number may have in front at home; a landline's 0 belongs to its area code. */
const DOMESTIC_PREFIX = {
	number: /^(?:86|0)(?=1[3-9]\d{9}(?:-|$))/,
	beginning: /^(?:86|0)(?=1[3-9]\d{0,9}$)/,
};

const CALL_NUMBER = /^\+?\d{3,20}(?:-\d{1,8})?$/;
const SMS_NUMBER = /^\+?\d{5,20}$/;

const CALL_RULE =
	'must be a phone number of 3 to 20 digits, perhaps with a hyphen and an extension of 1 to 8 digits';
const SMS_RULE = 'must hold phone numbers of 5 to 20 digits';

/** Values that look like a phone number and are not, each with the rule it breaks, and how. */
const MISREADINGS: ReadonlyArray<readonly [RegExp, string, string]> = [
	[
		/^\+?\d+(?:\.\d+)?e\+?\d+$/i,
		'must be written out in full: this is how a spreadsheet shortens a long number, so format its column as text',
		'has an exponent',
	],
	[
		/^\+?\d+-[\d-]*-[\d-]*$|^(?:0\d{2,3}|[48]00|(?:\+86|0086|86)?1[3-9]\d{1,8}|(?:\+|00)86(?:10|2\d|[3-9]\d\d)|00\d{1,4}|\+\d{1,3})-\d+$/,
		'must have no hyphen inside the number, since what follows a hyphen is dialled as an extension: write 01012345678 rather than 010-12345678, and 13800000000 rather than 138-0000-0000',
		'has one',
	],
];

/** What can be wrong with a number besides its count of digits, the first that applies. */
const FLAWS: ReadonlyArray<readonly [RegExp, string]> = [
	[/\p{L}/u, 'has letters'],
	[/\./, 'has a point'],
	[/[()（）[\]]/, 'has brackets'],
	[/.\+/, 'has a plus sign that is not in front'],
	[/[^\d+-]/, 'has a character that is not a digit'],
	[/^\+?-/, 'has nothing before its hyphen'],
	[/-$/, 'has nothing after its hyphen'],
	[/-\d{9,}$/, 'has an extension of more than 8 digits'],
];

/**
 * The phone number to call: 3 to 20 digits, with an optional leading plus sign and an optional
 * extension of 1 to 8 digits after a hyphen. Specification sections 4.1 and 4.2.
 */
export const callNumber: Validator<string> = (value, { displayName }) => {
	const entry = callEntry(onlyEntry(value, displayName), displayName, 'it');
	if ('refusal' in entry) throw entry.refusal;
	return entry.number;
};

/** The phone number of an SMS: 5 to 20 digits, with an optional leading plus sign. */
export const smsNumber: Validator<string> = (value, property, item) =>
	smsNumbers(onlyEntry(value, property.displayName), property, item)[0];

/** An entry of a list of numbers to call: the number, or why the entry is none. */
export type CallEntry = { number: string } | { refusal: FieldError };

/**
 * The phone numbers to call, each once, in the order of the list, as {@link callNumber} takes
 * them. A bad entry is refused by itself. The place of an entry counts from 1.
 */
export const callNumbers: Validator<Array<CallEntry & { place: number }>> = (
	value,
	{ displayName },
) => {
	const entries = entriesOf(value);
	if (entries.length === 0) throw new FieldError(displayName, 'is required', undefined);
	const seen = new Set<string>();
	return entries
		.map((entry, at) => ({
			place: at + 1,
			...callEntry(entry, displayName, placeOf(at, entries)),
		}))
		.filter((entry) => {
			if ('refusal' in entry) return true;
			const name = comparableNumber(entry.number);
			return !seen.has(name) && seen.add(name);
		});
};

/**
 * The phone numbers of an SMS, each once, from a list or from text separated by commas, semicolons
 * or line breaks. Specification section 4.3.
 */
export const smsNumbers: Validator<string[]> = (value, { displayName }) => {
	const entries = entriesOf(value).filter(
		(entry) => typeof entry !== 'string' || /[^-]/.test(entry),
	);
	if (entries.length === 0) throw new FieldError(displayName, 'is required', undefined);
	const numbers = new Map<string, string>();
	entries.forEach((entry, at) => {
		const refused = (rule: string, flaw: string) =>
			new FieldError(displayName, rule, entry, `${placeOf(at, entries)} ${flaw}`);
		if (typeof entry === 'object') throw refused('must be text', `holds ${kindOf(entry)}`);
		const number = String(entry).replace(/-/g, '').replace(MOBILE_COUNTRY_CODE, '');
		if (!SMS_NUMBER.test(number)) throw refused(SMS_RULE, flawOf(number));
		const name = comparableNumber(number);
		if (!numbers.has(name)) numbers.set(name, number);
	});
	return [...numbers.values()];
};

/** The one entry of a field that takes no list. */
function onlyEntry(value: unknown, label: string): unknown {
	const entries = entriesOf(value);
	if (entries.length === 0) throw new FieldError(label, 'is required', undefined);
	if (!Array.isArray(value) && entries.length === 1) return entries[0];
	throw new FieldError(
		label,
		'must be one number: split a list into items, for example with the Split Out node',
		value,
		`it holds ${Array.isArray(value) ? 'a list' : `${entries.length} entries`}`,
	);
}

/** The entries of a list, or of a text with separators; no empty ones. */
function entriesOf(value: unknown): unknown[] {
	return [value]
		.flat()
		.flatMap((entry) =>
			typeof entry === 'string' ? entry.split(BETWEEN_NUMBERS).map(plainOf) : [entry],
		)
		.filter((entry) => !isEmpty(entry));
}

/** Without blanks, and in plain digits. */
const plainOf = (entry: string): string =>
	entry
		.replace(BLANKS, '')
		.replace(FULL_WIDTH_DIGITS, (digit) => String('０１２３４５６７８９'.indexOf(digit)));

/** How a refusal names an entry. */
const placeOf = (at: number, { length }: unknown[]) => (length === 1 ? 'it' : `entry ${at + 1}`);

function callEntry(entry: unknown, label: string, place: string): CallEntry {
	const refused = (rule: string, flaw: string) => ({
		refusal: new FieldError(label, rule, entry, `${place} ${flaw}`),
	});
	if (typeof entry === 'object') return refused('must be text', `holds ${kindOf(entry)}`);
	const number = String(entry).replace(MOBILE_COUNTRY_CODE, '');
	const misreading = MISREADINGS.find(([shape]) => shape.test(number));
	if (misreading) return refused(misreading[1], misreading[2]);
	return CALL_NUMBER.test(number) ? { number } : refused(CALL_RULE, flawOf(number));
}

/** What is wrong with a number; never the number itself. */
function flawOf(number: string): string {
	const flaw = FLAWS.find(([shape]) => shape.test(number));
	if (flaw) return flaw[1];
	const { length } = number.split('-')[0].replace('+', '');
	return `has ${length} ${length === 1 ? 'digit' : 'digits'}`;
}

/**
 * One spelling for all spellings of a number: with `+`, and mainland numbers with `+86`. Before a
 * mobile number `86` and `0` make no difference. An extension stays.
 *
 * @param number as the fields above give it
 * @param part whether it is a whole number, or the beginning of one
 */
export function comparableNumber(number: string, part: 'number' | 'beginning' = 'number'): string {
	const international = number.replace(/^00/, '+');
	if (international.startsWith('+')) return international;
	return `+86${international.replace(DOMESTIC_PREFIX[part], '')}`;
}

/** The line that a number reaches: its one spelling, without the extension. */
export const lineOf = (number: string): string => comparableNumber(number).split('-')[0];

/**
 * Reads a list of allowed recipients. `*` stands for a part of the line, never of an extension; an
 * entry with an extension allows no other. Spellings of one number are the same, see
 * {@link comparableNumber}.
 *
 * @param allowed comma-separated numbers, `*` allowed at one end; empty allows every number
 * @returns whether a number, perhaps with an extension, may be called or texted
 */
export function recipientFilter(allowed: string): (number: string) => boolean {
	if (allowed.trim() === '') return () => true;
	const numbers = new Set<string>();
	const beginnings: string[] = [];
	const ends: string[] = [];
	for (const entry of allowed.split(BETWEEN_NUMBERS).map(plainOf)) {
		if (entry.startsWith('*')) ends.push(entry.slice(1));
		else if (entry.endsWith('*'))
			beginnings.push(comparableNumber(entry.slice(0, -1), 'beginning'));
		else if (entry !== '') numbers.add(comparableNumber(entry));
	}
	return (number) => {
		const line = lineOf(number);
		return (
			numbers.has(line) ||
			numbers.has(comparableNumber(number)) ||
			beginnings.some((beginning) => line.startsWith(beginning)) ||
			ends.some((end) => line.endsWith(end))
		);
	};
}
