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
	return Object.fromEntries(
		['statusCode', 'to', ...IDS]
			.filter((name) => name in output)
			.map((name) => [name, output[name]]),
	);
}
