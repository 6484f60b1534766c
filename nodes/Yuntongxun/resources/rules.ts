import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { urlOf } from '../service/account';
import { fitsXml, isWhole } from '../service/wireFormat';
import { FieldRefusal, isEmpty } from './form';
import type { Form, Rule } from './form';

/** Text as it stands; numbers and booleans are written out, nothing at all is left out. */
export const text: Rule<string | undefined> = (value, property, form) => {
	if (isEmpty(value)) {
		if (property.required) throw new FieldRefusal(property.displayName, 'is required', value);
		return undefined;
	}
	return textOf(value, property, form);
};

/** Text without the blanks around it, for ids, names of files and addresses. */
export const trimmed: Rule<string | undefined> = (value, property, form) =>
	text(typeof value === 'string' ? value.trim() : value, property, form);

/** A whole number between the property's bounds, written out. */
export const whole: Rule<string | undefined> = (value, property, form) => {
	const number = wholeNumber(value, property, form);
	return number === undefined ? undefined : String(number);
};

/** A whole number between the property's bounds. */
export const wholeNumber: Rule<number | undefined> = (value, property) => {
	if (isEmpty(value)) return undefined;
	const { minValue = -Infinity, maxValue = Infinity } = property.typeOptions ?? {};
	const number =
		typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value;
	if (!Number.isSafeInteger(number) || Number(number) < minValue || Number(number) > maxValue) {
		throw new FieldRefusal(
			property.displayName,
			`must be a whole number${boundsOf(minValue, maxValue)}`,
			value,
		);
	}
	return Number(number);
};

/** One of the property's own choices. */
export const choice: Rule<string> = (value, property) => {
	const values = (property.options ?? []).filter(isChoice).map((option) => option.value);
	if (typeof value === 'object' || !values.includes(String(value))) {
		throw new FieldRefusal(
			property.displayName,
			`must be one of ${values.map((each) => `"${each}"`).join(', ')}`,
			value,
		);
	}
	return String(value);
};

/** On or off. */
export const flag: Rule<boolean> = (value, property) => {
	const known = new Map<unknown, boolean>([
		[true, true],
		['true', true],
		[false, false],
		['false', false],
	]).get(value);
	if (known === undefined) {
		throw new FieldRefusal(property.displayName, 'must be true or false', value);
	}
	return known;
};

/**
 * Text that follows a pattern.
 *
 * @param words what the pattern asks for, following "must be"
 */
export function matching(pattern: RegExp, words: string): Rule<string | undefined> {
	return (value, property, form) => {
		const given = trimmed(value, property, form);
		if (given !== undefined && !pattern.test(given)) {
			throw new FieldRefusal(property.displayName, `must be ${words}`, value);
		}
		return given;
	};
}

/** An absolute web address, sent as it was given. */
export const webAddress: Rule<string | undefined> = (value, property, form) => {
	const given = trimmed(value, property, form);
	if (given !== undefined && !isWebAddress(given)) {
		throw new FieldRefusal(
			property.displayName,
			'must be a whole address that begins with http:// or https://',
			value,
		);
	}
	return given;
};

/** Text, or an object or list, which goes out as JSON. */
export const textOrJson: Rule<string | undefined> = (value, property, form) =>
	text(typeof value === 'object' && value !== null ? JSON.stringify(value) : value, property, form);

/** A list of texts, in which an inner list is spread in place and an empty one keeps its place. */
export const texts: Rule<string[] | undefined> = (value, property, form) => {
	const rows = isEmpty(value) ? [] : [value].flat(2);
	return rows.length === 0
		? undefined
		: rows.map((row) => (isEmpty(row) ? '' : textOf(row, property, form)));
};

function textOf(value: unknown, property: INodeProperties, form: Form): string {
	const isNumberless = typeof value === 'number' && !Number.isFinite(value);
	if (!['string', 'number', 'boolean', 'bigint'].includes(typeof value) || isNumberless) {
		throw new FieldRefusal(property.displayName, 'must be text', value);
	}
	const written = String(value);
	if (form.inXml && !fitsXml(written)) {
		throw new FieldRefusal(
			property.displayName,
			'must not have control characters or halves of characters when the wire format is XML',
			value,
		);
	}
	if (!isWhole(written)) {
		throw new FieldRefusal(
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

/**
 * The parser of addresses mends what others take for another address, or for none: slashes that are
 * missing, and control characters, which it drops at the end only.
 */
function isWebAddress(given: string): boolean {
	return /^https?:\/\/(?![/?#])[^\s\p{Cc}]+$/iu.test(given) && urlOf(given) !== undefined;
}
