import { translate } from '../language/translate';
import { isExpression } from './field';
import type { Validator } from './field';
import { buildUnevaluatedError, FieldError, FIND_FIELD, ValidationError } from './validationError';
import { isVisible, trimmed } from './validators';

/**
 * An option that holds an ID, which must tell people or events apart. One made by a wrong expression would be the
 * same for everybody, so its fixed parts have to stand in it, with something where each expression stands.
 * Undefined if nothing visible is left.
 */
export const identifier: Validator<string | undefined> = (value, property, item) => {
	const { displayName } = property;
	const fixed = findFixedParts(item.storedOption(property.name));
	if (fixed.some((part) => part.includes('{{'))) throw buildUnevaluatedError(displayName);

	const text = trimmed(value, property, item);
	if (text === undefined || !isVisible(text)) return undefined;

	if (fixed.length > 1 && !isFilled(text, fixed)) {
		const summary = translate("An expression in '{label}' returned nothing", {
			label: displayName,
		});
		throw new ValidationError(summary, FILL_GAP);
	}
	const [word] = SPOILED.exec(text) ?? [];
	if (word === undefined) return text;
	throw new FieldError(displayName, translate('holds "{word}"', { word }), FIND_FIELD);
};

const FILL_GAP =
	"Without this part, it would be the same for everybody. Use a field that every item has, or set a fallback: {{ $json.name || 'none' }}.";

/** What JavaScript writes for a value that is none, as a word of its own at either end. */
const SPOILED =
	/^(?:undefined|null|NaN)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:undefined|null|NaN)$|\[object Object\]/u;

/** The fixed text before, between and behind the expressions of a field; all of it if there are none. */
function findFixedParts(stored: unknown): string[] {
	if (typeof stored !== 'string') return [];
	return isExpression(stored) ? stored.slice(1).split(EXPRESSION) : [stored];
}

/** As n8n finds one. Behind a backslash it is text. */
const EXPRESSION = /(?<!\\)\{\{[^]*?\}\}/;

/** Whether a text is these parts in their order, with one character at least between each two. */
function isFilled(text: string, [first, ...others]: string[]): boolean {
	const start = first.trimStart();
	const end = (others.pop() ?? '').trimEnd();
	if (!text.startsWith(start) || !text.endsWith(end)) return false;

	let at = start.length;
	for (const part of others) {
		const found = text.indexOf(part, at + 1);
		if (found < 0) return false;
		at = found + part.length;
	}
	return at < text.length - end.length;
}
