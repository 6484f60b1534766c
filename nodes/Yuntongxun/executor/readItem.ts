import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
} from 'n8n-workflow';

import { signUrl } from '../callbacks/signedUrl';
import { deriveKey, parseCredential } from '../client/credential';
import type { ApiCredential } from '../client/credential';
import type { Operation } from '../operation/defineOperation';
import type { ItemForm } from '../operation/itemForm';
import { wireFormat } from '../operation/options';
import { FieldError } from '../operation/validationError';
import { isPlainObject } from '../util/plainObject';

/**
 * Creates the function that reads an item's form from n8n, by its index.
 *
 * @returns throws UnusableCredential when it is called
 */
export function createFormReader(
	context: IExecuteFunctions,
	operation: Operation,
	credential: ICredentialDataDecryptedObject,
): (index: number) => ItemForm {
	const fields = new Map(
		Object.values(operation.fields).map((field) => [field.property.name, field]),
	);
	const byAgent = context.getNode().type.endsWith('Tool');
	const inProduction = context.getMode() !== 'manual';
	let account: ApiCredential | undefined;

	return (index) => {
		const usable = account ?? parseCredential(credential);
		account = usable;
		const chosen = new Map<string, unknown>();
		const form: ItemForm = {
			parameter: (name) => readParameter(context, name, index, fields.get(name)?.property),
			chosen: (name) => {
				// Several fields depend on one, and n8n is slow to answer.
				if (!chosen.has(name)) chosen.set(name, fields.get(name)?.read(form));
				return chosen.get(name);
			},
			options: readOptions(context, index),
			isExpression: (option) => isExpression(context, option),
			defaultAppId: usable.appId,
			keyFor: (purpose) => deriveKey(usable, purpose),
			inXml: false,
			byAgent,
			inProduction,
			signUrl: (url, expiresAt) => signUrl(url, usable.authToken, expiresAt),
		};
		const offersXml = Object.hasOwn(operation.options, 'wireFormat');
		form.inXml = offersXml && wireFormat.read(form) === 'xml';
		return form;
	};
}

/** @throws FieldError if an expression gives something that could switch guards off unseen */
function readOptions(context: IExecuteFunctions, index: number): IDataObject {
	const options: unknown = context.getNodeParameter('options', index, {});
	if (isPlainObject(options)) return options as IDataObject;
	throw new FieldError('Options', 'is not a set of options', 'Add the options one by one.');
}

function readParameter(
	context: IExecuteFunctions,
	name: string,
	index: number,
	property?: INodeProperties,
): unknown {
	return context.getNodeParameter(name, index, property?.default ?? '', {
		extractValue: property?.type === 'resourceLocator',
	});
}

function isExpression(context: IExecuteFunctions, option: string): boolean {
	const options = context.getNode().parameters.options as IDataObject | string | undefined;
	const stored = typeof options === 'object' ? options[option] : options;
	return String(stored).startsWith('=');
}
