const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/*
 * Errors are recognized by their members, not by their class: Jest gives each test file its own
 * Error, and Node's errors are not instances of that.
 */

/** The `code` of an error of Node, or an empty text. */
export const getCode = (error: unknown): string =>
	isObject(error) && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** What an error says. */
export const getMessage = (error: unknown): string =>
	isObject(error) && 'message' in error && typeof error.message === 'string'
		? error.message
		: String(error);
