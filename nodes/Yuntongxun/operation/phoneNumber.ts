import { joinSentences, translate } from '../language/translate';
import type { Validator } from './field';
import { classifyLine } from './numberIdentity';
import type { LineKind, PhoneNumber } from './numberIdentity';
import { cleanCell, MAX_ENTRY_LENGTH, readNumber } from './numberSpelling';
import type { Flaw, NumberReading } from './numberSpelling';
import { buildEmptyError, FieldError, isEmpty } from './validationError';

/** Between the entries of a text. */
const SEPARATOR = /\r\n|[,，;；、\r\n]/;

/** Limits of an item's list. */
const MAX_LISTED = 10_000;

/** As long as the longest list with its separators; what is longer is not even split. */
const MAX_LENGTH = MAX_LISTED * (MAX_ENTRY_LENGTH + 1);

/** How many bad entries of a list an error names. */
const MAX_NAMED = 20;

const SPLIT_LIST =
	'Each item takes one number. Put a Split Out node in front of this node: it turns each entry of a list into an item. To turn text with commas into a list first, use an Edit Fields node with an expression such as {{ $json.numbers.split(",") }}.';

const EXTENDED: Flaw = {
	flaw: 'has an extension',
	remedy: 'An SMS cannot reach an extension. Enter the number without it.',
};

/** One phone number to call: 5 to 20 digits, perhaps with an extension of 1 to 8 digits. */
export const callNumber = buildNumberValidator(readNumber);

/** One phone number of an SMS, by the rules of {@link smsNumbers}. */
export const smsNumber = buildNumberValidator(readTextedNumber);

/**
 * The phone numbers of an SMS, each once, from a list or from text separated by commas, semicolons
 * or line breaks: what can be called, without extensions.
 */
export const smsNumbers: Validator<PhoneNumber[]> = (value, { displayName }) => {
	const numbers = new Map<string, PhoneNumber>();
	const bad: Array<Flaw & { position: number }> = [];
	const entries = findEntries(value, displayName);
	for (const [index, entry] of entries.entries()) {
		const reading = readTextedNumber(entry);
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

function readTextedNumber(entry: unknown): NumberReading {
	const reading = readNumber(entry);
	const isExtended = reading.ok && reading.number.key !== reading.number.line;
	return isExtended ? { ok: false, ...EXTENDED } : reading;
}

function buildNumberValidator(read: (entry: unknown) => NumberReading): Validator<PhoneNumber> {
	return (value, { displayName }) => {
		const [entry, ...others] = findEntries(value, displayName);
		if (entry === undefined) throw buildEmptyError(displayName);
		if (Array.isArray(value)) throw new FieldError(displayName, 'is a list', SPLIT_LIST);
		if (others.length > 0) {
			throw new FieldError(displayName, 'has more than one number', SPLIT_LIST);
		}

		const reading = read(entry);
		if (!reading.ok) throw new FieldError(displayName, reading.flaw, reading.remedy);
		return reading.number;
	};
}

/**
 * The entries of a list, or of a text with separators: texts cleaned, other values unchanged. Empty
 * entries and those of hyphens alone are dropped.
 *
 * @throws FieldError if there are too many
 */
export function findEntries(value: unknown, label: string): unknown[] {
	const list = Array.isArray(value) ? (value as unknown[]) : [value];
	const texts = list.filter((each) => typeof each === 'string');
	const length = texts.reduce((sum, each) => sum + each.length, 0);
	if (length > MAX_LENGTH) throw buildLengthError(label);

	const entries = list
		.flatMap((each) => (typeof each === 'string' ? each.split(SEPARATOR).map(cleanCell) : [each]))
		.filter((each) => !isEmpty(each) && !(typeof each === 'string' && /^-+$/.test(each)));
	if (entries.length > MAX_LISTED) throw buildLengthError(label);
	return entries;
}

const buildLengthError = (label: string) =>
	new FieldError(
		label,
		translate('is longer than a list of {max} numbers', { max: MAX_LISTED }),
		'Split the list into several items.',
	);

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

/** Hints about a number to call. */
export function getCalledNumberHints(number: PhoneNumber): string[] {
	const hint = HINTS_OF_CALL[classifyLine(number)];
	return hint === undefined ? [] : [hint];
}

const HINTS_OF_CALL: Record<LineKind, string | undefined> = {
	known: undefined,
	foreign:
		'A foreign number is being called. Nobody has tried this with this node: place a test call before you rely on it.',
	unknown:
		'A number being called is neither a mobile number nor a landline with its area code, such as 010. Check that no digit is missing.',
};

/** Hints about the numbers of an SMS. */
export const getTextedNumberHints = (numbers: readonly PhoneNumber[]): string[] =>
	numbers.some((number) => classifyLine(number) === 'foreign') ? [FOREIGN_SMS] : [];

const FOREIGN_SMS =
	'A foreign number is being texted. Nobody has tried this with this node: send a test SMS before you rely on it.';
