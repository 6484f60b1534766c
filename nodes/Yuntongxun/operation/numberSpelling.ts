import { translate } from '../language/translate';
import { CHINA, judgeExtent, lacksZero, toPhoneNumber } from './numberIdentity';
import type { PhoneNumber } from './numberIdentity';
import { describeValue, FIND_FIELD, GARBLED, isMissingField } from './validationError';

/** What is wrong with an entry, and what to do about it. */
export interface Flaw {
	/** Such as "has letters"; never the number. */
	flaw: string;
	remedy: string;
}

export type NumberReading = { ok: true; number: PhoneNumber } | ({ ok: false } & Flaw);

/** Longer entries are not matched against any pattern. */
export const MAX_ENTRY_LENGTH = 40;

const RULE = 'Enter a phone number of 5 to 20 digits.';

/**
 * The text of a cell with plain digits and marks and single blanks, and without what spreadsheets leave
 * around a number: quotes, an equals sign in front, marks that nobody sees.
 */
export const cleanCell = (written: string): string =>
	written
		.replace(/\p{Cf}/gu, '')
		.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
		.replace(/[\u2010-\u2015\u2212\u30fc\ufe58\ufe63]/g, '-')
		.replace(/["'`\u2018\u2019\u201c\u201d]/g, '')
		.replace(/\s+/g, ' ')
		.trim()
		.replace(/^=/, '');

/** How people write that an extension follows: in Chinese "transfer (to)", "extension (number)". */
const EXTENSION_MARK =
	/ ?-? ?(?:\u8f6c\u5206\u673a\u53f7|\u8f6c\u5206\u673a|\u8f6c\u63a5|\u8f6c|\u5206\u673a\u53f7|\u5206\u673a|\u8f49|\u5206\u6a5f|extension|ext|x(?=[.: ]*\d)|#)[.:]? ?/gi;

/**
 * Reads one number as people write it, and spells it as the service wants it: digits, for an extension a
 * hyphen. Specification sections 4.1 to 4.3; they say nothing of how many digits a number has.
 *
 * @param entry a cleaned cell, or a value that is no text
 */
export function readNumber(entry: unknown): NumberReading {
	if (typeof entry === 'object')
		return refuseEntry(describeValue(entry), 'Provide the number as text.');
	if (isMissingField(entry)) return refuseEntry(describeValue(entry), FIND_FIELD);
	const cell = String(entry);
	if (cell.length > MAX_ENTRY_LENGTH) {
		return refuseEntry(
			translate('has more than {max} characters', { max: MAX_ENTRY_LENGTH }),
			RULE,
		);
	}
	if (SHORTENED_CELL.test(cell)) return { ok: false, ...SHORTENED };

	const marked = markExtension(cell);
	const found = FLAWS.find(([shape]) => shape.test(marked));
	if (found !== undefined) return refuseEntry(found[1], found[2] ?? RULE);
	return readMarked(marked);
}

const refuseEntry = (flaw: string, remedy: string): NumberReading => ({ ok: false, flaw, remedy });

/** Writes `#` before an extension that is called one, and blanks for parentheses. */
const markExtension = (cell: string): string =>
	cell
		.replace(/\.0+$/, '')
		.replace(/(?<=\d) ?#$/, '')
		.replace(/(?<!86\)? ?)\(0\)/, '?')
		.replace(/[()]/g, ' ')
		.replace(EXTENSION_MARK, '#')
		.replace(/ *- */g, '-')
		.replace(/ +/g, ' ')
		.replace(/^\+ /, '+')
		.trim();

const SHORTENED_CELL = /^\+?\d+(?:\.\d+)? ?e ?\+?\d+$/i;

const SHORTENED: Flaw = {
	flaw: 'is in scientific notation, such as 1.38E+10',
	remedy: 'A spreadsheet shortened the number. Format its column as text and read the file again.',
};

const NO_COUNTRY: Flaw = {
	flaw: 'has a country code that does not exist',
	remedy:
		'A country code comes right after + or 00 and does not start with zero, such as +852. A mainland number needs none.',
};

/** What can be wrong with a number besides its hyphens and digits; the first match counts. */
const FLAWS: ReadonlyArray<readonly [shape: RegExp, flaw: string, remedy?: string]> = [
	[/\ufffd/, GARBLED.flaw, GARBLED.remedy],
	[/\p{L}/u, 'has letters'],
	[
		/\*/,
		'has asterisks in place of digits',
		'The number is masked. Get it from a source that shows all its digits.',
	],
	[/[^\d+# -]/, 'has a character that is not a digit'],
	[/.\+/, 'has a plus sign that is not at the beginning'],
	[/^\+?[-#]/, 'has no number before its hyphen or extension'],
	[/^(?:\+|00)[- ]*(?:0|86[- ]*0[- ]*0)/, NO_COUNTRY.flaw, NO_COUNTRY.remedy],
];

/** Police, fire brigade, ambulance, traffic police, in this city or behind an area code, however written. */
const EMERGENCY_LINE =
	/^\+?0*(?:86)?0*(?:10|2\d|(?![48]00)[3-8]\d\d|9(?!6)\d\d)?(?:110|119|120|122)$/;

const EMERGENCY: Flaw = {
	flaw: 'is an emergency number',
	remedy: 'This node never calls 110, 119, 120 or 122, however they are written.',
};

/**
 * What begins with such a line in its domestic form. No number begins with a shorter one, so a switch
 * connects as soon as it has three digits, whatever follows.
 */
const EMERGENCY_START =
	/^(?:86(?=\d{4}$|\d{7}))?0*(?:(?<=0)(?:10|2\d|[3-9]\d\d))?(?:110|119|120|122)\d/;

const BEGINS_AS_EMERGENCY: Flaw = {
	flaw: 'begins with an emergency number',
	remedy:
		'A switch may connect it after three digits. A foreign number needs + and its country code, a landline its area code in front.',
};

const WITHOUT_ZERO: Flaw = {
	flaw: 'has no zero in front of its area code',
	remedy:
		'A spreadsheet may have dropped it: format its column as text. A foreign number needs + and its country code.',
};

const HYPHENATED: Flaw = {
	flaw: 'has a hyphen inside the number',
	remedy:
		'Write the number in digits only. A hyphen starts an extension after a complete number with its area code, such as 01012345678-801.',
};

const FOLLOWED: Flaw = {
	flaw: 'has extra digits after a complete number',
	remedy:
		'An extension follows a hyphen, such as 01012345678-801. A second number needs an entry of its own.',
};

const BAD_EXTENSION: Flaw = {
	flaw: 'has an extension that is not 1 to 8 digits',
	remedy: 'An extension follows a hyphen, such as 01012345678-801.',
};

/** Reads a number of digits, blanks and hyphens, perhaps with `#` before an extension. */
function readMarked(marked: string): NumberReading {
	const [written, ...named] = marked.split('#');
	const split = splitLine(written);
	if (isEmergency(written)) return { ok: false, ...EMERGENCY };
	const flaw = findLineFlaw(written, split, named);
	if (flaw !== undefined) return { ok: false, ...flaw };

	const extension = named[0] ?? split.rest.slice(1);
	const digits = extension.replace(/ /g, '');
	const hasExtension = named.length > 0 || split.rest !== '';
	if (hasExtension && !/^\d{1,8}$/.test(digits)) return { ok: false, ...BAD_EXTENSION };
	const number = toPhoneNumber(hasExtension ? `${split.line}-${digits}` : split.line);
	const [sent] = number.text.split('-');
	if (isEmergency(sent)) return { ok: false, ...EMERGENCY };
	if (EMERGENCY_START.test(sent)) return { ok: false, ...BEGINS_AS_EMERGENCY };
	if (lacksZero(number)) return { ok: false, ...WITHOUT_ZERO };
	const counted = findCountFlaw(number);
	return counted === undefined ? { ok: true, number } : { ok: false, ...counted };
}

/** The digits up to where a line is whole, and what stands behind them with its blank or hyphen. */
interface SplitLine {
	line: string;
	rest: string;
	/** The digits that were added last, with the hyphen before them if there is one. */
	last: string;
}

/** Splits a number where it is whole. */
export function splitLine(written: string): SplitLine {
	const groups = written.trim().split(/(?=[- ])/);
	let line = '';
	for (const [at, group] of groups.entries()) {
		const extent = judgeExtent(line);
		if (extent === 'whole' || (extent === 'shortOfCity' && group.startsWith('-'))) {
			return { line, rest: groups.slice(at).join(''), last: groups[at - 1] };
		}
		line += group.replace(/^[- ]/, '');
	}
	return { line, rest: '', last: groups[groups.length - 1] };
}

/** Whether a number is an emergency line up to any of its blanks and hyphens. */
function isEmergency(written: string): boolean {
	const groups = written.split(/[- ]/);
	const beginnings = groups.map((_group, at) => groups.slice(0, at + 1).join(''));
	return beginnings.some((beginning) => EMERGENCY_LINE.test(beginning));
}

/** What is wrong with how a line is grouped and what stands behind it. */
function findLineFlaw(written: string, split: SplitLine, named: string[]): Flaw | undefined {
	const { line, rest, last } = split;
	if (rest.startsWith(' ')) return FOLLOWED;
	const extent = judgeExtent(line);
	const extensions = named.length + rest.split('-').length - 1;
	if (extensions > (extent === 'shortOfCity' ? 0 : 1)) return HYPHENATED;

	const isGrouped = written.slice(0, written.length - rest.length).includes('-');
	const isNamed = named.length > 0 && toPhoneNumber(line).line.startsWith(CHINA);
	if (extent === 'open' && (isGrouped || isNamed)) {
		return findMobileFlaw(toPhoneNumber(written.split('-')[0].replace(/ /g, ''))) ?? HYPHENATED;
	}
	// 0101234567-8 lacks a digit and has an extension, rather than a last group of one digit.
	if (!isGrouped || !/^-\d{1,2}$/.test(last)) return undefined;
	return findMobileFlaw(toPhoneNumber(line.slice(0, 1 - last.length))) ?? HYPHENATED;
}

/** What is wrong with the beginning of a number, or with how many digits it has; a country code's 00 is none of the five. */
function findCountFlaw(number: PhoneNumber): Flaw | undefined {
	// A zero may have met others only when blanks and parentheses were dropped.
	if (/^(?:\+|00)0/.test(number.text)) return NO_COUNTRY;

	const [sent] = number.text.split('-');
	const count = sent.replace('+', '').length;
	const isCounted = count <= 20 && sent.replace(/^(?:\+|00)/, '').length >= 5;
	return (
		findMobileFlaw(number) ?? (isCounted ? undefined : { flaw: countDigits(count), remedy: RULE })
	);
}

/** A mobile number with one digit too few or too many. */
function findMobileFlaw({ line }: PhoneNumber): Flaw | undefined {
	const [, digits] = /^\+86(?:86)?(1[3-9](?:\d{8}|\d{10}))$/.exec(line) ?? [];
	if (digits === undefined) return undefined;
	return { flaw: countDigits(digits.length), remedy: 'A mobile number has 11 digits.' };
}

const countDigits = (count: number): string =>
	count === 1 ? 'has 1 digit' : translate('has {count} digits', { count });
