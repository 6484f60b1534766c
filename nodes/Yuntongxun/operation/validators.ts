import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { urlOf } from '../client/account';
import { fitsXml } from '../client/xml';
import { FieldError, isEmpty } from './validationError';
import type { ItemContext } from './itemContext';
import type { Validator } from './field';

/** Text, unchanged; numbers and booleans become text, an empty value undefined. */
export const text: Validator<string | undefined> = (value, property, item) => {
	if (isEmpty(value)) {
		if (property.required) throw new FieldError(property.displayName, 'is required', value);
		return undefined;
	}
	return textOf(value, property, item);
};

/** Text, unchanged, that holds more than blanks. */
export const visibleText: Validator<string | undefined> = (value, property, item) => {
	const given = text(value, property, item);
	if (given !== undefined && BLANK.test(given)) {
		throw new FieldError(property.displayName, 'must hold more than blanks', value);
	}
	return given;
};

const BLANK = /^[\s\u200b-\u200d\u2060\ufeff]*$/;

/** Text without surrounding blanks, for IDs, file names and addresses. */
export const trimmed: Validator<string | undefined> = (value, property, item) =>
	text(typeof value === 'string' ? value.trim() : value, property, item);

/** A whole number within the property's bounds, as text. */
export const whole: Validator<string | undefined> = (value, property, item) => {
	const number = wholeNumber(value, property, item);
	return number === undefined ? undefined : String(number);
};

/** A whole number within the property's bounds. */
export const wholeNumber: Validator<number | undefined> = (value, property) => {
	if (isEmpty(value)) return undefined;
	const { minValue = -Infinity, maxValue = Infinity } = property.typeOptions ?? {};
	const number =
		typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value;
	if (!Number.isSafeInteger(number) || Number(number) < minValue || Number(number) > maxValue) {
		throw new FieldError(
			property.displayName,
			`must be a whole number${boundsOf(minValue, maxValue)}`,
			value,
		);
	}
	return Number(number);
};

/** One of the property's options, which are those of the type. */
export function choice<T extends string>(value: unknown, property: INodeProperties): T {
	const values = (property.options ?? []).filter(isChoice).map((option) => option.value);
	if (typeof value === 'object' || !values.includes(String(value))) {
		throw new FieldError(
			property.displayName,
			`must be one of ${values.map((each) => `"${each}"`).join(', ')}`,
			value,
		);
	}
	return String(value) as T;
}

/** On or off. */
export const flag: Validator<boolean> = (value, property) => {
	const known = new Map<unknown, boolean>([
		[true, true],
		['true', true],
		[false, false],
		['false', false],
	]).get(value);
	if (known === undefined) {
		throw new FieldError(property.displayName, 'must be true or false', value);
	}
	return known;
};

/**
 * Text that matches a pattern.
 *
 * @param words what the pattern asks for, as in "must be 4 to 8 letters and digits"
 */
export function matching(pattern: RegExp, words: string): Validator<string | undefined> {
	return (value, property, item) => {
		const given = trimmed(value, property, item);
		if (given !== undefined && !pattern.test(given)) {
			throw new FieldError(property.displayName, `must be ${words}`, value);
		}
		return given;
	};
}

/** An absolute web address, unchanged. */
export const webAddress: Validator<string | undefined> = (value, property, item) => {
	const given = trimmed(value, property, item);
	if (given !== undefined && !isWebAddress(given)) {
		throw new FieldError(
			property.displayName,
			'must be a whole address that begins with http:// or https://',
			value,
		);
	}
	return given;
};

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

function spread(row: unknown): unknown[] {
	if (Array.isArray(row)) return row;
	return typeof row === 'object' && row !== null ? Object.values(row) : [row];
}

function textOf(value: unknown, property: INodeProperties, item: ItemContext): string {
	const isNumberless = typeof value === 'number' && !Number.isFinite(value);
	if (!['string', 'number', 'boolean', 'bigint'].includes(typeof value) || isNumberless) {
		throw new FieldError(property.displayName, 'must be text', value);
	}
	const written = String(value);
	if (item.inXml && !fitsXml(written)) {
		throw new FieldError(
			property.displayName,
			'must not have control characters or halves of characters when Data Format is XML',
			value,
		);
	}
	if (!written.isWellFormed()) {
		throw new FieldError(
			property.displayName,
			'must not have halves of characters, which are left over where an emoji is cut in two',
			value,
		);
	}
	return written;
}

function boundsOf(min: number, max: number): string {
	if (max === Infinity) return min === -Infinity ? '' : ` of at least ${min}`;
	return ` from ${min} to ${max}`;
}

const isChoice = (
	option: NonNullable<INodeProperties['options']>[number],
): option is INodePropertyOptions => 'value' in option;

/** `URL` quietly repairs missing slashes and drops control characters; other programs do not. */
function isWebAddress(given: string): boolean {
	return /^https?:\/\/(?![/?#])[^\s\p{Cc}]+$/iu.test(given) && urlOf(given) !== undefined;
}
