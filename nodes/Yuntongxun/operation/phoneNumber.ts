import type { Validator } from './field';
import { MOBILE_START, toPhoneNumber } from './numberIdentity';
import type { PhoneNumber } from './numberIdentity';
import {
	buildEmptyError,
	describeValue,
	FieldError,
	FIND_FIELD,
	isEmpty,
	isMissingField,
} from './validationError';
import { toPlainText } from './validators';

/** Text between separators, from its first character that is not whitespace. */
const ENTRY = /[^\s,，;；、][^,，;；、\r\n]*/g;

/** Limits of an item's list and of an entry. Longer entries are not matched against any pattern. */
const MAX_ENTRIES = 10_000;
export const MAX_ENTRY_LENGTH = 40;

/** How many bad entries of a list an error names. */
const MAX_NAMED = 20;

/** How a mobile number may be grouped with hyphens. */
const GROUPED_MOBILE = /^1\d\d-(?:\d{4}-\d{4}|\d{8})$/;

/**
 * Matches a hyphen after what can only be an area code or a country code: 010-1, 400-1, +8610-1,
 * +86755-1, 0086-1, +852-1.
 */
const AREA_CODE_HYPHEN =
	/^(?:0\d{2,3}|[48]00|(?:\+|00)86(?:10|2\d|[3-9]\d\d)|00\d{1,4}|\+\d{1,3})-\d/;

/** What is wrong with an entry, and what to do about it. */
interface Flaw {
	/** Such as "has letters"; never the number. */
	flaw: string;
	remedy: string;
}

type Reading = { ok: true; number: PhoneNumber } | ({ ok: false } & Flaw);

/** How numbers of one kind are written. */
interface Kind {
	shape: RegExp;
	/** What the field asks for. */
	rule: string;
	/** Matches the country code of a mobile number, which the service does not want. */
	countryCode: RegExp;
	/** Whether a hyphen begins an extension, rather than only grouping digits. */
	hasExtension: boolean;
}

/** Specification sections 4.1 and 4.2. */
const CALL: Kind = {
	shape: /^\+?\d{3,20}(?:-\d{1,8})?$/,
	rule: 'Enter a phone number of 3 to 20 digits, perhaps with a hyphen and an extension of 1 to 8 digits.',
	countryCode: /^(?:\+|00)?86(?=1[3-9])/,
	hasExtension: true,
};

/** Specification section 4.3. */
const SMS: Kind = {
	shape: /^\+?\d{5,20}$/,
	rule: 'Enter phone numbers of 5 to 20 digits.',
	countryCode: /^(?:\+|00)?86-?(?=1[3-9])/,
	hasExtension: false,
};

const SPLIT_LIST =
	'Each item takes one number. Put a Split Out node in front of this node: it makes an item of each entry of a list. A text with commas becomes a list by an expression such as {{ $json.numbers.split(",") }} in an Edit Fields node before it.';

/**
 * One phone number to call: 3 to 20 digits, with an optional leading plus sign and an optional
 * extension of 1 to 8 digits after a hyphen.
 */
export const callNumber = buildNumberValidator(CALL);

/** One phone number of an SMS, by the rules of {@link smsNumbers}. */
export const smsNumber = buildNumberValidator(SMS);

/**
 * The phone numbers of an SMS, each once, from a list or from text separated by commas, semicolons
 * or line breaks: 5 to 20 digits, with an optional leading plus sign.
 */
export const smsNumbers: Validator<PhoneNumber[]> = (value, { displayName }) => {
	const numbers = new Map<string, PhoneNumber>();
	const bad: Array<Flaw & { position: number }> = [];
	let position = 0;
	for (const entry of findEntries(value, SMS)) {
		position++;
		if (position > MAX_ENTRIES) throw buildTooManyError(displayName);
		const reading = readNumber(entry, SMS);
		if (!reading.ok) {
			bad.push({ ...reading, position });
			continue;
		}
		const { number } = reading;
		if (!numbers.has(number.key)) numbers.set(number.key, number);
	}

	if (position === 0) throw buildEmptyError(displayName);
	if (position === 1 && bad.length === 1) {
		throw new FieldError(displayName, bad[0].flaw, bad[0].remedy);
	}
	if (bad.length > 0) throw buildEntriesError(displayName, bad);
	return [...numbers.values()];
};

