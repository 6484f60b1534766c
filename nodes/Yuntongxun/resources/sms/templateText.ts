import type { Message, Preview } from '../../operation/defineOperation';
import { option } from '../../operation/field';
import { ValidationError } from '../../operation/validationError';
import { text } from '../../operation/validators';

/** The approved text of the template, to check the variables against. */
export const templateText = option(text, {
	displayName: 'Template Text',
	name: 'templateText',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. Your code is {1}, valid for {2} minutes.',
	description: 'Approved text with {1} and so on, to check the variables against',
});

const PLACEHOLDER = /\{(\d+)\}/g;

/** How many UTF-16 code units fit into one SMS. */
const MAX_CHARACTERS = 70;

/**
 * Fills a template. Specification section 4.3.
 *
 * @param template undefined if the form does not have it
 * @param variables the first one is for `{1}`
 * @returns the text and hints about its length, for a {@link Message}
 * @throws ValidationError unless the text has every number from 1 to the count of the variables, and
 * no other
 */
export function fillTemplateText(
	template: string | undefined,
	variables: readonly string[] = [],
): Pick<Message, 'preview' | 'hints'> {
	if (template === undefined) return {};
	const places = findPlaces(template);
	const numbers = variables.map((_variable, at) => String(at + 1));
	const missing = [...places].find((number) => !numbers.includes(number));
	const leftOver = numbers.find((number) => !places.has(number));
	if (missing !== undefined) throw buildMisfitError(`no variable for {${missing}}`);
	if (leftOver !== undefined) {
		throw buildMisfitError(`no place in the text for variable ${leftOver}`);
	}
	const preview = previewText(template, variables);
	return { preview, hints: preview.characters > MAX_CHARACTERS ? [TOO_LONG] : [] };
}

/** Fills a text. A placeholder without a variable stays as it is, and counts as it is. */
export function previewText(text: string, variables: readonly string[] = []): Preview {
	const filled = text.replace(
		PLACEHOLDER,
		(place, number: string) => variables[Number(number) - 1] ?? place,
	);
	return { preview: filled, characters: filled.length };
}

/** The numbers of the variables in a text, as written; each once, however often it occurs. */
export function findPlaces(text: string): Set<string> {
	return new Set([...text.matchAll(PLACEHOLDER)].map(([, number]) => number));
}

const buildMisfitError = (reason: string) =>
	new ValidationError(
		`'Variables' do not fill Template Text: there is ${reason}`,
		'Enter one variable for each number in the text, in their order.',
	);

const TOO_LONG = `An SMS above ${MAX_CHARACTERS} characters is probably billed as several. Dry Run shows how many an item has.`;
