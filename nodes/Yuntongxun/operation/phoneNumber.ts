import { joinSentences, translate } from '../language/translate';
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

/** Between the entries of a text. */
const SEPARATOR = /\r\n|[,，;；、\r\n]/;

/** Limits of an item's list and of an entry. Longer entries are not matched against any pattern. */
const MAX_ENTRIES = 10_000;
export const MAX_ENTRY_LENGTH = 40;

/** As long as the longest list of entries and separators; what is longer is not even split. */
const MAX_LENGTH = MAX_ENTRIES * (MAX_ENTRY_LENGTH + 1);

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

/**
 * A landline that ends in front of a hyphen: whole, with its area code. 021 6428-1111 and 6428-1111 are
 * no 6428 with an extension.
 */
const WHOLE_LANDLINE = /^0(?:(?:10|2\d)\d{8}|[3-9]\d{9,10}|1[3-9]\d{9})$/;
const PART_OF_LANDLINE = /^(?:0(?!0)\d*|[2-8]\d{2,3})$/;

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
	/** Whether a hyphen begins an extension, rather than only grouping digits. */
	hasExtension: boolean;
}

/** The country code of a mobile number: it is sent without, as the vendor's samples have it. */
const COUNTRY_CODE = /^(?:\+|00)?86-?(?=1[3-9])/;

/** Specification sections 4.1 and 4.2; it says nothing of how many digits a number has. */
const CALL: Kind = {
	shape: /^\+?\d{3,20}(?:-\d{1,8})?$/,
	rule: 'Enter a phone number of 3 to 20 digits, perhaps with a hyphen and an extension of 1 to 8 digits.',
	hasExtension: true,
};

/** Specification section 4.3; it says nothing of how many digits a number has. */
const SMS: Kind = {
	shape: /^\+?\d{5,20}$/,
	rule: 'Enter phone numbers of 5 to 20 digits.',
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
	const entries = findEntries(value, displayName, SMS);
	for (const [index, entry] of entries.entries()) {
		const reading = readNumber(entry, SMS);
		if (!reading.ok) {
			bad.push({ ...reading, position: index + 1 });
			continue;
		}
		const { number } = reading;
		if (!numbers.has(number.key)) numbers.set(number.key, number);
	}

	if (entries.length === 0) throw buildEmptyError(displayName);
	if (entries.length === 1 && bad.length === 1) {
		throw new FieldError(displayName, bad[0].flaw, bad[0].remedy);
	}
	if (bad.length > 0) throw buildEntriesError(displayName, bad);
	return [...numbers.values()];
};

function buildNumberValidator(kind: Kind): Validator<PhoneNumber> {
	return (value, { displayName }) => {
		const [entry, ...others] = findEntries(value, displayName, kind);
		if (entry === undefined) throw buildEmptyError(displayName);
		if (Array.isArray(value)) throw new FieldError(displayName, 'is a list', SPLIT_LIST);
		if (others.length > 0) {
			throw new FieldError(displayName, 'has more than one number', SPLIT_LIST);
		}

		const reading = readNumber(entry, kind);
		if (!reading.ok) throw new FieldError(displayName, reading.flaw, reading.remedy);
		return reading.number;
	};
}

/**
 * The entries of a list, or of a text with separators: text without whitespace and in plain digits,
 * other values unchanged. Empty entries are dropped.
 *
 * @throws FieldError if there are too many, empty ones included
 */
function findEntries(value: unknown, label: string, { hasExtension }: Kind): unknown[] {
	const list = Array.isArray(value) ? (value as unknown[]) : [value];
	const texts = list.filter((each) => typeof each === 'string');
	const length = texts.reduce((sum, each) => sum + each.length, 0);
	if (length > MAX_LENGTH) {
		const flaw = translate('is longer than {max} characters', { max: MAX_LENGTH });
		throw buildTooManyError(label, flaw);
	}

	const all = list.flatMap((each) => (typeof each === 'string' ? splitText(each) : [each]));
	if (all.length > MAX_ENTRIES) {
		const flaw = translate('has more than {max} entries', { max: MAX_ENTRIES });
		throw buildTooManyError(label, flaw);
	}

	return all
		.map((each) => (typeof each === 'string' ? toPlainEntry(each) : each))
		.filter((each) => !isEmpty(each) && !(isOnlyHyphens(each) && !hasExtension));
}

/** The entries of a text, blank ones included. A separator at the end begins no entry. */
function splitText(text: string): string[] {
	const entries = text.split(SEPARATOR);
	const isOpen = entries.length > 1 && entries[entries.length - 1] === '';
	return isOpen ? entries.slice(0, -1) : entries;
}

const isOnlyHyphens = (entry: unknown): boolean => typeof entry === 'string' && /^-+$/.test(entry);

/** Text without blanks and invisible marks, with plain digits, hyphens and plus signs. */
const toPlainEntry = (written: string): string =>
	toPlainText(written)
		.replace(/[\uff0d\u2011\u2013]/g, '-')
		.replace(/\uff0b/g, '+');

