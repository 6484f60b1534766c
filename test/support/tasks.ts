import type { IDataObject } from 'n8n-workflow';

import type { Send, ServiceRequest } from '../../nodes/Yuntongxun/client/request';
import type { Message, RecordKey, Task } from '../../nodes/Yuntongxun/operation/defineOperation';
import { getTexts } from './messages';

/** For operations that need no memory. */
export const recordNothing: RecordKey = async () => {
	throw new Error('No key was expected');
};

/** Remembers keys as long as it lives, in the order in which they came. */
export function createMemory(): { recordKey: RecordKey; keys: Set<string> } {
	const keys = new Set<string>();
	return { keys, recordKey: async (key) => !keys.has(key) && keys.add(key).has(key) };
}

const isMessage = (work: Task | Message): work is Message => Object.hasOwn(work, 'requestFor');

/** The request of a message to its numbers. */
export function firstRequest(work: Task | Message): ServiceRequest {
	if (!isMessage(work)) throw new Error('This task sends no message');
	return work.requestFor(getTexts(work));
}

/** Does work in one go: that of a task, or one request to all numbers of a message. */
export async function runTask(
	work: Task | Message,
	send: Send,
	recordKey: RecordKey = recordNothing,
): Promise<IDataObject[]> {
	if (!isMessage(work)) return await work.run(send, recordKey);
	const answer = await send(firstRequest(work));
	return [{ ...work.outputFor(answer), to: getTexts(work).join(',') }];
}
