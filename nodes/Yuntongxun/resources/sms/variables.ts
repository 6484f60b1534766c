import { translate } from '../../language/translate';
import type { Message } from '../../operation/defineOperation';
import { isExpression, parameter, option } from '../../operation/field';
import type { Field, Validator } from '../../operation/field';
import type { Preview } from '../../operation/rehearsal';
import { FieldError, ValidationError } from '../../operation/validationError';
import { choice, holdsSeveral, textList, text } from '../../operation/validators';

/** How the variables of the template are filled in. */
export const variablesMode = parameter(choice<'fields' | 'list'>, {
	displayName: 'Variables',
	name: 'variablesMode',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'As List',
			value: 'list',
			description: 'One row per variable, in order; an expression can fill them all',
		},
		{
			name: 'Field by Field',
			value: 'fields',
			description: 'A field for each variable of the chosen template',
		},
	],
	default: 'fields',
	description: "How to enter the template's variables",
});

/** Maximum number of variables that the fields can hold. */
export const MAX_VARIABLES = 100;

const USE_A_LIST =
	'Set Variables to As List: an expression there can fill several variables at once.';

/** Values by the numbers of their placeholders, as n8n's resource mapper stores them. */
const mappedValues: Validator<string[] | undefined> = (stored, property, item) => {
	const { value } = requireObject(stored) as { value?: unknown };
	const filled = Object.entries(requireObject(value)).filter(
		([, each]) => each !== null && each !== undefined,
	);
	if (filled.length === 0) return undefined;

	const texts = filled.map(([number, each]): [place: number, text: string] => {
		const place = Number(number);
		if (!/^[1-9]\d*$/.test(number) || place > MAX_VARIABLES) {
			const flaw = translate('has a field that is not a number from 1 to {max}', {
				max: MAX_VARIABLES,
			});
			throw new FieldError(property.displayName, flaw, USE_A_LIST);
		}
		if (holdsSeveral(each)) {
			const flaw = translate('has several for {place}', { place: `{${place}}` });
			throw new FieldError(property.displayName, flaw, USE_A_LIST);
		}
		const [text = ''] = textList([each], property, item) ?? [];
		return [place, text];
	});

	const byPlace = new Map(texts);
	const count = Math.max(...byPlace.keys());
	return Array.from({ length: count }, (_gap, at) => byPlace.get(at + 1) ?? '');
};

/**
 * Values as n8n stores them. Text or a list in their place comes from an expression for all of them, and
 * would be read as no values at all.
 */
function requireObject(stored: unknown): object {
	const values = stored ?? {};
	if (typeof values === 'object' && !Array.isArray(values)) return values;
	throw buildWholeExpressionError();
}

const buildWholeExpressionError = () =>
	new FieldError(mapper.property.displayName, 'cannot be a single expression', USE_A_LIST);

const mapper = parameter(mappedValues, {
	displayName: 'Values',
	name: 'variables',
	type: 'resourceMapper',
	noDataExpression: true,
	required: true,
	default: { mappingMode: 'defineBelow', value: null },
	description: 'A value for each variable of the template',
	typeOptions: {
		loadOptionsDependsOn: ['templateId.value', 'appId'],
		resourceMapper: {
			resourceMapperMethod: 'mapTemplateVariables',
			mode: 'add',
			valuesLabel: 'Values',
			fieldWords: { singular: 'variable', plural: 'variables' },
			addAllFields: true,
			supportAutoMap: false,
			multiKeyMatch: false,
		},
	},
	displayOptions: { show: { variablesMode: ['fields'] } },
});

/** A field for each placeholder. Specification section 4.3; an empty one in between keeps its place. */
export const variables: Field<string[] | undefined> = {
	property: mapper.property,
	read: (item) => {
		const stored = item.storedParameter(mapper.property.name);
		// n8n 1 evaluates it, n8n 2.41 takes the `=` away and leaves its text.
		const isOne = isExpression(stored) || isExpression((stored as { value?: unknown })?.value);
		if (item.chosen('variablesMode') === 'fields' && isOne) throw buildWholeExpressionError();
		return mapper.read(item);
	},
};

/** The variables as rows. */
export const datas = parameter(textList, {
	displayName: 'Values',
	name: 'datas',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Variable' },
	default: [],
	placeholder: 'e.g. 384512',
	description: 'Values for {1}, {2} and so on in the template, in this order',
	displayOptions: { show: { variablesMode: ['list'] } },
});

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
const ONE_SMS = 70;

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
): Pick<Message, 'hints'> & { preview?: Preview } {
	if (template === undefined) return {};
	const places = findPlaces(template);
	const numbers = variables.map((_variable, at) => String(at + 1));
	const missing = [...places].find((number) => !numbers.includes(number));
	const leftOver = numbers.find((number) => !places.has(number));
	if (missing !== undefined) {
		const place = `{${missing}}`;
		throw buildMisfitError(
			translate("'Variables' do not match Template Text: there is no variable for {place}", {
				place,
			}),
		);
	}
	if (leftOver !== undefined) {
		const flaw =
			"'Variables' do not match Template Text: there is no place in the text for variable {leftOver}";
		throw buildMisfitError(translate(flaw, { leftOver }));
	}
	const preview = previewText(template, variables);
	return { preview, hints: preview.characters > ONE_SMS ? [TOO_LONG] : [] };
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

const buildMisfitError = (summary: string) =>
	new ValidationError(summary, 'Enter one variable for each placeholder in the text, in order.');

const TOO_LONG = translate(
	'An SMS longer than {max} characters is probably billed as several. Dry Run shows how long each item is.',
	{ max: ONE_SMS },
);
