import type { IDataObject } from 'n8n-workflow';

import type { Rehearsal } from '../operation/defineOperation';
import { toResultJson } from '../waiting/parkedWait';
import { isPlanned, joinNumbers } from './model';
import type { Item, MessageItem } from './model';

/**
 * Gives the items that are rehearsed what a real run would, with made-up answers. They reach nobody.
 *
 * @param items with their routes
 * @param executionId for the ids in the answers; an Agent of n8n has none
 */
export function acceptRehearsed(items: readonly Item[], executionId = ''): void {
	items.forEach((item, position) => {
		if (item.kind !== 'message' || item.rehearsal === undefined || !isPlanned(item)) return;
		const { message, recipients, rehearsal } = item;
		const answer = rehearsal.answerFor(buildMadeUpId(executionId, position));
		const json = { ...message.outputFor(answer), to: joinNumbers(recipients) };
		item.status = { state: 'done', jsons: [describeRehearsal(item, rehearsal, json)], reached: 0 };
	});
}

/**
 * Makes up the id of a rehearsed request: as many digits as the service's own, which begin with the date of
 * the call. Here: zeros, the number of the execution, and the position of the request in the run.
 */
function buildMadeUpId(executionId: string, position: number): string {
	const execution = executionId.replace(/\D/g, '').slice(-10);
	return execution.padStart(22, '0') + String(position).padStart(10, '0');
}

/** The output of a rehearsed message. @param json what the real run would give, before any result */
function describeRehearsal(
	{ message, route, recipients }: MessageItem,
	{ resultFor, members, showFields = (fields) => fields }: Rehearsal,
	json: IDataObject,
): IDataObject {
	const numbers = recipients.map(({ text }) => text);
	const { endpoint, fields } = message.requestFor(numbers, route?.buildUrl());
	return {
		...(resultFor ? toResultJson(json, resultFor(json, fields)) : json),
		...members,
		dryRun: true,
		request: { endpoint: endpoint.name, ...showFields(fields) },
	};
}
