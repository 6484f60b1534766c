import { translate } from '../language/translate';
import type { Validator } from './field';
import { CHINA, isMainlandNumber, spellBeginning } from './numberIdentity';
import type { PhoneNumber } from './numberIdentity';
import { MAX_ENTRY_LENGTH, readNumber, splitLine } from './numberSpelling';
import { findEntries } from './phoneNumber';
import { FieldError } from './validationError';
import { trimmed } from './validators';

/** Tells whether a number, with or without an extension, may be reached. */
export type RecipientFilter = (number: PhoneNumber) => boolean;

/** Kept because most items of a run have the same list. */
let lastBuilt: { list: string; filter: RecipientFilter } | undefined;

/**
 * A list of allowed recipients: numbers, separated by commas, with `*` allowed behind. What could
 * never match is refused, since it would refuse everybody without saying why.
 */
export const recipientFilter: Validator<RecipientFilter | undefined> = (value, property, item) => {
	const list = trimmed(value, property, item);
	if (list === undefined) return undefined;
	if (lastBuilt?.list === list) return lastBuilt.filter;

	const entries = findEntries(list, property.displayName).map(String);
	if (entries.length === 0) {
		throw new FieldError(
			property.displayName,
			'contains no number',
			'Enter the numbers this node may contact, or remove the option to allow every number.',
		);
	}
	const allowed = entries.map(readEntry);
	const position = allowed.indexOf(undefined);
	if (position >= 0) {
		throw new FieldError(
			property.displayName,
			translate('has an entry that no number can match: entry {position}', {
				position: position + 1,
			}),
			'Enter a phone number, or its first digits followed by an asterisk, such as 1390000*.',
		);
	}

	const filter = buildFilter(allowed.filter((entry) => entry !== undefined));
	lastBuilt = { list, filter };
	return filter;
};

/**
 * Refuses recipients that the option Allowed Recipients does not let through.
 *
 * @throws FieldError
 */
export function requireAllowed(
	recipients: readonly PhoneNumber[],
	isAllowed: RecipientFilter,
): void {
	const position = recipients.findIndex((number) => !isAllowed(number));
	if (position < 0) return;

	const flaw =
		recipients.length === 1
			? 'is not in Allowed Recipients'
			: translate('has a number that is not in Allowed Recipients: entry {position}', {
					position: position + 1,
				});
	throw new FieldError(
		translate('To'),
		flaw,
		'If this node may contact it, add it to Allowed Recipients.',
	);
}

/** What an entry allows, spelled as keys are. */
interface AllowedEntry {
	kind: 'number' | 'start';
	text: string;
}

/** Reads an entry; undefined if no number can match it, or those of several countries could. */
function readEntry(entry: string): AllowedEntry | undefined {
	if (entry.length > MAX_ENTRY_LENGTH) return undefined;
	if (!entry.endsWith('*')) {
		const reading = readNumber(entry);
		return reading.ok ? { kind: 'number', text: reading.number.key } : undefined;
	}
	const beginning = entry.slice(0, -1).replace(/[()]/g, ' ').trim();
	const isExtended = splitLine(beginning).rest !== '';
	const start = isExtended ? undefined : spellBeginning(beginning.replace(/[- ]/g, ''));
	return start === undefined ? undefined : { kind: 'start', text: start };
}

/**
 * Builds a filter. `*` stands for part of the line, never of an extension; an entry with an extension
 * allows that extension only. All of China has no digits that merely look foreign without a `+`.
 */
function buildFilter(allowed: readonly AllowedEntry[]): RecipientFilter {
	const pick = (wanted: AllowedEntry['kind']) =>
		allowed.filter(({ kind }) => kind === wanted).map(({ text }) => text);
	const numbers = new Set(pick('number'));
	const starts = pick('start');

	return (number) => {
		const { key, line } = number;
		if (numbers.has(line) || numbers.has(key)) return true;
		return starts.some((start) =>
			start === CHINA ? isMainlandNumber(number) : line.startsWith(start),
		);
	};
}