function buildNumberValidator(kind: Kind): Validator<PhoneNumber> {
	return (value, { displayName }) => {
		const entries = findEntries(value, kind);
		const first = entries.next();
		if (first.done === true) throw buildEmptyError(displayName);
		if (Array.isArray(value)) throw new FieldError(displayName, 'is a list', SPLIT_LIST);
		if (entries.next().done !== true) {
			throw new FieldError(displayName, 'has more than one number', SPLIT_LIST);
		}

		const reading = readNumber(first.value, kind);
		if (!reading.ok) throw new FieldError(displayName, reading.flaw, reading.remedy);
		return reading.number;
	};
}

/**
 * Yields the entries of a list, or of a text with separators: text without whitespace and in plain
 * digits, other values unchanged. Empty entries are dropped.
 */
function* findEntries(value: unknown, { hasExtension }: Kind): Generator<unknown, void> {
	for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
		if (typeof each !== 'string') {
			if (!isEmpty(each)) yield each;
			continue;
		}
		for (const [written] of each.matchAll(ENTRY)) {
			const entry = toPlainEntry(written);
			const isBlank = entry === '' || (!hasExtension && /^-+$/.test(entry));
			if (!isBlank) yield entry;
		}
	}
}

const toPlainEntry = (written: string): string => toPlainText(written).replace(/\uff0d/g, '-');

/** Reads an entry as a number the way the service wants it. */
function readNumber(entry: unknown, kind: Kind): Reading {
	if (typeof entry === 'object') {
		return refuse(describeValue(entry), 'Give it the number as text.');
	}
	if (isMissingField(entry)) return refuse(describeValue(entry), FIND_FIELD);
	const written = String(entry);
	if (written.length > MAX_ENTRY_LENGTH) {
		return refuse(`has more than ${MAX_ENTRY_LENGTH} characters`, kind.rule);
	}

	const national = dropCountryCode(written, kind);
	const number = dropHyphens(national, kind);
	const found = findFlaw(number, kind);
	return found === undefined
		? { ok: true, number: toPhoneNumber(number) }
		: { ok: false, ...found };
}

const refuse = (flaw: string, remedy: string): Reading => ({ ok: false, flaw, remedy });

/** Drops a country code. A short number that begins with 86, without `+` or `00`, is a local one. */
function dropCountryCode(entry: string, { countryCode }: Kind): string {
	const isLocal = entry.startsWith('86') && entry.replace(/-/g, '').length < 12;
	return isLocal ? entry : entry.replace(countryCode, '');
}

/** Drops hyphens that only group digits; those that may begin an extension stay. */
function dropHyphens(entry: string, { hasExtension }: Kind): string {
	const joined = entry.replace(/-/g, '');
	// 138-0000-0000 is grouped, 13800000000-801 has an extension.
	if (MOBILE_START.test(entry)) return GROUPED_MOBILE.test(entry) ? joined : entry;
	// Of a call, 01012345678-801 is an extension; findFlaw refuses 010-12345678.
	if (hasExtension) return entry;
	// Of an SMS, 010-12345678 is grouped; findFlaw refuses 01012345678-801.
	return /^0\d{9,11}-/.test(entry) ? entry : joined;
}

/** What can be wrong with a number besides hyphens and digit count; the first match counts. */
const FLAWS: ReadonlyArray<readonly [shape: RegExp, flaw: string]> = [
	[/\p{L}/u, 'has letters'],
	[/[^\d+-]/, 'has a character that is not a digit'],
	[/.\+/, 'has a plus sign that is not in front'],
	[/^\+?-/, 'has nothing before its hyphen'],
];

const SHORTENED: Flaw = {
	flaw: 'has an exponent',
	remedy: 'A spreadsheet shortened the number. Format its column as text and read the file again.',
};

