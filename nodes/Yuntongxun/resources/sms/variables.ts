import { parameter } from '../../operation/field';
import type { Field, Validator } from '../../operation/field';
import { FieldError } from '../../operation/validationError';
import { choice, holdsSeveral, textList } from '../../operation/validators';

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
			description: 'Rows in their order, which an expression can fill',
		},
		{
			name: 'Field by Field',
			value: 'fields',
			description: 'A field for each variable of the chosen template',
		},
	],
	default: 'fields',
	description: 'How to fill in what the template leaves open',
});

/** Maximum number of variables that the fields can hold. */
const MAX_VARIABLES = 100;

const USE_A_LIST =
	'Set Variables to As List: an expression there can fill several variables at once.';

/** Values by the numbers of their placeholders, as n8n's resource mapper stores them. */
const mappedValues: Validator<string[] | undefined> = (stored, property, item) => {
	const { value } = (stored ?? {}) as { value?: unknown };
	const filled = Object.entries(value ?? {}).filter(
		([, each]) => each !== null && each !== undefined,
	);
	if (filled.length === 0) return undefined;

	const texts = filled.map(([number, each]): [place: number, text: string] => {
		const place = Number(number);
		if (!/^[1-9]\d*$/.test(number) || place > MAX_VARIABLES) {
			const flaw = `has a field that is no number from 1 to ${MAX_VARIABLES}`;
			throw new FieldError(property.displayName, flaw, USE_A_LIST);
		}
		if (holdsSeveral(each)) {
			throw new FieldError(property.displayName, `has several for {${place}}`, USE_A_LIST);
		}
		const [text = ''] = textList([each], property, item) ?? [];
		return [place, text];
	});

	const byPlace = new Map(texts);
	const count = Math.max(...byPlace.keys());
	return Array.from({ length: count }, (_gap, at) => byPlace.get(at + 1) ?? '');
};

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
		const { name, displayName } = mapper.property;
		// n8n's versions disagree about what an expression in the place of all values gives.
		if (item.chosen('variablesMode') === 'fields' && item.isExpression(name)) {
			throw new FieldError(displayName, 'takes no expression as a whole', USE_A_LIST);
		}
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
