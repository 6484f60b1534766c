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

const isMessage = (task: Task | Message): task is Message => Object.hasOwn(task, 'requestFor');

/** The request of a message to its numbers. */
export function firstRequest(task: Task | Message): ServiceRequest {
	if (!isMessage(task)) throw new Error('This task sends no message');
	return task.requestFor(getTexts(task));
}

/** Does a task in one go: its own work, or one request to all its numbers. */
export async function runTask(
	task: Task | Message,
	send: Send,
	recordKey: RecordKey = recordNothing,
): Promise<IDataObject[]> {
	if (!isMessage(task)) return await task.run(send, recordKey);
	const answer = await send(firstRequest(task));
	return [{ ...task.outputFor(answer), to: getTexts(task).join(',') }];
}
