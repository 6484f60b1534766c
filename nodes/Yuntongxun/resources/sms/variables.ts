import type { INodeProperties } from 'n8n-workflow';

import { translate } from '../../language/translate';
import type { Message } from '../../operation/defineOperation';
import { isExpression, parameter, option } from '../../operation/field';
import type { ItemForm, Validator } from '../../operation/field';
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

/** What n8n's resource mapper stores: values by the numbers of their placeholders. */
type Mapped = { value?: unknown } | null | undefined;

/**
 * The values of what n8n's resource mapper stores.
 *
 * @throws FieldError for an expression in the place of all, which n8n 1 evaluates; n8n 2.41 takes its `=` away
 */
function findValues(given: unknown, property: INodeProperties, item: ItemForm): object {
	const stored = item.storedParameter(property.name) as Mapped;
	const values = (given as Mapped)?.value ?? {};
	const isOne = typeof given === 'string' || [stored, stored?.value].some(isExpression);
	if (!isOne && typeof values === 'object' && !Array.isArray(values)) return values;
	throw new FieldError(property.displayName, 'cannot be a single expression', USE_A_LIST);
}

/** A value for each placeholder. An empty one in between keeps its place. */
const mappedValues: Validator<string[] | undefined> = (given, property, item) => {
	const filled = Object.entries(findValues(given, property, item)).filter(
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

/** A field for each placeholder. Specification section 4.3. */
export const variables = parameter(mappedValues, {
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
	const filled = new Set(variables.map((_variable, at) => String(at + 1)));
	const alone = [...places, ...filled].find((number) => places.has(number) !== filled.has(number));
	if (alone !== undefined) {
		throw new ValidationError(
			translate("'Variables' do not match Template Text: {place} is only in one of them", {
				place: `{${alone}}`,
			}),
			'Enter one variable for each placeholder in the text, in order.',
		);
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

const TOO_LONG = translate(
	'An SMS longer than {max} characters is probably billed as several. Dry Run shows how long each item is.',
	{ max: ONE_SMS },
);
