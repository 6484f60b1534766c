import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { triggerUrlsFor } from '../callResult/registry';
import { signUrl } from '../callResult/signedUrl';
import type { ServiceAccount } from '../service/account';
import type { Form } from './form';
import type { Operation } from './operation';
import { wireFormat } from './sharedFields';

/**
 * One item's form, as n8n holds it.
 *
 * @param account the checked credential
 */
export function itemForm(
	context: IExecuteFunctions,
	index: number,
	operation: Operation,
	account: ServiceAccount,
): Form {
	const node = context.getNode();
	const fields = new Map(operation.fields.map((field) => [field.property.name, field]));
	const options = context.getNodeParameter('options', index, {}) as IDataObject;
	const chosen = new Map<string, unknown>();
	const form: Form = {
		parameter: (name) => {
			const property = fields.get(name)?.property;
			return context.getNodeParameter(name, index, property?.default ?? '', {
				extractValue: property?.type === 'resourceLocator',
			});
		},
		chosen: (name) => {
			// Every field that depends on it asks, and n8n takes its time to answer.
			if (!chosen.has(name)) chosen.set(name, fields.get(name)?.read(form));
			return chosen.get(name);
		},
		options,
		isExpression: (option) => {
			const stored = node.parameters.options as IDataObject | string | undefined;
			return String(typeof stored === 'object' ? stored[option] : stored).startsWith('=');
		},
		defaultAppId: account.appId,
		inXml: false,
		byAgent: node.type.endsWith('Tool'),
		itemCount: context.getInputData().length,
		results: {
			resumeUrl: () => String(context.evaluateExpression('{{ $execution.resumeUrl }}', index)),
			triggerUrls: () => triggerUrlsFor(context),
			inProduction: context.getMode() !== 'manual',
			sign: (url, expiresAt) => signUrl(url, account.authToken, expiresAt),
		},
	};
	return { ...form, inXml: wireFormat.read(form) === 'xml' };
}
