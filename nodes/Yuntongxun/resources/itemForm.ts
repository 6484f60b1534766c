import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Form } from './form';
import type { Operation } from './operation';
import { wireFormat } from './sharedFields';

/**
 * One item's form, as n8n holds it.
 *
 * @param defaultAppId application of the credential
 */
export function itemForm(
	context: IExecuteFunctions,
	index: number,
	operation: Operation,
	defaultAppId: string,
): Form {
	const node = context.getNode();
	const properties = new Map(operation.fields.map(({ property }) => [property.name, property]));
	const options = context.getNodeParameter('options', index, {}) as IDataObject;
	const form: Form = {
		parameter: (name) => parameterOf(context, index, name, properties.get(name)),
		options,
		isExpression: (option) => {
			const stored = (node.parameters.options as IDataObject | undefined)?.[option];
			return typeof stored === 'string' && stored.startsWith('=');
		},
		defaultAppId,
		inXml: false,
		byAgent: node.type.endsWith('Tool'),
	};
	return { ...form, inXml: wireFormat.read(form) === 'xml' };
}

function parameterOf(
	context: IExecuteFunctions,
	index: number,
	name: string,
	property: INodeProperties | undefined,
): unknown {
	const [own, ...path] = name.split('.');
	if (path.length > 0) {
		return (context.getNodeParameter(own, index, {}) as IDataObject)[path.join('.')];
	}
	return context.getNodeParameter(name, index, property?.default ?? '', {
		extractValue: property?.type === 'resourceLocator',
	});
}
