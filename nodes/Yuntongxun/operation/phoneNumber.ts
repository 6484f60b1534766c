import type { Validator } from './field';
import { FieldError, isEmpty, kindOf } from './validationError';
import { plainText } from './validators';

const BETWEEN_NUMBERS = /[,，;；、\r\n]/;

/** The service wants a mobile number of mainland China without its country code. */
const MOBILE_COUNTRY_CODE = /^(?:\+|00)?86(?=1[3-9]\d{9}(?:-|$))/;

/** What a mobile number may have in front at home; a landline's 0 belongs to its area code. */
const DOMESTIC_PREFIX = /^(?:86|0)(?=1[3-9]\d{9}(?:-|$))/;
/** The same where only the beginning of a number is known. */
const DOMESTIC_PREFIX_OF_BEGINNING = /^(?:86|0)(?=1[3-9]\d{0,9}$)/;

/** How numbers of one kind are written. */
interface Kind {
	shape: RegExp;
	/** What the field asks for. */
	rule: string;
	/** Takes what only structures a number out of an entry. */
	strip(entry: string): string;
}

/** Specification sections 4.1 and 4.2. */
const CALL: Kind = {
	shape: /^\+?\d{3,20}(?:-\d{1,8})?$/,
	rule: 'must be a phone number of 3 to 20 digits, perhaps with a hyphen and an extension of 1 to 8 digits',
	strip: (entry) => entry,
};

/** Specification section 4.3. */
const SMS: Kind = {
	shape: /^\+?\d{5,20}$/,
	rule: 'must hold phone numbers of 5 to 20 digits',
	strip: (entry) => entry.replace(/-/g, ''),
};

/** What can be wrong with a number besides its count of digits, the first that applies. */
const FLAWS: ReadonlyArray<readonly [shape: RegExp, flaw: string, rule?: string]> = [
	[
		/^\+?\d+(?:\.\d+)?e\+?\d+$/i,
		'has an exponent',
		'must be written out in full: this is how a spreadsheet shortens a long number, so format its column as text',
	],
	[
		/^\+?\d+-[\d-]*-[\d-]*$|^(?:0\d{2,3}|[48]00|(?:\+86|0086|86)?1[3-9]\d{1,8}|(?:\+|00)86(?:10|2\d|[3-9]\d\d)|00\d{1,4}|\+\d{1,3})-\d+$/,
		'has one',
		'must have no hyphen inside the number, since what follows a hyphen is dialled as an extension: write 01012345678 rather than 010-12345678, and 13800000000 rather than 138-0000-0000',
	],
	[/\p{L}/u, 'has letters'],
	[/[^\d+-]/, 'has a character that is not a digit'],
	[/.\+/, 'has a plus sign that is not in front'],
	[/^\+?-/, 'has nothing before its hyphen'],
	[/-(?:|\d{9,})$/, 'has an extension that is not 1 to 8 digits'],
];

/**
 * The phone numbers of an SMS, each once, from a list or from text separated by commas, semicolons
 * or line breaks: 5 to 20 digits, with an optional leading plus sign.
 */
export const smsNumbers: Validator<string[]> = (value, { displayName }) =>
	readNumbers(entriesOf(value, SMS), displayName, SMS);

/**
 * One phone number to call: 3 to 20 digits, with an optional leading plus sign and an optional
 * extension of 1 to 8 digits after a hyphen.
 */
export const callNumber = onlyNumber(CALL);

/** One phone number of an SMS, as {@link smsNumbers} takes them. */
export const smsNumber = onlyNumber(SMS);

function onlyNumber(kind: Kind): Validator<string> {
	return (value, { displayName }) => {
		const entries = entriesOf(value, kind);
		if (entries.length > 1 || (entries.length === 1 && Array.isArray(value))) {
			throw new FieldError(
				displayName,
				'must be one number: split a list into items, for example with the Split Out node',
				value,
				Array.isArray(value) ? undefined : `it holds ${entries.length} entries`,
			);
		}
		return readNumbers(entries, displayName, kind)[0];
	};
}

/** The entries of a list, or of a text with separators, without blanks and in plain digits. */
function entriesOf(value: unknown, { strip }: Kind): unknown[] {
	return [value]
		.flat()
		.flatMap((entry) => (typeof entry === 'string' ? splitNumbers(entry).map(strip) : [entry]))
		.filter((entry) => !isEmpty(entry));
}

const splitNumbers = (text: string): string[] => text.split(BETWEEN_NUMBERS).map(plainText);

function readNumbers(entries: unknown[], label: string, kind: Kind): string[] {
	if (entries.length === 0) throw new FieldError(label, 'is required', undefined);
	const seen = new Set<string>();
	return entries.flatMap((entry, at) => {
		// Not every object can be written as text.
		const written = typeof entry === 'object' ? '' : String(entry);
		const number = written.replace(MOBILE_COUNTRY_CODE, '');
		const [rule, flaw] = problemOf(entry, number, kind) ?? [];
		if (rule !== undefined) {
			const name = entries.length === 1 ? 'it' : `entry ${at + 1}`;
			throw new FieldError(label, rule, entry, `${name} ${flaw}`);
		}
		const spelling = comparableNumber(number);
		if (seen.has(spelling)) return [];
		seen.add(spelling);
		return [number];
	});
}

/** The rule that an entry breaks, and how; never the number itself. */
function problemOf(entry: unknown, number: string, { shape, rule }: Kind): string[] | undefined {
	if (typeof entry === 'object') return ['must be text', `holds ${kindOf(entry)}`];
	const [, flaw, broken = rule] = FLAWS.find(([flawed]) => flawed.test(number)) ?? [];
	if (flaw !== undefined) return [broken, flaw];
	if (shape.test(number)) return undefined;
	const { length } = number.split('-')[0].replace('+', '');
	return [rule, `has ${length} ${length === 1 ? 'digit' : 'digits'}`];
}

/**
 * One spelling for all spellings of a number: with `+`, and mainland numbers with `+86`. Before a
 * mobile number `86` and `0` make no difference. An extension stays.
 *
 * @param number as the fields above give it
 * @param domesticPrefix what it may have in front at home
 */
export function comparableNumber(number: string, domesticPrefix = DOMESTIC_PREFIX): string {
	const international = number.replace(/^00/, '+');
	if (international.startsWith('+')) return international;
	return `+86${international.replace(domesticPrefix, '')}`;
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
	const patterns: Array<(line: string) => boolean> = [];
	for (const entry of splitNumbers(allowed).filter(Boolean)) {
		const beginning = comparableNumber(entry.slice(0, -1), DOMESTIC_PREFIX_OF_BEGINNING);
		if (entry.startsWith('*')) patterns.push((line) => line.endsWith(entry.slice(1)));
		else if (entry.endsWith('*')) patterns.push((line) => line.startsWith(beginning));
		else numbers.add(comparableNumber(entry));
	}
	return (number) => {
		const line = lineOf(number);
		return (
			numbers.has(line) ||
			numbers.has(comparableNumber(number)) ||
			patterns.some((fits) => fits(line))
		);
	};
}
