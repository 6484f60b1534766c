import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { Yuntongxun } from '../../../nodes/Yuntongxun/Yuntongxun.node';
import { buildNode } from '../../support/fakeN8n';

// What fields there are is checked in test/package/contract.test.ts. Here: that n8n's editor
// draws what its own rules say of them.

const { description } = new Yuntongxun();
const { properties } = description;
const NODE = buildNode({ type: description.name });

type Entry = NonNullable<INodeProperties['options']>[number];
const isProperty = (entry: Entry): entry is INodeProperties => 'type' in entry;
const isChoice = (entry: Entry): entry is INodePropertyOptions => 'value' in entry;
const getChoices = ({ options = [] }: INodeProperties) => options.filter(isChoice);

/** What of the form shows once it is filled in. */
function shownIn(filled: INodeParameters): INodeProperties[] {
	const held =
		NodeHelpers.getNodeParameters(properties, filled, true, false, NODE, description) ?? {};
	const isShown = (property: INodeProperties) =>
		NodeHelpers.displayParameter(held, property, NODE, description, held);
	return properties
		.filter(isShown)
		.map((property) =>
			property.type === 'collection'
				? { ...property, options: property.options?.filter(isProperty).filter(isShown) }
				: property,
		);
}

/** The variables that show below the mapper while no template is chosen. */
const NUMBERED = ['{1}', '{2}', '{3}'];

/** The labels that the editor shows for a form: fields from top to bottom, and options to add. */
export function drawn(filled: INodeParameters) {
	const shown = shownIn(filled).filter(
		({ name, type }) => !['resource', 'operation'].includes(name) && type !== 'notice',
	);
	const getLabel = ({ displayName }: INodeProperties) => displayName;
	const fields = shown.filter(({ type }) => type !== 'collection');
	return {
		fields: fields.flatMap((field) =>
			field.type === 'resourceMapper' ? [getLabel(field), ...NUMBERED] : [getLabel(field)],
		),
		// Of a mapper n8n marks its fields, and none is required while no template is chosen.
		missing: fields
			.filter(({ required, type }) => required && type !== 'resourceMapper')
			.map(getLabel),
		options: shown
			.flatMap(({ type, options = [] }) => (type === 'collection' ? options : []))
			.filter(isProperty)
			.map(getLabel)
			.sort((a, b) => a.localeCompare(b, 'en')),
	};
}

/** The name of a field's choice, as a user picks it in the form that is filled in. */
export function choiceIn(filled: INodeParameters, field: string, value: string): string {
	const shown = shownIn(filled).find(({ name }) => name === field);
	const choice = shown && getChoices(shown).find((each) => each.value === value);
	if (choice === undefined) throw new Error(`The form offers no ${value} for ${field}`);
	return choice.name;
}

/** Every operation, as the values that the form stores. */
export const OPERATIONS = getChoices(properties[0]).flatMap(({ value }) => {
	const resource = String(value);
	const choice = shownIn({ resource }).find(({ name }) => name === 'operation');
	return (choice ? getChoices(choice) : []).map((each) => ({
		resource,
		operation: String(each.value),
	}));
});

/** Choices that show or hide something, in the order in which a user makes them in one form. */
export const CHOICES: Array<Record<string, string>> = [
	{ resource: 'call', operation: 'notify', content: 'textAndAudio', resultDelivery: 'wait' },
	{ resource: 'call', operation: 'verify', voice: 'custom', resultDelivery: 'url' },
];
