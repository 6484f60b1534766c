import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../client/request';

/** Reads fields of an answer by name, as the service sent them; missing ones are empty. */
export function readFields({ text }: Pick<Answer, 'text'>, names: readonly string[]): IDataObject {
	return Object.fromEntries(names.map((name) => [name, text(name)]));
}

/** The members with these names, in this order, as far as they exist. */
export function pick(fields: IDataObject, names: string[]): IDataObject {
	const present = names.filter((name) => Object.hasOwn(fields, name));
	return Object.fromEntries(present.map((name) => [name, fields[name]]));
}
