import { updateDisplayOptions } from 'n8n-workflow';
import type { INodeProperties } from 'n8n-workflow';

import { LANGUAGE } from '../language/texts';
import { translate, translateDescription, translateLabel } from '../language/translate';
import type { Operation, Resource } from './defineOperation';

/** Builds the form of the node: Resource, Operation, and the fields of each operation. */
export function buildProperties(
	resources: readonly Resource[],
	defaultResource: string,
): INodeProperties[] {
	return translateDescription<INodeProperties[]>([
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value }) => ({ name, value })),
			default: defaultResource,
		},
		...resources.map(buildOperationChoice),
		...resources.flatMap(({ value: resource, operations }) =>
			operations.flatMap((operation) => {
				const show = { resource: [resource], operation: [operation.value] };
				return updateDisplayOptions({ show }, buildOperationProperties(operation));
			}),
		),
	]);
}

/** Builds the node's subtitle on the canvas: the selected resource and operation. */
export function buildSubtitle(resources: readonly Resource[]): string {
	const names = resources.flatMap((resource) =>
		resource.operations.map((operation) => [
			`${resource.value}.${operation.value}`,
			`${translateLabel(resource.name, 'resource')}${translate(': ')}${translate(operation.name)}`,
		]),
	);
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
}

function buildOperationChoice({ value, operations }: Resource): INodeProperties {
	const [{ value: first }] = operations;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: operations.map(({ name, value, action, description, notForAgents }) => ({
			name,
			value,
			action,
			description,
			...(notForAgents !== undefined && NOT_IN_TOOLS),
		})),
		default: first,
	};
}

/** Hides a choice from the tool of an AI agent. */
export const NOT_IN_TOOLS = { displayOptions: { show: { '@tool': [false] } } };

function buildOperationProperties({ fields, options }: Operation): INodeProperties[] {
	const shown = Object.values(fields).map(({ property }) => property);
	const added = Object.values(options).map(({ property }) => property);
	if (added.length === 0) return shown;
	const collection: INodeProperties = {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: added.sort((a, b) => a.displayName.localeCompare(b.displayName, LANGUAGE)),
	};
	return [...shown, collection];
}
