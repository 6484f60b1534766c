import { ExplainedError } from '../language/explainedError';
import { joinSentences, translate } from '../language/translate';

/** A form that must not be sent. */
export class ValidationError extends ExplainedError {
	override readonly name: string = 'ValidationError';
}

/** A value that must not be sent. */
export class FieldError extends ValidationError {
	override readonly name = 'FieldError';

	/**
	 * @param label name of the field in the form
	 * @param flaw what is wrong with its value, such as "is a list"; never a private value
	 * @param remedy what to do, in sentences
	 */
	constructor(label: string, flaw: string, remedy: string) {
		super(translate("'{label}' {flaw}", { label, flaw: translate(flaw) }), remedy);
	}
}

/** What n8n makes of `{{ $json.noSuchField }}` inside text. */
export const MISSING_FIELD = 'undefined';

/** Remedy for the word `undefined`. */
export const FIND_FIELD =
	'The expression found no such field: check its name, and whether every item has it.';

/** Builds the error for text with `{{` that n8n takes for text. */
export const buildUnevaluatedError = (label: string) =>
	new FieldError(
		label,
		'contains {{ that n8n does not evaluate',
		'Switch the field to Expression, and remove any backslash in front of {{.',
	);

export const isEmpty = (value: unknown): boolean =>
	value === undefined || value === null || value === '';

export const buildEmptyError = (label: string) =>
	new FieldError(
		label,
		'is empty',
		'Fill it in. If it is an expression, it returned nothing for this item.',
	);

/**
 * Builds the error for a value of the wrong kind, or out of bounds. It shows numbers, but no text.
 *
 * @param flaw what is wrong, if the kind of the value does not say it
 */
export function buildValueError(
	label: string,
	value: unknown,
	remedy: string,
	flaw = describeValue(value),
): FieldError {
	if (value !== MISSING_FIELD) return new FieldError(label, flaw, remedy);
	const found = joinSentences(translate(FIND_FIELD), translate(remedy));
	return new FieldError(label, describeValue(value), found);
}

/** Describes a value: its kind, or the number it is. */
export function describeValue(value: unknown): string {
	if (isEmpty(value)) return 'is empty';
	if (value === MISSING_FIELD) return translate('is the word "{word}"', { word: MISSING_FIELD });
	if (Array.isArray(value)) return 'is a list';
	if (typeof value === 'object' || typeof value === 'function') return 'is an object';
	if (typeof value === 'string' && !SHORT_NUMBER.test(value)) return 'is text';
	return translate('is {value}', { value: String(value).trim() });
}

const SHORT_NUMBER = /^\s?[+-]?\d{1,10}(?:\.\d{1,10})?\s?$/;
