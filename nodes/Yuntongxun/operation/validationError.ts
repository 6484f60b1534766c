/** A form that must not be sent. The message holds both parts. */
export class ValidationError extends Error {
	override readonly name: string = 'ValidationError';

	/**
	 * @param summary what is wrong: one clause without a final period
	 * @param remedy what to do, in sentences
	 */
	constructor(
		readonly summary: string,
		readonly remedy = '',
	) {
		super([summary, remedy].filter(Boolean).join('. '));
	}
}

/** A value that must not be sent. */
export class FieldError extends ValidationError {
	override readonly name = 'FieldError';

	/**
	 * @param label name of the field in the form
	 * @param flaw what is wrong with its value, such as "is a list"; never a private value itself
	 * @param remedy what to do, in sentences
	 */
	constructor(label: string, flaw: string, remedy: string) {
		super(`'${label}' ${flaw}`, remedy);
	}
}

/** What n8n makes of `{{ $json.noSuchField }}` inside a text. */
const MISSING_FIELD = 'undefined';

/** Remedy where a text is the word `undefined`. */
export const FIND_FIELD =
	'The expression found no such field: check its name, and whether every item has it.';

/** Whether nothing was entered. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** Whether an expression wrote the word for a field that it did not find. */
export function isMissingField(value: unknown): boolean {
	return value === MISSING_FIELD;
}

/** Nothing was entered where something is required. */
export function buildEmptyError(label: string): FieldError {
	return new FieldError(
		label,
		'is empty',
		'Fill it in. If it is an expression, it gave nothing for this item.',
	);
}

/**
 * A value of the wrong kind, or out of bounds. A number is shown, a text never.
 *
 * @param flaw what is wrong with it, if its kind does not say it
 */
export function buildValueError(
	label: string,
	value: unknown,
	remedy: string,
	flaw = describeValue(value),
): FieldError {
	if (!isMissingField(value)) return new FieldError(label, flaw, remedy);
	return new FieldError(label, `is the word "${MISSING_FIELD}"`, `${FIND_FIELD} ${remedy}`);
}

/** A value in words: its kind, or the number that it is. */
export function describeValue(value: unknown): string {
	if (isEmpty(value)) return 'is empty';
	if (Array.isArray(value)) return 'is a list';
	if (isMissingField(value)) return `is the word "${MISSING_FIELD}"`;
	switch (typeof value) {
		case 'object':
			return 'is an object';
		case 'boolean':
		case 'number':
		case 'bigint':
			return `is ${value}`;
		case 'string':
			return isShortNumber(value) ? `is ${value.trim()}` : 'is text';
		default:
			return 'is no value';
	}
}

function isShortNumber(text: string): boolean {
	return text.length <= 20 && /^[+-]?\d+(?:\.\d+)?$/.test(text.trim());
}
