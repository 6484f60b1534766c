import { translate } from '../language/translate';
import type { Validator } from './field';
import { MOBILE_START } from './numberIdentity';
import type { PhoneNumber } from './numberIdentity';
import { findCallEntries, isCallNumber, MAX_ENTRY_LENGTH, readOtherNumber } from './phoneNumber';
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

	const entries = findCallEntries(list, property.displayName).map(toPlainAsterisk);
	if (entries.length === 0) {
		throw new FieldError(
			property.displayName,
			'names no number',
			'Enter the numbers that may be reached, or remove the option to allow every number.',
		);
	}
	const position = entries.findIndex((entry) => !canMatch(entry));
	if (position >= 0) {
		throw new FieldError(
			property.displayName,
			translate('has an entry that no number can match: entry {position}', {
				position: position + 1,
			}),
			'Enter a phone number, or its first digits with an asterisk behind, such as 1390000*.',
		);
	}

	const filter = buildFilter(entries);
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
			? 'is not one of Allowed Recipients'
			: translate('has a number that is not one of Allowed Recipients: entry {position}', {
					position: position + 1,
				});
	throw new FieldError(translate('To'), flaw, 'Add it to Allowed Recipients if it may be reached.');
}

const toPlainAsterisk = (entry: string): string => entry.replace(/\uff0a/g, '*');

/** A hyphen after a whole line begins its extension. */
const WITH_EXTENSION = /^\+?\d{10,}-/;

/** Whether any number at all can match an entry. */
function canMatch(entry: string): boolean {
	if (entry.length > MAX_ENTRY_LENGTH) return false;
	if (entry.endsWith('*')) return canBegin(entry);
	return isCallNumber(readOtherNumber(entry));
}

function canBegin(entry: string): boolean {
	// Like `+*`: what 00 stands for begins every normalized number, so it would allow everybody.
	if (dropHyphens(entry) === '00*') return false;
	return /^\+?\d[\d-]*\*$/.test(entry) && !WITH_EXTENSION.test(entry);
}

/**
 * Builds a filter. `*` stands for part of the line, never of an extension; an entry with an extension
 * allows that extension only.
 */
function buildFilter(entries: readonly string[]): RecipientFilter {
	const numbers = new Set<string>();
	const starts: string[] = [];
	for (const entry of entries) {
		if (entry.endsWith('*')) starts.push(...findStarts(dropHyphens(entry.slice(0, -1))));
		else numbers.add(readOtherNumber(entry).key);
	}

	return ({ key, line }) =>
		numbers.has(line) || numbers.has(key) || starts.some((start) => line.startsWith(start));
}

const dropHyphens = (entry: string): string => entry.replace(/-/g, '');

/**
 * How normalized numbers begin that can be written with this beginning. A bare zero counts as a
 * landline's: `0*` does not allow 013800000000.
 */
function findStarts(beginning: string): string[] {
	const start = beginning === '86' ? '+86' : beginning.replace(/^00/, '+');
	if (start.startsWith('+86')) return findDomesticStarts(start.slice('+86'.length));
	if (start.startsWith('+')) return [start];

	const [, mobile] = /^(?:86|0)?(1[3-9]\d*)$/.exec(start) ?? [];
	if (mobile !== undefined) return [`+86${mobile}`];

	const local = `+86${start}`;
	const [, behind86] = /^86([1-9]\d*)$/.exec(start) ?? [];
	return behind86 === undefined ? [local] : [local, ...findDomesticStarts(behind86)];
}

/** The same for what is written after +86. A landline is written without its zero there. */
function findDomesticStarts(beginning: string): string[] {
	const asWritten = `+86${beginning}`;
	if (beginning === '' || beginning.startsWith('0') || MOBILE_START.test(beginning)) {
		return [asWritten];
	}
	return [asWritten, `+860${beginning}`];
}
