import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../client/client';
import { toIsoDate } from '../util/serviceTime';

/** Fields of an answer by name, as the service sent them. */
export function readFields({ text }: Pick<Answer, 'text'>, names: readonly string[]): IDataObject {
	return Object.fromEntries(names.map((name) => [name, text(name)]));
}

/**
 * What every accepted request tells: its status code, when it was taken, and an ID.
 *
 * @param id name of the field that holds the ID
 */
export function readAcceptedFields(answer: Answer, id: string): IDataObject {
	return {
		...readFields(answer, ['statusCode', id, 'dateCreated']),
		...toDateMember('createdAt', answer.text('dateCreated')),
	};
}

/** A member with the service's date in ISO 8601; no member if the text is not a date. */
export function toDateMember(name: string, text: string): IDataObject {
	const iso = toIsoDate(text);
	return iso === undefined ? {} : { [name]: iso };
}

const IDS = ['callSid', 'smsMessageSid', 'subAccountSid'];

/** The part of an output that proves what the service accepted; undefined if it accepted nothing. */
export function findAcknowledgement(output: IDataObject): IDataObject | undefined {
	if (output.statusCode === undefined || output.created === false) return undefined;
	return pick(output, ['statusCode', 'to', ...IDS]);
}

/** The IDs in an acknowledgement, without phone numbers. */
export function pickIds(acknowledgement: IDataObject): IDataObject {
	return pick(acknowledgement, IDS);
}

/** The members of these names, in their order, as far as they are there. */
export function pick(fields: IDataObject, names: string[]): IDataObject {
	const present = names.filter((name) => Object.hasOwn(fields, name));
	return Object.fromEntries(present.map((name) => [name, fields[name]]));
}
