import { ExpressionParser } from 'n8n-workflow';
import type { INodeProperties } from 'n8n-workflow';

import { translate } from '../language/translate';
import { isExpression } from './field';
import type { ItemForm, Validator } from './field';
import { buildUnevaluatedError, FieldError, FIND_FIELD } from './validationError';
import { holdsSeveral, toPlainText, trimmed } from './validators';

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

	const [word] = SPOILED.exec(text) ?? [];
	if (word === undefined) return text;
	throw new FieldError(displayName, translate('holds "{word}"', { word }), FIND_FIELD);
}

/**
 * What JavaScript writes for a value that is none: at either end, and between two marks, as one expression
 * that joins several parts leaves it: order-undefined-sms. Between blanks it is a word like any other.
 */
const SPOILED =
	/^(?:undefined|null|NaN)|(?:undefined|null|NaN)$|(?<=[-_:/|.,;=&#+~@])(?:undefined|null|NaN)(?=[-_:/|.,;=&#+~@])|\[object Object\]/;

/** @throws FieldError where something in the field is not evaluated, or comes to nothing */
function requireWholeExpressions(stored: string, label: string, item: ItemForm): void {
	const isFixed = !isExpression(stored);
	const chunks = ExpressionParser.splitExpression(stored.slice(isFixed ? 0 : 1));
	const texts = isFixed ? [stored] : chunks.map(({ type, text }) => (type === 'text' ? text : ''));
	if (texts.some((text) => text.includes('{{'))) throw buildUnevaluatedError(label);
	if (isFixed) return;

	const placeholders = chunks
		.filter(({ type }) => type === 'code')
		.map((chunk) => ExpressionParser.joinExpression([chunk]));
	// What a single one gives is the value itself.
	if (stored.slice(1) === placeholders[0]) return;
	for (const placeholder of placeholders) {
		const flaw = findGap(item.evaluate(placeholder));
		if (flaw === undefined) continue;
		const expression = shorten(placeholder);
		throw new FieldError(label, translate(flaw, { expression }), FILL_GAP);
	}
}

const FILL_GAP =
	"Without this part, it would be the same for everybody. Use a field that every item has, or set a fallback: {{ $json.name || 'none' }}.";

/** What is wrong with what a part of an ID came to; undefined if nothing is. Dates are fine. */
function findGap(value: unknown): string | undefined {
	if (holdsSeveral(value)) return 'has an expression that gives an object or a list: {expression}';
	const text = String(value ?? '').trim();
	const isNothing = toPlainText(text) === '' || NOTHING.test(text);
	return isNothing ? 'has an expression that gives nothing: {expression}' : undefined;
}

const NOTHING = /^(?:undefined|null|NaN|-?Infinity|\[object Object\])$/;

/** The beginning of an expression, in one line. */
function shorten(expression: string): string {
	const line = expression.replace(/\s+/g, ' ');
	return line.length <= MAX_SHOWN ? line : `${line.slice(0, MAX_SHOWN).toWellFormed()}…`;
}

const MAX_SHOWN = 60;
