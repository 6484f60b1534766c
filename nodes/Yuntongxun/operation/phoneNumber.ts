import { joinSentences, translate } from '../language/translate';
import type { Validator } from './field';
import {
	buildEmptyError,
	describeValue,
	FieldError,
	FIND_FIELD,
	isEmpty,
	MISSING_FIELD,
} from './validationError';

/** A phone number, checked. Compare two by `key` or `line`, never by `text`. */
export interface PhoneNumber {
	/** As it is sent and shown: a mainland number in its one spelling, a foreign one as it was written. */
	readonly text: string;
	/** The same for all spellings of a number, with its extension. */
	readonly key: string;
	/** The key of the line that is called, without an extension. */
	readonly line: string;
	/** Its place in the list that somebody entered, from 1; undefined where there is no list. */
	readonly position?: number;
}

/**
 * Every line of mainland China that is called, as it is dialed. None is, begins with, or has behind its area code
 * 110, 119, 120 or 122: a switch connects those as soon as it has three digits.
 */
const MAINLAND =
	/^(?:1[3-9]\d{9}|0(?:10|2\d)(?!11[09]|12[02])\d{8}|0(?![48]00)[3-9]\d\d(?!11[09]|12[02])\d{7,8}|[48]00\d{7})$/;

const MOBILE = /^1[3-9]\d{9}$/;

/** Anything else needs a country code. Its hyphens could begin an extension, so it has none. */
const FOREIGN = /^(?:\+(?!86)|00(?!86|11[09]|12[02]))[1-9]\d{6,14}$/;

/** North America, Hong Kong, Macao, Singapore, Taiwan's mobiles: their length tells that a hyphen only groups. */
const FOREIGN_IN_GROUPS = /^(?:\+|00)(?:1\d{10}|(?:852|853|65)\d{8}|8869\d{8})$/;

/**
 * Groups of digits. Behind the last hyphen there are three at least: 1380000000-1 lacks a digit, and has an
 * extension.
 */
const GROUPED = /^\+? ?\d[\d -]*\d(?<!-\d\d?)$/;

