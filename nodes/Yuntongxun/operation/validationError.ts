/** A form that must not be sent; the message says what the user has to change. */
export class ValidationError extends Error {
	override readonly name: string = 'ValidationError';
}

/** A value that must not be sent. The message names the field, the rule and the kind of value. */
export class FieldError extends ValidationError {
	override readonly name = 'FieldError';

	/**
	 * @param rule what the field asks for, such as "must be a whole number"
	 * @param value may be private, so the message tells its kind only
	 * @param flaw what is wrong with it, in words that do not give it away
	 */
	constructor(label: string, rule: string, value: unknown, flaw = `it holds ${kindOf(value)}`) {
		super(`'${label}' ${rule}, but ${flaw}`);
	}
}

/** Whether nothing was entered. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** The kind of a value, in words. */
export function kindOf(value: unknown): string {
	if (isEmpty(value)) return 'nothing';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	if (typeof value === 'boolean') return 'true or false';
	return typeof value === 'number' ? 'a number' : 'text';
}
