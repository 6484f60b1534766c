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

/** Numbers that a message names at most, and digits of each. */
const MOST_NAMED = 10;
const MOST_DIGITS = 6;

/**
 * The text of a template with the variables in their places. Specification section 4.3.
 *
 * @param variables the first one for `{1}`
 * @throws ValidationError unless the text holds every number from 1 to the count of the variables,
 * and no other
 */
export function filledText(template: string, variables: readonly string[]): string {
	const places = new Set([...template.matchAll(PLACEHOLDER)].map(([, number]) => number));
	const numbers = variables.map((_variable, at) => String(at + 1));
	const known = new Set(numbers);
	const missing = [...places].filter((number) => !known.has(number));
	const leftOver = numbers.filter((number) => !places.has(number));
	const reasons = [
		...(missing.length > 0 ? [`no variable for ${listOf(missing, (each) => `{${each}}`)}`] : []),
		...(leftOver.length > 0 ? [`no place in the text for variable ${listOf(leftOver)}`] : []),
	];
	if (reasons.length > 0) {
		throw new ValidationError(
			`'Variables' must fill Template Text exactly, but there is ${reasons.join(', and ')}`,
		);
	}
	return template.replace(PLACEHOLDER, (_place, number: string) => variables[Number(number) - 1]);
}

/** UTF-16 units that fit into one SMS. */
const MAX_CHARACTERS = 70;

/** A filled text and how long it is, in UTF-16 units. @throws ValidationError as above */
export function previewOf(template: string, variables: readonly string[] = []) {
	const preview = filledText(template, variables);
	return { preview, characters: preview.length };
}

/** What the user should know about the length of a text. */
export function lengthHints({ characters }: { characters: number }): string[] {
	if (characters <= MAX_CHARACTERS) return [];
	return [
		`With its variables the template has more than ${MAX_CHARACTERS} characters, so each SMS is billed as several. Dry Run shows how many characters an item has.`,
	];
}

function listOf(numbers: string[], written = (number: string) => number): string {
	const named = numbers.slice(0, MOST_NAMED).map((number) => written(number.slice(0, MOST_DIGITS)));
	return [...named, ...(numbers.length > MOST_NAMED ? ['…'] : [])].join(', ');
}
