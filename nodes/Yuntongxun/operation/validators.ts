import type { INodeProperties } from 'n8n-workflow';

import { parseUrl } from '../util/url';
import { fitsXml } from '../client/xml';
import type { Validator } from './field';
import type { ItemForm } from './itemForm';
import { FieldError, isEmpty } from './validationError';

/** Text, unchanged; numbers and booleans become text, an empty value undefined. */
export const text: Validator<string | undefined> = (value, property, item) => {
	if (!isEmpty(value)) return textOf(value, property, item);
	if (property.required) throw new FieldError(property.displayName, 'is required', value);
	return undefined;
};

/** Text without surrounding blanks, for IDs, file names and addresses. */
export const trimmed: Validator<string | undefined> = (value, property, item) =>
	text(typeof value === 'string' ? value.trim() : value, property, item);

/** What a person typed without blanks, those without width included, and in plain digits. */
export const plainText = (typed: string): string =>
	typed
		.replace(/[\s\u200b-\u200d\u2060\ufeff]/g, '')
		.replace(/[\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) - 0xff10));

/** Text, unchanged, that holds more than blanks. */
export const visibleText = ruled(
	text,
	(given) => plainText(given) !== '',
	'must hold more than blanks',
);

/**
 * Text that matches a pattern.
 *
 * @param words what the pattern asks for, as in "must be 4 to 8 letters and digits"
 */
export const matching = (pattern: RegExp, words: string) =>
	ruled(trimmed, (given) => pattern.test(given), `must be ${words}`);

/** An absolute web address, unchanged. */
export const webAddress = ruled(
	trimmed,
	// `URL` quietly repairs missing slashes and drops control characters; other programs do not.
	(given) => /^https?:\/\/(?![/?#])[^\s\p{Cc}]+$/iu.test(given) && parseUrl(given) !== undefined,
	'must be a whole address that begins with http:// or https://',
);

/** Text, or an object or list, which is sent as JSON. */
export const textOrJson: Validator<string | undefined> = (value, property, item) =>
	text(typeof value === 'object' && value !== null ? JSON.stringify(value) : value, property, item);

/**
 * A list of texts. An inner list is spread in place, and so are the values of an object, in their
 * order; an empty row keeps its place.
 */
export const texts: Validator<string[] | undefined> = (value, property, item) => {
	const rows = isEmpty(value) ? [] : [value].flat().flatMap(spread);
	return rows.length === 0
		? undefined
		: rows.map((row) => (isEmpty(row) ? '' : textOf(row, property, item)));
};

/** A whole number within the property's bounds, as text. */
export const whole: Validator<string | undefined> = (value, property, item) =>
	wholeNumber(value, property, item)?.toString();

/** A whole number within the property's bounds. */
export const wholeNumber: Validator<number | undefined> = (value, property) => {
	if (isEmpty(value)) return undefined;
	const { minValue = -Infinity, maxValue = Infinity } = property.typeOptions ?? {};
	const isWritten = typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value);
	const number = typeof value === 'number' || isWritten ? Number(value) : NaN;
	if (Number.isSafeInteger(number) && minValue <= number && number <= maxValue) return number;
	const bounds =
		maxValue === Infinity ? ` of at least ${minValue}` : ` from ${minValue} to ${maxValue}`;
	const rule = `must be a whole number${minValue === -Infinity ? '' : bounds}`;
	throw new FieldError(property.displayName, rule, value);
};

/** One of the property's options, which are those of the type. */
export function choice<T extends string>(value: unknown, property: INodeProperties): T {
	const values = (property.options ?? []).flatMap((each) => ('value' in each ? [each.value] : []));
	if (typeof value !== 'object' && values.includes(String(value))) return String(value) as T;
	const rule = `must be one of ${values.map((each) => `"${each}"`).join(', ')}`;
	throw new FieldError(property.displayName, rule, value);
}

/** On or off. */
export const flag: Validator<boolean> = (value, property) => {
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	throw new FieldError(property.displayName, 'must be true or false', value);
};

/** A validator that asks for more: what its text has to pass, and the rule in words. */
function ruled(
	validate: Validator<string | undefined>,
	passes: (given: string) => boolean,
	rule: string,
): Validator<string | undefined> {
	return (value, property, item) => {
		const given = validate(value, property, item);
		if (given === undefined || passes(given)) return given;
		throw new FieldError(property.displayName, rule, value);
	};
}

function spread(row: unknown): unknown[] {
	return typeof row === 'object' && row !== null ? Object.values(row) : [row];
}

function textOf(value: unknown, { displayName }: INodeProperties, item: ItemForm): string {
	const isNumberless = typeof value === 'number' && !Number.isFinite(value);
	if (!['string', 'number', 'boolean', 'bigint'].includes(typeof value) || isNumberless) {
		throw new FieldError(displayName, 'must be text', value);
	}
	const written = String(value);
	if (item.inXml && !fitsXml(written)) {
		throw new FieldError(
			displayName,
			'must not have control characters or halves of characters when Data Format is XML',
			value,
		);
	}
	if (written.isWellFormed()) return written;
	throw new FieldError(
		displayName,
		'must not have halves of characters, which are left over where an emoji is cut in two',
		value,
	);
}
