import { ValidationError } from '../../operation/validationError';
import { option } from '../../operation/field';
import { text } from '../../operation/validators';

/** The approved text of the template, to check the variables against. */
export const templateText = option(text, {
	displayName: 'Template Text',
	name: 'templateText',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. Your code is {1}, valid for {2} minutes.',
	description:
		'Approved text of the template, such as "Your code is {1}, valid for {2} minutes". Items whose variables do not fill it exactly are refused before a request. Dry Run then shows the filled text and its length.',
});

const PLACEHOLDER = /\{(\d+)\}/g;

/** UTF-16 units that fit into one SMS. */
const MAX_CHARACTERS = 70;

/** A filled template. */
interface FilledText {
	/** The text with the variables in their places, and its length in UTF-16 units. */
	preview?: { preview: string; characters: number };
	/** What the user should know about its length. */
	hints?: string[];
}

/**
 * Fills a template. Specification section 4.3.
 *
 * @param template undefined if the form does not tell
 * @param variables the first one for `{1}`
 * @throws ValidationError unless the text holds every number from 1 to the count of the variables,
 * and no other
 */
export function filledText(
	template: string | undefined,
	variables: readonly string[] = [],
): FilledText {
	if (template === undefined) return {};
	const places = new Set([...template.matchAll(PLACEHOLDER)].map(([, number]) => number));
	const numbers = variables.map((_variable, at) => String(at + 1));
	const missing = [...places].filter((number) => !numbers.includes(number));
	const leftOver = numbers.filter((number) => !places.has(number));
	if (missing.length + leftOver.length > 0) {
		const reasons = [
			missing.length > 0 ? `no variable for {${missing[0]}}` : [],
			leftOver.length > 0 ? `no place in the text for variable ${leftOver[0]}` : [],
		];
		throw new ValidationError(
			`'Variables' must fill Template Text exactly, but there is ${reasons.flat().join(', and ')}`,
		);
	}
	const preview = template.replace(
		PLACEHOLDER,
		(_, number: string) => variables[Number(number) - 1],
	);
	const { length: characters } = preview;
	return { preview: { preview, characters }, hints: characters > MAX_CHARACTERS ? [TOO_LONG] : [] };
}

const TOO_LONG = `With its variables the template has more than ${MAX_CHARACTERS} characters, so each SMS is billed as several. Dry Run shows how many characters an item has.`;
