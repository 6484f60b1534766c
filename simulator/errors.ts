/*
 * Errors are recognized by their members, not by their class: Jest gives each test file its own
 * Error, and Node's errors are not instances of that.
 */

/** A member of an error, if it is a text. */
function findText(error: unknown, name: 'code' | 'message'): string | undefined {
	const value = (error as Partial<Record<string, unknown>> | null | undefined)?.[name];
	return typeof value === 'string' ? value : undefined;
}

/** The `code` of an error of Node, or an empty text. */
export const getCode = (error: unknown): string => findText(error, 'code') ?? '';

/** What an error says. */
export const getMessage = (error: unknown): string => findText(error, 'message') ?? String(error);
