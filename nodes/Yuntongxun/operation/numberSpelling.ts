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

/** What can be wrong with a number besides its hyphens and digits; the first match counts. */
const FLAWS: ReadonlyArray<readonly [shape: RegExp, flaw: string, remedy?: string]> = [
	[
		/^\+?\d+(?:\.\d+)? ?e ?\+?\d+$/i,
		'is in scientific notation, such as 1.38E+10',
		'A spreadsheet shortened the number. Format its column as text and read the file again.',
	],
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
];

const NO_COUNTRY: Flaw = {
	flaw: 'has a country code that does not exist',
	remedy:
		'A country code comes right after + or 00 and does not start with zero, such as +852. A mainland number needs none.',
};

/** Police, fire brigade, ambulance, traffic police, in this city or behind an area code, however written. */
const EMERGENCY_LINE =
	/^\+?0*(?:86)?0*(?:10|2\d|(?![48]00)[3-8]\d\d|9(?!6)\d\d)?(?:110|119|120|122)$/;

const EMERGENCY: Flaw = {
	flaw: 'is or begins with an emergency number',
	remedy:
		'This node never calls 110, 119, 120 or 122. A foreign number needs + and its country code, a landline its area code in front.',
};

/**
 * What begins with such a line in its domestic form. No number begins with a shorter one, so a switch
 * connects as soon as it has three digits, whatever follows.
 */
const EMERGENCY_START =
	/^(?:86(?=\d{4}$|\d{7}))?0*(?:(?<=0)(?:10|2\d|[3-9]\d\d))?(?:110|119|120|122)\d/;

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
	const hasExtension = named.length > 0 || split.rest !== '';
	const extension = (named[0] ?? split.rest.slice(1)).replace(/ /g, '');
	const number = toPhoneNumber(hasExtension ? `${split.line}-${extension}` : split.line);

	const flaw = findDigitFlaw(number) ?? findGroupFlaw(written, split, named);
	if (flaw !== undefined) return { ok: false, ...flaw };
	if (hasExtension && !/^\d{1,8}$/.test(extension)) return { ok: false, ...BAD_EXTENSION };
	return { ok: true, number };
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

/** What is wrong with the digits of a line; a country code's 00 is none of the five. */
function findDigitFlaw(number: PhoneNumber): Flaw | undefined {
	const { text, line } = number;
	const [sent] = text.split('-');
	if (/^\+(?:0|8600)/.test(line)) return NO_COUNTRY;
	if (EMERGENCY_LINE.test(sent) || EMERGENCY_START.test(sent)) return EMERGENCY;
	if (lacksZero(number)) return WITHOUT_ZERO;

	const [, mobile] = /^\+86(?:86)?(1[3-9](?:\d{8}|\d{10}))$/.exec(line) ?? [];
	if (mobile !== undefined) {
		return { flaw: countDigits(mobile.length), remedy: 'A mobile number has 11 digits.' };
	}
	const count = sent.replace('+', '').length;
	const isCounted = count <= 20 && sent.replace(/^(?:\+|00)/, '').length >= 5;
	return isCounted ? undefined : { flaw: countDigits(count), remedy: RULE };
}

const countDigits = (count: number): string =>
	count === 1 ? 'has 1 digit' : translate('has {count} digits', { count });

/** What is wrong with how a line is grouped and what stands behind it. */
function findGroupFlaw(
	written: string,
	{ line, rest, last }: SplitLine,
	named: string[],
): Flaw | undefined {
	if (rest.startsWith(' ')) return FOLLOWED;
	const extent = judgeExtent(line);
	const extensions = named.length + rest.split('-').length - 1;
	const isExtendedTooOften = extensions > (extent === 'shortOfCity' ? 0 : 1);

	const isGrouped = written.slice(0, written.length - rest.length).includes('-');
	const isNamed = named.length > 0 && toPhoneNumber(line).line.startsWith(CHINA);
	const isUnfinished = extent === 'open' && (isGrouped || isNamed);
	// 0101234567-8 lacks a digit and has an extension, rather than a last group of one digit.
	const endsInFew = isGrouped && /^-\d{1,2}$/.test(last);
	return isExtendedTooOften || isUnfinished || endsInFew ? HYPHENATED : undefined;
}
