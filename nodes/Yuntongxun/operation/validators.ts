import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { blankOutsideXml } from '../client/xml';
import { translate } from '../language/translate';
import type { Validator, ItemForm } from './field';
import { buildValueError, FieldError, isEmpty } from './validationError';

/**
 * Text, never refused for its words or characters: an alarm has to go out. Numbers and booleans become text, empty
 * values undefined.
 */
export const text: Validator<string | undefined> = (value, property, item) =>
	isEmpty(value) ? undefined : toWholeText(value, property, item);

/** Text without surrounding whitespace, for IDs, file names and addresses. */
export const trimmed: Validator<string | undefined> = (value, property, item) =>
	text(value, property, item)?.trim() || undefined;

/** Blanks, control and format characters, fillers, and halves of characters. */
const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const dropInvisible = (given: string): string => given.replace(INVISIBLE, '');

export const isVisible = (given: string): boolean => dropInvisible(given) !== '';

/** Text to speak, with a letter, a digit or a symbol in it. */
export const spokenText = addRule(
	text,
	(given) => /[\p{L}\p{N}\p{S}]/u.test(dropInvisible(given)),
	{ flaw: 'contains nothing that can be spoken', remedy: 'Enter a text with letters or digits.' },
);

/**
 * Text that matches a pattern.
 *
 * @param words what the pattern asks for, as in "4 to 8 letters and digits"
 */
export const matching = (pattern: RegExp, words: string) =>
	addRule(trimmed, (given) => pattern.test(given), {
		flaw: translate('is not {words}', { words: translate(words) }),
		remedy: translate('Enter {words}, and nothing else.', { words: translate(words) }),
	});

/** An id as the service makes them. */
export const lettersAndDigits = matching(/^[A-Za-z0-9]+$/, 'letters and digits');

