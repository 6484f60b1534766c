/** A phone number, checked. Compare two by `key` or `line`, never by `text`. */
export interface PhoneNumber {
	/** As it is sent and shown: a mainland number in its domestic form, a foreign one as it was written. */
	readonly text: string;
	/** The same for all spellings of a number; with its extension, such as `+8601012345678-801`. */
	readonly key: string;
	/** The key of the line that is called, without an extension. */
	readonly line: string;
}

/**
 * Makes the value of a phone number. Its key has a `+`, a mainland number `+86`, and a landline the
 * zero of its area code after it. `+86`, `0086`, `86` and a zero in front of a mobile number make no
 * difference.
 *
 * @param written a number of digits, perhaps with a plus sign, and a hyphen before its extension
 */
export function toPhoneNumber(written: string): PhoneNumber {
	const [digits, ...extension] = written.split('-');
	const line = normalizeLine(digits);
	const sent = line.startsWith(CHINA) ? line.slice(CHINA.length) : digits;
	return { text: [sent, ...extension].join('-'), key: [line, ...extension].join('-'), line };
}

/** Begins the key of every mainland number. */
export const CHINA = '+86';

/** A landline without the zero of its area code. No area code is 400 or 800: those are service numbers. */
const LANDLINE = /^(?:(?:10|2\d)\d{8}|(?![48]00)[3-9]\d\d\d{7,8})$/;

/** A number such as 4008208820, which has no area code. */
const SERVICE_NUMBER = /^[48]00\d{7}$/;

function normalizeLine(written: string): string {
	const digits = written.replace(/^00/, '+');
	if (digits.startsWith(CHINA)) {
		const behind = digits.slice(CHINA.length);
		return `${CHINA}${spellDomestic(LANDLINE.test(behind) ? `0${behind}` : behind)}`;
	}
	return digits.startsWith('+') ? digits : `${CHINA}${spellDomestic(digits)}`;
}

/** Writes a domestic number in its one form: without 86, a mobile number without a zero. */
function spellDomestic(number: string): string {
	const [, mobile] = /^(?:86)?0?(1[3-9]\d{9})$/.exec(number) ?? [];
	if (mobile !== undefined) return mobile;

	const [, behind86] = /^86(\d+)$/.exec(number) ?? [];
	if (behind86 === undefined) return number;
	if (SERVICE_NUMBER.test(behind86)) return behind86;
	const landline = behind86.replace(/^0/, '');
	return LANDLINE.test(landline) ? `0${landline}` : number;
}

/** A mobile number, a landline with its area code or a service number, as its key has it. */
const WHOLE_NUMBER = /^\+86(?:1[3-9]\d{9}|0(?:10|2\d)\d{8}|0[3-9]\d\d\d{7,8}|[48]00\d{7})$/;

/**
 * Such as 10086, 12345, 95588 or 10106060; no line of a person. Behind a country code the same digits
 * may begin a landline: +86-951-200-2000.
 */
const SHORT_NUMBER = /^(?:1[0-2]\d{3}|9[56]\d{3,4}|1010\d{4})$/;

/** The same, of another city: 010-12345. */
const SHORT_BEHIND_AREA_CODE = /^\+860(?:10|2\d|[3-9]\d\d)(?:1[0-2]\d{3}|9[56]\d{3,4})$/;

/** Countries whose numbers have one length: North America, Hong Kong, Macao, Singapore, Taiwan's mobiles. */
const WHOLE_FOREIGN_NUMBER = /^\+(?:1\d{10}|(?:852|853|65)\d{8}|8869\d{8})$/;

/** How far digits are a line, as far as they tell. */
export type Extent =
	/** Whole: what follows behind a hyphen is an extension. */
	| 'whole'
	/** A short number of a city: nothing tells whether more of it follows. */
	| 'shortOfCity'
	| 'open';

/** Tells whether digits are a whole line, so that more behind them is something else. */
export function judgeExtent(digits: string): Extent {
	const line = normalizeLine(digits);
	if (SHORT_BEHIND_AREA_CODE.test(line)) return 'shortOfCity';
	const isLine = WHOLE_NUMBER.test(line) || WHOLE_FOREIGN_NUMBER.test(line);
	return isLine || SHORT_NUMBER.test(digits) ? 'whole' : 'open';
}

/**
 * Whether digits are a landline but for the zero of its area code, which spreadsheets drop. No number is
 * dialed so: a city would take the first seven or eight for a line of its own. 95 and 96 are for companies.
 */
export const lacksZero = ({ line }: PhoneNumber): boolean =>
	line.startsWith(CHINA) && LANDLINE.test(line.slice(CHINA.length)) && !/^\+869[56]/.test(line);

/** What a line is, as far as its digits tell. */
export type LineKind =
	/** A mobile number, a landline with its area code, or a service number of mainland China. */
	| 'known'
	/** A number with the country code of another country. */
	| 'foreign'
	| 'unknown';

/** Begins a service number: 400 and 800 have no area code, 95 is for companies. */
const SERVICE_START = /^\+86(?:[48]00|95)/;

/** Tells what a number reaches; only to give a hint, since it may be wrong. */
export function classifyLine({ line }: PhoneNumber): LineKind {
	if (!line.startsWith(CHINA)) return 'foreign';
	const known = [WHOLE_NUMBER, SHORT_BEHIND_AREA_CODE, SERVICE_START];
	return known.some((kind) => kind.test(line)) ? 'known' : 'unknown';
}

/** Whether a number can be one of mainland China: digits that are too many or too few are not. */
export const isMainlandNumber = (number: PhoneNumber): boolean =>
	/^\+86\d{5,8}$/.test(number.line) || classifyLine(number) === 'known';

/** How the key of a mainland number begins whose country code is written out: an area code gets its zero. */
const AREA_CODE_START = /^(?:10(?:[2-8]|$)|2|3|[5-7]|[48](?:[1-9]|0[1-9])|9[0-47-9])/;

/**
 * Spells the beginning of a number as keys begin, so that it can be compared with them.
 *
 * @param digits the first digits of a number, perhaps with a plus sign
 * @returns undefined if no number begins so, or numbers of several countries
 */
export function spellBeginning(digits: string): string | undefined {
	const written = digits.replace(/^00/, '+').replace(/^86/, CHINA);
	if (!/^\+?\d{1,20}$/.test(written) || /^\+(?:0|8$|8600)/.test(written)) return undefined;
	if (written.startsWith('+') && !written.startsWith(CHINA)) return written;

	const behind = written.replace(/^\+86/, '');
	const domestic = behind.replace(/^0(?=1[3-9])/, '');
	return written.startsWith('+') && AREA_CODE_START.test(domestic)
		? `${CHINA}0${domestic}`
		: `${CHINA}${domestic}`;
}
