const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/*
 * Errors are told by their members, not by their class: a test runner that gives every test file
 * its own globals has an Error of its own, which Node's errors are no instances of.
 */

/** The `code` of an error of Node, or an empty text. */
export const codeOf = (error: unknown): string =>
	isObject(error) && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** What an error says. */
export const messageOf = (error: unknown): string =>
	isObject(error) && 'message' in error && typeof error.message === 'string'
		? error.message
		: String(error);
