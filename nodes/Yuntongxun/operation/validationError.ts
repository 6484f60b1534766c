/** A form that must not be sent; the message says what the user has to change. */
export class ValidationError extends Error {
	override readonly name: string = 'ValidationError';
}

/** A value that must not be sent. The message names the field, the rule and the kind of value. */
export class FieldError extends ValidationError {
	override readonly name = 'FieldError';

	/**
	 * @param validate what the field asks for, such as "must be a whole number"
	 * @param value may be private, so the message tells its kind only
	 */
	constructor(label: string, validate: string, value: unknown) {
		super(`'${label}' ${validate}, but it holds ${kindOf(value)}`);
	}
}

/** Whether nothing was entered. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

function kindOf(value: unknown): string {
	if (isEmpty(value)) return 'nothing';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	if (typeof value === 'boolean') return 'true or false';
	return typeof value === 'number' ? 'a number' : 'text';
}