const HYPHENATED: Flaw = {
	flaw: 'has a hyphen inside the number',
	remedy:
		'What follows a hyphen is dialed as an extension. Write 01012345678 rather than 010-12345678, and 13800000000 rather than 1380000-0000.',
};

const EXTENDED: Flaw = {
	flaw: 'has a hyphen that may begin an extension',
	remedy: 'An SMS reaches no extension. Enter the number alone, without hyphens.',
};

/** What is wrong with a number, in words that do not repeat it; undefined if nothing is. */
function findFlaw(number: string, kind: Kind): Flaw | undefined {
	if (/^\+?\d+(?:\.\d+)?e\+?\d+$/i.test(number)) return SHORTENED;
	const flawed = FLAWS.find(([shape]) => shape.test(number));
	if (flawed !== undefined) return { flaw: flawed[1], remedy: kind.rule };

	const [line, extension, ...more] = number.split('-');
	const digits = line.replace('+', '');
	if (extension !== undefined) {
		if (!kind.hasExtension) return EXTENDED;
		if (more.length > 0 || AREA_CODE_HYPHEN.test(number)) return HYPHENATED;
	}
	const flaw = MOBILE_START.test(line) ? findMobileFlaw(digits.length, extension) : undefined;
	if (flaw !== undefined) return flaw;
	return kind.shape.test(number) ? undefined : findLengthFlaw(digits, extension, kind.rule);
}

function findMobileFlaw(digitCount: number, extension: string | undefined): Flaw | undefined {
	if (MISCOUNTED_MOBILE.has(digitCount)) {
		return { flaw: `has ${digitCount} digits`, remedy: 'A mobile number has 11 digits.' };
	}
	return extension !== undefined && digitCount !== 11 ? HYPHENATED : undefined;
}

/** Digit counts of a mobile number with one digit too few or too many. */
const MISCOUNTED_MOBILE = new Set([10, 12]);

function findLengthFlaw(digits: string, extension: string | undefined, remedy: string): Flaw {
	if (extension !== undefined && !/^\d{1,8}$/.test(extension)) {
		return { flaw: 'has an extension that is not 1 to 8 digits', remedy };
	}
	const count = digits.length === 1 ? '1 digit' : `${digits.length} digits`;
	return { flaw: `has ${count}`, remedy };
}

function buildTooManyError(label: string): FieldError {
	return new FieldError(
		label,
		`has more than ${MAX_ENTRIES} entries`,
		`One item takes ${MAX_ENTRIES} numbers at most. Send the list in several items.`,
	);
}

function buildEntriesError(
	label: string,
	bad: ReadonlyArray<Flaw & { position: number }>,
): FieldError {
	const named = bad.slice(0, MAX_NAMED);
	const list = named.map(({ position, flaw }) => `entry ${position} ${flaw}`).join(', ');
	const rest = bad.length > named.length ? `, and ${bad.length - named.length} more` : '';
	const count = bad.length === 1 ? 'an entry' : `${bad.length} entries`;
	const remedies = [...new Set(named.map(({ remedy }) => remedy))];
	return new FieldError(
		label,
		`has ${count} that cannot be used: ${list}${rest}`,
		remedies.join(' '),
	);
}

/**
 * Reads a number from another field than `to`, to compare it with one. A hyphen that `to` refuses, as
 * in 010-12345678, only groups digits here.
 */
export function readOtherNumber(typed: string): PhoneNumber {
	const entry = toPlainEntry(typed);
	if (entry.length > MAX_ENTRY_LENGTH) return toPhoneNumber(entry);
	const reading = readNumber(entry, CALL);
	return reading.ok ? reading.number : toPhoneNumber(entry.replace(/-/g, ''));
}

/** The entries of a text, as {@link callNumber} separates and cleans them. */
export const findCallEntries = (written: string): Generator<unknown, void> =>
	findEntries(written, CALL);

/** Whether {@link callNumber} takes a number that has been read. */
export const isCallNumber = ({ text }: PhoneNumber): boolean => findFlaw(text, CALL) === undefined;
