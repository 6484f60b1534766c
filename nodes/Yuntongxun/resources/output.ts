import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../service/client';
import { isoDateOf } from '../service/dates';

/** The named fields of an answer, as the service sent them. */
export function fieldsOf(answer: Answer, names: readonly string[]): IDataObject {
	return Object.fromEntries(names.map((name) => [name, answer.text(name)]));
}

/** A date of the service in ISO 8601 under a name of its own; nothing where the text is no date. */
export function isoDate(name: string, text: string): IDataObject {
	const iso = isoDateOf(text);
	return iso === undefined ? {} : { [name]: iso };
}

const IDS = ['callSid', 'smsMessageSid', 'subAccountSid'];

/** What proves that the service took something; undefined where it did not. */
export function receiptOf(output: IDataObject): IDataObject | undefined {
	if (output.statusCode === undefined || output.created === false) return undefined;
	return pick(output, ['statusCode', 'to', ...IDS]);
}

/** The ids of such a proof, without the numbers that were reached. */
export function idsOf(receipt: IDataObject): IDataObject {
	return pick(receipt, IDS);
}

function pick(fields: IDataObject, names: string[]): IDataObject {
	return Object.fromEntries(
		names.filter((name) => name in fields).map((name) => [name, fields[name]]),
	);
}
