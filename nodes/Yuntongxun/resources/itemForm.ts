import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

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
	const fields = new Map(operation.fields.map((field) => [field.property.name, field]));
	const options = context.getNodeParameter('options', index, {}) as IDataObject;
	const form: Form = {
		parameter: (name) => {
			const property = fields.get(name)?.property;
			return context.getNodeParameter(name, index, property?.default ?? '', {
				extractValue: property?.type === 'resourceLocator',
			});
		},
		chosen: (name) => fields.get(name)?.read(form),
		options,
		isExpression: (option) => {
			const stored = node.parameters.options as IDataObject | string | undefined;
			return String(typeof stored === 'object' ? stored[option] : stored).startsWith('=');
		},
		defaultAppId,
		inXml: false,
		byAgent: node.type.endsWith('Tool'),
	};
	return { ...form, inXml: wireFormat.read(form) === 'xml' };
}
