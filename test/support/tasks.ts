import type { IDataObject } from 'n8n-workflow';

import type { Send, ServiceRequest } from '../../nodes/Yuntongxun/client/request';
import type { TokenUsage, Message, Task } from '../../nodes/Yuntongxun/operation/defineOperation';
import { getTexts } from './messages';

/** For operations that have nothing to do with verification tokens. */
const refuse = async (): Promise<never> => {
	throw new Error('No verification token was expected');
};
export const NO_ATTEMPTS: TokenUsage = { takeAttempt: refuse, redeem: refuse };

/** Remembers tokens as long as it lives. */
export class AttemptsInMemory implements TokenUsage {
	/** Every record that was made, in order. */
	readonly records: string[] = [];

	async takeAttempt(name: string, max: number): Promise<number | undefined> {
		const taken = this.records.filter((record) => record === name).length;
		if (taken >= max) return undefined;
		this.records.push(name);
		return taken + 1;
	}

	async redeem(id: string): Promise<boolean> {
		return (await this.takeAttempt(`use of ${id}`, 1)) !== undefined;
	}
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
	attempts: TokenUsage = NO_ATTEMPTS,
): Promise<IDataObject[]> {
	if (!isMessage(task)) return await task.run(send, () => attempts);
	const answer = await send(firstRequest(task));
	return [{ ...task.outputFor(answer), to: getTexts(task).join(',') }];
}