/** How people write that an extension follows: in Chinese "transfer (to)", "extension (number)". */
const EXTENSION_MARK =
	/ ?-? ?(?:\u8f6c\u5206\u673a\u53f7|\u8f6c\u5206\u673a|\u8f6c\u63a5|\u8f6c|\u5206\u673a\u53f7|\u5206\u673a|\u8f49|\u5206\u6a5f|extension|ext|x(?=[.: ]*\d)|#)[.:]? ?/gi;

/** Longer entries are not matched against any pattern. */
const MAX_ENTRY_LENGTH = 40;

/**
 * The text of a cell with plain digits and marks and single blanks, and without what spreadsheets leave
 * around a number: quotes, an equals sign in front, a last `.0`, marks that nobody sees.
 */
export const cleanCell = (written: string): string =>
	written
		.replace(/\p{Cf}/gu, '')
		.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
		.replace(/[\u2010-\u2015\u2212\u30fc\ufe58\ufe63]/g, '-')
		.replace(/["'`\u2018\u2019\u201c\u201d]/g, '')
		.replace(/\s+/g, ' ')
		.trim()
		.replace(/^=/, '')
		.replace(/\.0$/, '');

export const isForeign = ({ line }: PhoneNumber): boolean => line.startsWith('+');

/**
 * Reads one number as people write it. Specification sections 4.1 to 4.3; they do not say which numbers there are.
 *
 * @param cell cleaned
 * @returns undefined for anything but a line that this node knows
 */
export function parsePhoneNumber(cell: string): PhoneNumber | undefined {
	if (cell.length > MAX_ENTRY_LENGTH) return undefined;
	const [written, ...extensions] = splitExtension(markExtension(cell));
	const mainland = findMainlandLine(written);

	if (extensions.length > 0) {
		const extension = extensions.join('#').replaceAll(' ', '');
		if (mainland === undefined || !/^\d{1,6}$/.test(extension)) return undefined;
		const text = `${mainland}-${extension}`;
		return { text, key: text, line: mainland };
	}

	const text = mainland ?? findForeignLine(written);
	if (text === undefined) return undefined;
	const line = text.replace(/^00/, '+');
	return { text, key: line, line };
}

/** Writes `#` before an extension that is called one, and blanks for parentheses. */
const markExtension = (cell: string): string =>
	cell
		// Behind another country code the zero in parentheses is not dialed, and nothing says so.
		.replace(/(?<!86\)? ?)\(0\)/, '?')
		.replace(/[()]/g, ' ')
		.replace(EXTENSION_MARK, '#')
		.replace(/ *- */g, '-')
		.replace(/ +/g, ' ')
		.trim();

/** Splits at the last hyphen if a whole line stands before it, or else at the mark. */
function splitExtension(marked: string): string[] {
	const hyphen = marked.lastIndexOf('-');
	const line = marked.slice(0, Math.max(hyphen, 0));
	const isWhole = findMainlandLine(line) !== undefined;
	return isWhole ? [line, marked.slice(hyphen + 1)] : marked.split('#');
}

/**
 * Finds the line of mainland China that groups of digits are: with and without country code, which imports write
 * twice, a mobile with a zero in front, and behind a country code a landline without its zero.
 */
function findMainlandLine(written: string): string | undefined {
	if (!GROUPED.test(written)) return undefined;
	// 0755 1234567 8 is a whole line and something else, not a line of eight digits.
	if (/ \d$/.test(written) && findMainlandLine(written.slice(0, -2)) !== undefined)
		return undefined;

	const digits = written.replace(/[ -]/g, '');
	const national = digits.replace(/^(?:\+|00)?86(?:86(?=\d{10}))?/, '');
	const hasCode = national !== digits;
	const spellings = [
		national,
		national.replace(/^0(?=1[3-9])/, ''),
		...(hasCode ? [`0${national}`] : []),
	];
	return spellings.find((line) => MAINLAND.test(line));
}

/** Whether any number begins with these digits as `line` has them, perhaps with a plus sign in front. */
export function canBegin(start: string): boolean {
	if (start.startsWith('+')) return /^\+(?!86)[1-9]\d{0,14}$/.test(start);
	const isPart = (length: number) =>
		['0', '3'].some((digit) => MAINLAND.test(start.padEnd(length, digit)));
	return /^\d{1,12}$/.test(start) && [10, 11, 12].some(isPart);
}

function findForeignLine(written: string): string | undefined {
	const digits = written.replace(/[ -]/g, '');
	// What stands behind a whole number and a blank is something else: +852 12345678 801.
	const before = written.replace(/ \d+$/, '');
	if (before !== written && FOREIGN_IN_GROUPS.test(before.replace(/[ -]/g, ''))) return undefined;

	const pattern = written.includes('-') ? FOREIGN_IN_GROUPS : FOREIGN;
	return GROUPED.test(written) && pattern.test(digits) && FOREIGN.test(digits) ? digits : undefined;
}

/** What is wrong with an entry, and what to do about it. */
interface Flaw {
	/** Such as "has an extension"; never the number. */
	flaw: string;
	remedy: string;
}

const UNKNOWN: Flaw = {
	flaw: 'is not a phone number that this node takes',
	remedy:
		'It takes mobile numbers of mainland China, landlines with their area code, such as 01012345678 or 01012345678-801, 400 and 800 numbers, and foreign numbers that begin with + or 00 and a country code. One such as 1.38E+10 was shortened by a spreadsheet: format its column as text.',
};

const NOT_FOUND: Flaw = { flaw: describeValue(MISSING_FIELD), remedy: FIND_FIELD };

const NO_MOBILE: Flaw = {
	flaw: 'is not a mobile number',
	remedy: 'An SMS does not reach a landline or a 400 or 800 number.',
};

const EXTENDED: Flaw = {
	flaw: 'has an extension',
	remedy: "It is probably a shop's privacy number, which can only be called.",
};

type NumberReading = { ok: true; number: PhoneNumber } | ({ ok: false } & Flaw);

function readNumber(entry: unknown): NumberReading {
	if (typeof entry === 'object') {
		return { ok: false, flaw: describeValue(entry), remedy: UNKNOWN.remedy };
	}
	const number = parsePhoneNumber(String(entry));
	if (number !== undefined) return { ok: true, number };
	return { ok: false, ...(entry === MISSING_FIELD ? NOT_FOUND : UNKNOWN) };
}

function readTextedNumber(entry: unknown): NumberReading {
	const reading = readNumber(entry);
	if (!reading.ok) return reading;

	const { number } = reading;
	if (!MOBILE.test(number.line) && !isForeign(number)) return { ok: false, ...NO_MOBILE };
	return number.key === number.line ? reading : { ok: false, ...EXTENDED };
}

/** Between the entries of a text; a comma at the end of a line and the line break are one. */
const SEPARATOR = /(?:[,，;；、][^\S\r\n]*)?(?:\r\n|[\r\n])|[,，;；、]/;

const MAX_LISTED = 10_000;

/** As long as the longest list with its separators; what is longer is not even split. */
const MAX_LENGTH = MAX_LISTED * (MAX_ENTRY_LENGTH + 1);

const MAX_NAMED = 20;

const SPLIT_LIST =
	'Each item takes one number. Put a Split Out node in front of this node: it turns each entry of a list into an item. To turn text with commas into a list first, use an Edit Fields node with an expression such as {{ $json.numbers.split(",") }}.';

export const callNumber = buildNumberValidator(readNumber);

export const smsNumber = buildNumberValidator(readTextedNumber);

/**
 * The phone numbers of an SMS, each once, from a list or from text separated by commas, semicolons
 * or line breaks: mobile and foreign numbers.
 */
export const smsNumbers: Validator<PhoneNumber[]> = (value, { displayName }) => {
	const numbers = new Map<string, PhoneNumber>();
	const bad: BadEntry[] = [];
	const entries = findEntries(value, displayName);
	for (const { entry, position } of entries) {
		const reading = readTextedNumber(entry);
		if (!reading.ok) {
			bad.push({ ...reading, position });
		} else if (!numbers.has(reading.number.key)) {
			numbers.set(reading.number.key, { ...reading.number, position });
		}
	}

	if (bad.length > 0) throw buildEntriesError(displayName, entries, bad);
	return [...numbers.values()];
};

function buildNumberValidator(read: (entry: unknown) => NumberReading): Validator<PhoneNumber> {
	return (value, { displayName }) => {
		const [{ entry }, ...others] = findEntries(value, displayName);
		if (Array.isArray(value) || others.length > 0) {
			throw new FieldError(displayName, 'is a list', SPLIT_LIST);
		}

		const reading = read(entry);
		if (!reading.ok) throw new FieldError(displayName, reading.flaw, reading.remedy);
		return reading.number;
	};
}

/** An entry, and its place in the list as somebody entered it, from 1. */
interface ListEntry {
	readonly entry: unknown;
	readonly position: number;
}

/**
 * The entries of a list, or of a text with separators: texts cleaned, other values unchanged. Empty
 * entries and those of hyphens alone are dropped, but count for the places of others. Texts with separators
 * inside a list all have the place of their text.
 *
 * @throws FieldError if there are none or too many
 */
export function findEntries(value: unknown, label: string): ListEntry[] {
	const list = Array.isArray(value) ? (value as unknown[]) : [value];
	const texts = list.filter((each) => typeof each === 'string');
	const length = texts.reduce((sum, each) => sum + each.length, 0);
	if (length > MAX_LENGTH) throw buildLengthError(label);

	const entries = list
		.flatMap((each, inList) => {
			const parts = typeof each === 'string' ? each.split(SEPARATOR).map(cleanCell) : [each];
			return parts.map((entry, inText) => ({
				entry,
				position: 1 + (list.length === 1 ? inText : inList),
			}));
		})
		.filter(({ entry }) => !isEmpty(entry) && !(typeof entry === 'string' && /^-+$/.test(entry)));
	if (entries.length === 0) throw buildEmptyError(label);
	if (entries.length > MAX_LISTED) throw buildLengthError(label);
	return entries;
}

const buildLengthError = (label: string) =>
	new FieldError(
		label,
		translate('is longer than a list of {max} numbers', { max: MAX_LISTED }),
		'Split the list into several items.',
	);

type BadEntry = Flaw & { position: number };

function buildEntriesError(label: string, { length }: unknown[], bad: BadEntry[]): FieldError {
	if (length === 1) return new FieldError(label, bad[0].flaw, bad[0].remedy);

	const named = bad.slice(0, MAX_NAMED);
	const entries = named.map(({ position, flaw }) =>
		translate('entry {position} {flaw}', { position, flaw: translate(flaw) }),
	);
	const rest = bad.length - named.length;
	if (rest > 0) entries.push(translate('{rest} more', { rest }));
	const list = entries.join(translate(', '));
	const flaw = translate('has entries that cannot be used: {list}', { list });
	const remedies = [...new Set(named.map(({ remedy }) => translate(remedy)))];
	return new FieldError(label, flaw, joinSentences(...remedies));
}

const FOREIGN_HINT =
	'A foreign number is being called or texted. Nobody has tried this with this node: try it with a number of your own before you rely on it.';

export const getForeignHints = (numbers: readonly PhoneNumber[]): string[] =>
	numbers.some(isForeign) ? [FOREIGN_HINT] : [];
