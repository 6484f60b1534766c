import { translate } from '../language/translate';
import type { Validator } from './field';
import { canBegin, findEntries, isForeign, parsePhoneNumber } from './phoneNumber';
import type { PhoneNumber } from './phoneNumber';
import { FieldError } from './validationError';
import { trimmed } from './validators';

/** Tells whether a number, with or without an extension, may be reached. */
export type RecipientFilter = (number: PhoneNumber) => boolean;

/** Kept because most items of a run have the same list; reading a hundred entries takes half a millisecond. */
let lastBuilt: { list: string; filter: RecipientFilter } | undefined;

/**
 * A list of allowed recipients: numbers, or first digits as they are sent with `*` behind. What could
 * never match is refused, since it would refuse everybody without saying why.
 */
export const recipientFilter: Validator<RecipientFilter | undefined> = (value, property, item) => {
	const list = trimmed(value, property, item);
	if (list === undefined) return undefined;
	if (lastBuilt?.list === list) return lastBuilt.filter;

	const filters = findEntries(list, property.displayName).map(({ entry, position }) => {
		const filter = buildEntryFilter(String(entry));
		if (filter !== undefined) return filter;
		throw new FieldError(
			property.displayName,
			translate('has an entry that no number can match: entry {position}', { position }),
			'Enter a phone number, its first digits and an asterisk, such as 1390000*, 010* or +852*, or +86* for all of mainland China.',
		);
	});
	lastBuilt = { list, filter: (number) => filters.some((isAllowed) => isAllowed(number)) };
	return lastBuilt.filter;
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
	const refused = recipients.find((number) => !isAllowed(number));
	if (refused === undefined) return;

	const { position = 1 } = refused;
	throw new FieldError(
		translate('To'),
		translate('has a number that is not in Allowed Recipients: entry {position}', { position }),
		'If this node may contact it, add it to Allowed Recipients.',
	);
}

/**
 * Builds the filter of an entry; undefined if no number can match it. `*` stands for part of the line; an entry
 * with an extension allows that extension only.
 */
function buildEntryFilter(entry: string): RecipientFilter | undefined {
	if (!entry.endsWith('*')) {
		const allowed = parsePhoneNumber(entry)?.key;
		return allowed === undefined ? undefined : ({ key, line }) => [key, line].includes(allowed);
	}
	const start = entry
		.slice(0, -1)
		.replace(/[() -]/g, '')
		.replace(/^00/, '+');
	if (start === '+86') return (number) => !isForeign(number);
	return canBegin(start) ? ({ line }) => line.startsWith(start) : undefined;
}