/** Reads an entry as a number the way the service wants it. */
function readNumber(entry: unknown, kind: Kind): Reading {
	if (typeof entry === 'object') {
		return refuse(describeValue(entry), 'Give it the number as text.');
	}
	if (isMissingField(entry)) return refuse(describeValue(entry), FIND_FIELD);
	const written = String(entry);
	if (written.length > MAX_ENTRY_LENGTH) {
		const flaw = translate('has more than {max} characters', { max: MAX_ENTRY_LENGTH });
		return refuse(flaw, kind.rule);
	}

	const national = dropCountryCode(written);
	const number = dropHyphens(national, kind);
	const found = findFlaw(number, kind);
	return found === undefined
		? { ok: true, number: toPhoneNumber(number) }
		: { ok: false, ...found };
}

const refuse = (flaw: string, remedy: string): Reading => ({ ok: false, flaw, remedy });

/** Drops a country code. A short number that begins with 86, without `+` or `00`, is a local one. */
function dropCountryCode(entry: string): string {
	const isLocal = entry.startsWith('86') && entry.replace(/-/g, '').length < 12;
	return isLocal ? entry : entry.replace(COUNTRY_CODE, '');
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

/**
 * Police, fire brigade, ambulance, traffic police. However they are dialed: with a country code, a
 * zero, or the area code of another city.
 */
const EMERGENCY_LINE = /^(?:\+|00)?(?:86)?(?:0(?:10|2\d|[3-9]\d\d)?)?(?:110|119|120|122)$/;

const EMERGENCY: Flaw = {
	flaw: 'is an emergency number',
	remedy: 'This node never calls 110, 119, 120 or 122, however they are written.',
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
	if (EMERGENCY_LINE.test(line)) return EMERGENCY;
	const digits = line.replace('+', '');
	if (extension !== undefined) {
		if (!kind.hasExtension) return EXTENDED;
		if (more.length > 0 || endsInsideLine(number, line)) return HYPHENATED;
	}
	const flaw = MOBILE_START.test(line) ? findMobileFlaw(digits.length, extension) : undefined;
	if (flaw !== undefined) return flaw;
	return kind.shape.test(number) ? undefined : findLengthFlaw(digits, extension, kind.rule);
}

const endsInsideLine = (number: string, line: string): boolean =>
	AREA_CODE_HYPHEN.test(number) || (PART_OF_LANDLINE.test(line) && !WHOLE_LANDLINE.test(line));

function findMobileFlaw(digitCount: number, extension: string | undefined): Flaw | undefined {
	if (MISCOUNTED_MOBILE.has(digitCount)) {
		return { flaw: countDigits(digitCount), remedy: 'A mobile number has 11 digits.' };
	}
	return extension !== undefined && digitCount !== 11 ? HYPHENATED : undefined;
}

/** Digit counts of a mobile number with one digit too few or too many. */
const MISCOUNTED_MOBILE = new Set([10, 12]);

function findLengthFlaw(digits: string, extension: string | undefined, remedy: string): Flaw {
	if (extension !== undefined && !/^\d{1,8}$/.test(extension)) {
		return { flaw: 'has an extension that is not 1 to 8 digits', remedy };
	}
	return { flaw: countDigits(digits.length), remedy };
}

const countDigits = (count: number): string =>
	count === 1 ? 'has 1 digit' : translate('has {count} digits', { count });

function buildTooManyError(label: string, flaw: string): FieldError {
	return new FieldError(
		label,
		flaw,
		translate(
			'One item takes {max} numbers at most, blank entries included. Send the list in several items.',
			{ max: MAX_ENTRIES },
		),
	);
}

function buildEntriesError(
	label: string,
	bad: ReadonlyArray<Flaw & { position: number }>,
): FieldError {
	const named = bad.slice(0, MAX_NAMED);
	const entries = named.map(({ position, flaw }) =>
		translate('entry {position} {flaw}', { position, flaw: translate(flaw) }),
	);
	const rest = bad.length - named.length;
	const list =
		entries.join(translate(', ')) + (rest > 0 ? translate(', and {rest} more', { rest }) : '');
	const flaw =
		bad.length === 1
			? translate('has an entry that cannot be used: {list}', { list })
			: translate('has {count} entries that cannot be used: {list}', { count: bad.length, list });
	const remedies = [...new Set(named.map(({ remedy }) => translate(remedy)))];
	return new FieldError(label, flaw, joinSentences(...remedies));
}

/**
 * Reads a number from another field than `to`, to compare it with one. A hyphen that `to` refuses, as
 * in 010-12345678, only groups digits here.
 */
export function readOtherNumber(typed: string): PhoneNumber {
	const entry = toPlainEntry(typed);
	if (entry.length > MAX_ENTRY_LENGTH) return { text: entry, key: entry, line: entry };
	const reading = readNumber(entry, CALL);
	return reading.ok ? reading.number : toPhoneNumber(entry.replace(/-/g, ''));
}

/**
 * The entries of a text, as {@link callNumber} separates and cleans them.
 *
 * @throws FieldError if there are too many
 */
export const findCallEntries = (written: string, label: string): string[] =>
	findEntries(written, label, CALL).map(String);

/** Whether {@link callNumber} takes a number that has been read. */
export const isCallNumber = ({ text }: PhoneNumber): boolean => findFlaw(text, CALL) === undefined;
