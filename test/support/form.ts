import { createHash } from 'node:crypto';
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ItemForm } from '../../nodes/Yuntongxun/operation/field';
import { parsePhoneNumber } from '../../nodes/Yuntongxun/operation/phoneNumber';
import type { PhoneNumber } from '../../nodes/Yuntongxun/operation/phoneNumber';

/** A form that holds the given parameters and nothing else, but for what is changed. */
export function buildForm(parameters: IDataObject = {}, changes: Partial<ItemForm> = {}): ItemForm {
	return {
		parameter: (name) => parameters[name],
		chosen: (name) => parameters[name],
		options: {},
		storedParameter: () => undefined,
		storedOption: (name) => changes.options?.[name],
		account: { appId: '' },
		keyFor: (purpose) => createHash('sha256').update(purpose).digest(),
		inXml: false,
		byAgent: false,
		inProduction: true,
		buildStartUrl: (url) => `${url}#sealed`,
		...changes,
	};
}

/** A field that n8n shows as "The Field". */
export function buildProperty(changes: Partial<INodeProperties> = {}): INodeProperties {
	return { displayName: 'The Field', name: 'theField', type: 'string', default: '', ...changes };
}

/** Reads a number that has to be one. */
export function toPhoneNumber(text: string): PhoneNumber {
	const number = parsePhoneNumber(text);
	if (number === undefined) throw new Error(`${text} is no phone number`);
	return number;
}
