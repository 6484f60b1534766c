import type { ICredentialDataDecryptedObject, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { signUrl } from '../callbacks/signedUrl';
import { deriveKey, parseCredential } from '../client/credential';
import type { Operation } from '../operation/defineOperation';
import type { ItemForm } from '../operation/itemForm';
import { wireFormat } from '../operation/options';

/**
 * Reads the items' forms from n8n.
 *
 * @returns gives the form of an item by its index; it throws UnusableCredential
 */
export function itemContexts(
	context: IExecuteFunctions,
	operation: Operation,
	credential: ICredentialDataDecryptedObject,
): (index: number) => ItemForm {
	const node = context.getNode();
	const storedOptions = node.parameters.options as IDataObject | string | undefined;
	const fields = new Map(
		Object.values(operation.fields).map((field) => [field.property.name, field]),
	);
	return (index) => {
		const account = parseCredential(credential);
		const chosen = new Map<string, unknown>();
		const form: ItemForm = {
			parameter: (name) => {
				const property = fields.get(name)?.property;
				return context.getNodeParameter(name, index, property?.default ?? '', {
					extractValue: property?.type === 'resourceLocator',
				});
			},
			chosen: (name) => {
				// Several fields depend on one, and n8n is slow to answer.
				if (!chosen.has(name)) chosen.set(name, fields.get(name)?.read(form));
				return chosen.get(name);
			},
			options: context.getNodeParameter('options', index, {}) as IDataObject,
			isExpression: (option) => {
				const stored = typeof storedOptions === 'object' ? storedOptions[option] : storedOptions;
				return String(stored).startsWith('=');
			},
			defaultAppId: account.appId,
			keyFor: (purpose) => deriveKey(account, purpose),
			inXml: false,
			byAgent: node.type.endsWith('Tool'),
			inProduction: context.getMode() !== 'manual',
			signUrl: (url, expiresAt) => signUrl(url, account.authToken, expiresAt),
		};
		const isXml = 'wireFormat' in operation.options && wireFormat.read(form) === 'xml';
		return { ...form, inXml: isXml };
	};
}
