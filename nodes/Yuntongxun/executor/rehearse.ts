import type { IDataObject } from 'n8n-workflow';

import type { Rehearsal } from '../operation/defineOperation';
import { toResultJson } from '../waiting/waitItems';
import { getUnskipped, isOpen } from './model';
import type { Item, MessageItem } from './model';

/**
 * Accepts the requests of the items that are rehearsed, unless they are refused, with made-up answers.
 *
 * @param executionId for the ids in them
 */
export function acceptRehearsed(items: readonly Item[], executionId: string): void {
	for (const { rehearsal, index, requests } of items.filter((item) => item.kind === 'message')) {
		for (const [position, request] of requests.entries()) {
			if (rehearsal === undefined || !isOpen(request)) continue;
			const answer = rehearsal.answerFor(buildMadeUpId(executionId, index, position));
			request.fate = { state: 'accepted', answer };
		}
	}
}

/**
 * Makes up the id of a rehearsed request: as many digits as the service's own, which begin with the date of
 * the call. Here: zeros, the number of the execution, and the positions of the item in the run and of the
 * request in the item.
 */
function buildMadeUpId(executionId: string, item: number, request: number): string {
	const execution = executionId.replace(/\D/g, '').slice(-10);
	const positions = String(item).padStart(6, '0') + String(request).padStart(4, '0');
	return '0'.repeat(12) + execution.padStart(10, '0') + positions;
}

/**
 * The output of a rehearsed message.
 *
 * @param json what the real run would give, before anybody has the result of a call
 */
export function describeRehearsal(
	{ task, route, requests }: MessageItem,
	{ resultFor, members, showFields = (fields) => fields }: Rehearsal,
	json: IDataObject,
): IDataObject {
	const { endpoint, fields } = task.requestFor(getUnskipped(requests[0]), route?.buildUrl());
	return {
		...(resultFor ? toResultJson(json, resultFor(json, fields)) : json),
		...members,
		dryRun: true,
		request: { endpoint: endpoint.name, ...showFields(fields) },
	};
}
