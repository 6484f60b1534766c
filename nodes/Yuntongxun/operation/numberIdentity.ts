/** Matches what begins like a mobile number of mainland China. */
export const MOBILE_START = /^1[3-9]/;

/** A mobile number as it may be dialed within the country. */
const DOMESTIC_MOBILE = /^(?:86)?0?(1[3-9]\d{9})$/;

/** A landline without the zero of its area code. No area code is 400 or 800: those are service numbers. */
const LANDLINE = /^(?:(?:10|2\d)\d{8}|(?![48]00)[3-9]\d\d\d{7,8})$/;

/** A phone number, checked. Compare two by `key` or `line`, never by `text`. */
export interface PhoneNumber {
	/** As it is sent and shown. */
	readonly text: string;
	/** The same for all spellings of a number; with its extension, such as `+8601012345678-801`. */
	readonly key: string;
	/** The key of the line that is called, without an extension. */
	readonly line: string;
}

/**
 * Makes the value of a phone number. Its key has a `+`, a mainland number `+86`, and a landline the
 * zero of its area code after it. `86`, `0` or both in front make no difference.
 *
 * @param text of a number that was checked, with at most one hyphen, before its extension
 */
export function toPhoneNumber(text: string): PhoneNumber {
	const [written, ...extension] = text.replace(/^00/, '+').split('-');
	const line = normalizeLine(written);
	return { text, key: [line, ...extension].join('-'), line };
}

function normalizeLine(line: string): string {
	if (line.startsWith('+86')) return `+86${toDomestic(line.slice('+86'.length))}`;
	if (line.startsWith('+')) return line;

	const [, mobile] = DOMESTIC_MOBILE.exec(line) ?? [];
	if (mobile !== undefined) return `+86${mobile}`;

	const behind86 = line.startsWith('86') ? line.slice('86'.length) : '';
	const isDomestic = SERVICE_NUMBER.test(behind86) || LANDLINE.test(behind86.replace(/^0/, ''));
	return isDomestic ? `+86${toDomestic(behind86)}` : `+86${line}`;
}

/** What a line is, as far as its digits tell. */
export type LineKind =
	/** A mobile number, a landline with its area code, or a service number of mainland China. */
	| 'known'
	/** Seven or eight digits: a landline whose area code is probably missing. */
	| 'withoutAreaCode'
	/** A number with the country code of another country. */
	| 'foreign'
	| 'unknown';

/** Begins a service number: 400 and 800 have no area code, 95 is for companies. */
const SERVICE_START = /^(?:[48]00|95)/;

/** Tells what a number reaches; only to give a hint, since it may be wrong. */
export function classifyLine({ line }: PhoneNumber): LineKind {
	if (!line.startsWith('+86')) return 'foreign';
	const domestic = line.slice('+86'.length);
	const isLandline = domestic.startsWith('0') && LANDLINE.test(domestic.slice(1));
	if (isLandline || DOMESTIC_MOBILE.test(domestic) || SERVICE_START.test(domestic)) return 'known';
	return /^\d{7,8}$/.test(domestic) ? 'withoutAreaCode' : 'unknown';
}

/** A number such as 4008208820, which has no area code. */
const SERVICE_NUMBER = /^[48]00\d{7}$/;

/** Writes what follows +86 in its one form: a landline with a zero, a mobile number without. */
function toDomestic(number: string): string {
	const [, mobile] = DOMESTIC_MOBILE.exec(number) ?? [];
	if (mobile !== undefined) return mobile;
	return LANDLINE.test(number) ? `0${number}` : number;
}
