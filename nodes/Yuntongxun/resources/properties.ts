import { updateDisplayOptions } from 'n8n-workflow';
import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from './operation';
import type { Resource } from './resource';
import { OPTIONS_OF_ALL } from './sharedFields';

/** The whole form of the node: two choices, then what belongs to the chosen operation. */
export function propertiesOf(
	resources: readonly Resource[],
	defaultResource: string,
): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value }) => ({ name, value })),
			default: defaultResource,
		},
		...resources.map(operationChoice),
		...resources.flatMap((resource) =>
			resource.operations.flatMap((operation) =>
				updateDisplayOptions(
					{ show: { resource: [resource.value], operation: [operation.value] } },
					[...operation.fields.map(({ property }) => property), optionsOf(operation)],
				),
			),
		),
	];
}

/** What the canvas shows below the node: the names of the chosen resource and operation. */
export function subtitleOf(resources: readonly Resource[]): string {
	const names = resources.flatMap((resource) =>
		resource.operations.map((operation) => [
			`${resource.value}.${operation.value}`,
			`${resource.name}: ${operation.name}`,
		]),
	);
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
}

function operationChoice({
	value: resource,
	operations,
	defaultOperation,
}: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ name, value, action, description }) => ({
			name,
			value,
			action,
			description,
		})),
		default: defaultOperation,
	};
}

function optionsOf({ options }: Operation): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...options, ...OPTIONS_OF_ALL]
			.map(({ property }) => property)
			.sort((a, b) => a.displayName.localeCompare(b.displayName, 'en')),
	};
}