/** An absolute web address, unchanged. */
export const webAddress = addRule(
	trimmed,
	// `URL` quietly repairs missing slashes and drops control characters; other programs do not.
	(given) => /^https?:\/\/(?![/?#])[^\s\p{Cc}]+$/iu.test(given) && URL.canParse(given),
	{
		flaw: 'is not a complete web address',
		remedy: 'Enter an address that begins with http:// or https:// and has no spaces in it.',
	},
);

/** Text, or an object or list, which is sent as JSON without characters that XML reads as markup. */
export const textOrJson: Validator<string | undefined> = (value, property, item) =>
	text(typeof value === 'object' && value !== null ? toEscapedJson(value) : value, property, item);

/** The service may put it into XML as it is, where a raw `&` or `<` would break the whole notification. */
const toEscapedJson = (value: object): string =>
	JSON.stringify(value).replaceAll('&', '\\u0026').replaceAll('<', '\\u003c');

/**
 * A list of texts that a person reads. Inner lists, and the values of plain objects, are spread in place; empty ones
 * and rows as n8n adds them are refused. Empty texts keep their place, others show something. Dates become ISO 8601 text.
 */
export const textList: Validator<string[] | undefined> = (value, property, item) => {
	const given = isEmpty(value) ? [] : listValues(value);
	const empty = given.findIndex((row) => isUnfilled(row, property));
	if (empty >= 0) {
		const flaw = translate('has an unfilled row, number {position}', { position: empty + 1 });
		throw new FieldError(property.displayName, flaw, FILL_ROW);
	}
	const rows = given.flatMap(listValues);
	if (rows.length === 0) return undefined;
	return rows.map((row) => (isEmpty(row) ? '' : toVisibleText(toIsoText(row), property, item)));
};

function toVisibleText(value: unknown, property: INodeProperties, item: ItemForm): string {
	const written = toWholeText(value, property, item);
	if (isVisible(written)) return written;
	const remedy = 'Enter some visible text, or leave the row empty.';
	throw new FieldError(property.displayName, 'has a row with only invisible characters', remedy);
}

/** Whether a row holds no value, or still what n8n puts into a new one: a copy of the whole default. */
function isUnfilled(row: unknown, { default: preset }: INodeProperties): boolean {
	if (listValues(row).length === 0) return true;
	if (!Array.isArray(row) || !Array.isArray(preset) || row.length !== preset.length) return false;
	return row.every((value, at) => value === preset[at]);
}

const FILL_ROW =
	'Fill it in or remove it. Where an expression returns an empty list, return empty text: the variables after it would move up.';

/**
 * Writes what has a text of its own in JSON as that: a date of JavaScript in UTC, n8n's `$now` in its own
 * zone. Other values stay, and so do dates that are none.
 */
function toIsoText(value: unknown): unknown {
	const { toJSON } = Object(value) as { toJSON?: unknown };
	return typeof toJSON === 'function' ? ((toJSON.call(value) as unknown) ?? value) : value;
}

/** The values of a list or an object, but for dates; a list with anything else. */
function listValues(value: unknown): unknown[] {
	const written = toIsoText(value);
	const isSeveral = typeof written === 'object' && written !== null;
	return isSeveral ? Object.values(value as object) : [value];
}

/** File names from a list or from text with semicolons, joined as the service wants them. */
export const fileNames: Validator<string | undefined> = (value, property, item) => {
	const names = (Array.isArray(value) ? (value as unknown[]) : [value])
		.flatMap((entry) => (typeof entry === 'string' ? entry.split(/[;\uff1b]/) : [entry]))
		.map((name) => trimmed(name, property, item))
		.filter((name) => name !== undefined);
	return text(names.join(';'), property, item);
};

/** A whole number within the property's bounds, as text. */
export const integerText: Validator<string | undefined> = (value, property, item) =>
	wholeNumber(value, property, item)?.toString();

/** A whole number within the property's bounds, of which the lower one is needed. */
export const wholeNumber: Validator<number | undefined> = (value, property) => {
	if (isEmpty(value)) return undefined;
	const { minValue = NaN, maxValue = Infinity } = property.typeOptions ?? {};
	const number = parseInteger(value);
	if (minValue <= number && number <= maxValue) return number;

	const bounds =
		maxValue === Infinity
			? translate('Use a whole number of at least {minValue}.', { minValue })
			: translate('Use a whole number from {minValue} to {maxValue}.', { minValue, maxValue });
	throw buildValueError(property.displayName, value, bounds);
};

/** Reads a whole number, or text with one; NaN for anything else. */
function parseInteger(value: unknown): number {
	const isWritten =
		typeof value === 'string' && value.length <= 40 && /^[+-]?\d+$/.test(value.trim());
	const number = typeof value === 'number' || isWritten ? Number(value) : NaN;
	return Number.isSafeInteger(number) ? number : NaN;
}

/** One of the property's options. T must name the same values; the compiler cannot check this. */
export function choice<T extends string>(value: unknown, property: INodeProperties): T {
	const values = ((property.options ?? []) as INodePropertyOptions[]).map((each) => each.value);
	if (typeof value !== 'object' && values.includes(String(value))) return String(value) as T;
	const choices = values.map((each) => `"${each}"`).join(', ');
	const remedy = translate('Use {choices}.', { choices });
	const flaw = typeof value === 'string' ? 'is not one of its choices' : undefined;
	throw buildValueError(property.displayName, value, remedy, flaw);
}

export const boolean: Validator<boolean> = (value, property) => {
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	throw buildValueError(property.displayName, value, 'Use true or false.');
};

/** Adds a rule to a validator. @param passes whether text is fine; if not, the rest says why */
function addRule(
	validate: Validator<string | undefined>,
	passes: (given: string) => boolean,
	{ flaw, remedy }: { flaw: string; remedy: string },
): Validator<string | undefined> {
	return (value, property, item) => {
		const given = validate(value, property, item);
		if (given === undefined || passes(given)) return given;
		throw buildValueError(property.displayName, value, remedy, flaw);
	};
}

const TEXT_TYPES = new Set(['string', 'number', 'boolean', 'bigint']);

/** Text without halves of characters, and in XML with blanks for what XML cannot carry. */
function toWholeText(
	value: unknown,
	{ displayName }: INodeProperties,
	{ inXml }: ItemForm,
): string {
	const isNotFinite = typeof value === 'number' && !Number.isFinite(value);
	if (!TEXT_TYPES.has(typeof value) || isNotFinite) {
		const remedy = 'Use a text: an expression such as {{ $json.name }} takes one field of an item.';
		throw buildValueError(displayName, value, remedy);
	}
	const whole = String(value).replace(/\p{Surrogate}/gu, '');
	return inXml ? blankOutsideXml(whole) : whole;
}
