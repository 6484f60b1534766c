/** What a user entered as an expression, taken apart where n8n takes it apart. */
export interface ExpressionParts {
	/** Each `{{ … }}` with its braces, as it was entered. */
	placeholders: string[];
	/** Whether a `{{` stays as it is, since a backslash stands in front. */
	hasEscapedBraces: boolean;
}

const BRACES = /(?<backslashes>\\*)(?<braces>\{\{|\}\})/g;

/**
 * Takes an expression apart as n8n does: a `{{` reaches up to the next `}}`, whatever stands between, and
 * an odd number of backslashes in front takes either its meaning. What is never closed reaches to the end.
 *
 * @param expression as it is stored, without the `=` in front
 */
export function splitExpression(expression: string): ExpressionParts {
	const placeholders: string[] = [];
	let opened: number | undefined;
	let hasEscapedBraces = false;
	for (const { groups = {}, index } of expression.matchAll(BRACES)) {
		const { backslashes, braces } = groups;
		const isEscaped = backslashes.length % 2 === 1;
		const at = index + backslashes.length;
		if (braces === '{{' && opened === undefined) {
			hasEscapedBraces ||= isEscaped;
			opened = isEscaped ? undefined : at;
		} else if (braces === '}}' && opened !== undefined && !isEscaped) {
			placeholders.push(expression.slice(opened, at + braces.length));
			opened = undefined;
		}
	}
	if (opened !== undefined) placeholders.push(expression.slice(opened));
	return { placeholders, hasEscapedBraces };
}

/** Whether a stored value is an expression. */
export const isExpression = (stored: unknown): boolean =>
	typeof stored === 'string' && stored.startsWith('=');

/** Whether a stored value, or one in a list or an object of several, is fixed text with `{{ … }}` in it. */
export function holdsFixedBraces(stored: unknown): boolean {
	if (typeof stored === 'string') {
		const opened = stored.indexOf('{{');
		return !isExpression(stored) && opened >= 0 && stored.includes('}}', opened);
	}
	if (typeof stored !== 'object' || stored === null) return false;
	return Object.values(stored).some(holdsFixedBraces);
}
