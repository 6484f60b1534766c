import type { INodeProperties } from 'n8n-workflow';

import { translate } from '../language/translate';
import { isExpression } from './field';
import type { ItemForm, Validator } from './field';
import { buildUnevaluatedError, FieldError, FIND_FIELD } from './validationError';
import { toIsoText, toPlainText, trimmed } from './validators';

/** An option that holds an ID. */
export const identifier: Validator<string | undefined> = (value, property, item) =>
	readIdentifier(value, item.storedOption(property.name), property, item);

/**
 * Reads an ID that must tell people or events apart. One made by a wrong expression would be the same for
 * everybody, so each `{{ … }}` is judged by itself.
 *
 * @param value what n8n made of it
 * @param stored as the user entered it; undefined if that is not known
 * @returns undefined if nothing visible is left
 * @throws FieldError
 */
export function readIdentifier(
	value: unknown,
	stored: unknown,
	property: INodeProperties,
	item: ItemForm,
): string | undefined {
	const { displayName } = property;
	if (typeof stored === 'string') requireWholeExpressions(stored, displayName, item);

	const text = trimmed(value, property, item);
	if (text === undefined || toPlainText(text) === '') return undefined;

	const [word] = SPOILED_END.exec(text) ?? [];
	if (word !== undefined) {
		const flaw = translate('begins or ends with "{word}"', { word });
		throw new FieldError(displayName, flaw, FIND_FIELD);
	}
	const [inside] = SPOILED_MIDDLE.exec(text) ?? [];
	if (inside === undefined) return text;
	throw new FieldError(displayName, translate('holds "{word}"', { word: inside }), FIND_FIELD);
}

/** What JavaScript writes for a value that is none. */
const SPOILED_END =
	/^(?:undefined|null|NaN|\[object Object\])|(?:undefined|null|NaN|\[object Object\])$/;

/**
 * The same between two marks, as one expression that joins several parts leaves it: order-undefined-sms.
 * Between blanks it is a word like any other.
 */
const SPOILED_MIDDLE =
	/(?<=[-_:/|.,;=&#+~@])(?:undefined|null|NaN)(?=[-_:/|.,;=&#+~@])|\[object Object\]/;

/** @throws FieldError where something in the field is not evaluated, or comes to nothing */
function requireWholeExpressions(stored: string, label: string, item: ItemForm): void {
	const isFixed = !isExpression(stored);
	const { placeholders, hasEscapedBraces } = splitExpression(stored.slice(isFixed ? 0 : 1));
	if (isFixed ? stored.includes('{{') : hasEscapedBraces) {
		throw buildUnevaluatedError(label);
	}
	// What a single one gives is the value itself.
	if (isFixed || stored.slice(1) === placeholders[0]) return;
	for (const placeholder of placeholders) {
		const flaw = findGap(item.evaluate(placeholder));
		if (flaw === undefined) continue;
		const expression = shorten(placeholder);
		throw new FieldError(label, translate(flaw, { expression }), FILL_GAP);
	}
}

const FILL_GAP =
	"Without this part, it would be the same for everybody. Use a field that every item has, or set a fallback: {{ $json.name || 'none' }}.";

/** What is wrong with what a part of an ID came to; undefined if nothing is. */
function findGap(value: unknown): string | undefined {
	if (value === undefined || value === null) return GIVES_NOTHING;
	switch (typeof value) {
		case 'string':
			return toPlainText(value) === '' || IS_NOTHING.has(value.trim()) ? GIVES_NOTHING : undefined;
		case 'number':
			return Number.isFinite(value)
				? undefined
				: 'has an expression that gives no number: {expression}';
		case 'object':
			return findStructure(value);
		default:
			return undefined;
	}
}

const GIVES_NOTHING = 'has an expression that gives nothing: {expression}';

const IS_NOTHING = new Set(['undefined', 'null', 'NaN', String({})]);

/** A date is none: n8n writes it as ISO 8601. */
function findStructure(value: object): string | undefined {
	if (Array.isArray(value)) return 'has an expression that gives a list: {expression}';
	const isDate = typeof toIsoText(value) === 'string';
	return isDate ? undefined : 'has an expression that gives an object: {expression}';
}

/** The beginning of an expression, in one line. */
function shorten(expression: string): string {
	const line = expression.replace(/\s+/g, ' ');
	return line.length <= MAX_SHOWN ? line : `${line.slice(0, MAX_SHOWN).toWellFormed()}…`;
}

const MAX_SHOWN = 60;

/** What a user entered as an expression, taken apart where n8n takes it apart. */
interface ExpressionParts {
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
