import type { IDataObject } from 'n8n-workflow';

import type { Answer, Endpoint } from '../../nodes/Yuntongxun/client/request';
import { ServiceFailure } from '../../nodes/Yuntongxun/client/serviceFailure';
import type { FailureFacts } from '../../nodes/Yuntongxun/client/serviceFailure';
import { findAcceptance, splitMessage } from '../../nodes/Yuntongxun/executor/model';
import type { Item, MessageItem, Status, TaskItem } from '../../nodes/Yuntongxun/executor/model';
import { toFailure, toJsons } from '../../nodes/Yuntongxun/executor/outputs';
import { acceptRehearsed } from '../../nodes/Yuntongxun/executor/rehearse';
import type { Limit } from '../../nodes/Yuntongxun/idempotency/limits';
import type { Guards } from '../../nodes/Yuntongxun/idempotency/reservations';
import type { Message, Task } from '../../nodes/Yuntongxun/operation/defineOperation';

const limitBy =
	(by: 'number' | 'total') =>
	(max: number, period: Limit['period'] = 'day'): Limit => ({ by, max, period });

export const perNumber = limitBy('number');
export const inTotal = limitBy('total');

export const SENDING: Endpoint = {
	name: 'Sending',
	root: 'Sending',
	essential: 'callSid',
	hasSideEffects: true,
};

/** An accepted request's answer, with an id of its own. */
export const answer = (id: string): Answer => ({
	statusCode: '000000',
	text: (name) => (name === 'statusCode' ? '000000' : name.endsWith('Sid') ? id : ''),
	records: [],
});

export const failure = (facts: Partial<FailureFacts> = {}) =>
	new ServiceFailure({
		summary: 'It was refused',
		remedy: 'Send it again to any others.',
		statusCode: '160040',
		statusMsg: '超限',
		accepted: 'no',
		...facts,
	});

/** Refused for load, lost on the way, and accepted without an id. */
export const OVERLOAD = failure({ statusCode: '160001', overload: true });
export const UNKNOWN = failure({ statusCode: '', statusMsg: '', accepted: 'unknown' });
export const WITHOUT_ID = failure({ statusCode: '000000', accepted: 'yes' });

/** A call, or an SMS in one request. */
export function call(numbers: string[], changes: Partial<Message> = {}): Message {
	return {
		recipients: numbers.map((text) => ({ text, key: text, line: text })),
		maxNumbersPerRequest: 1,
		requestFor: (to) => ({ endpoint: SENDING, fields: { to: to.join(',') } }),
		outputFor: (given) => ({ statusCode: given.statusCode, callSid: given.text('callSid') }),
		rehearse: () => ({ answerFor: answer }),
		...changes,
	};
}

/** An SMS to several numbers. @param max how many fit into a request */
export function sms(numbers: string[], max = 200): Message {
	return call(numbers, {
		outputFor: (given) => ({
			statusCode: given.statusCode,
			smsMessageSid: given.text('smsMessageSid'),
		}),
		maxNumbersPerRequest: max,
	});
}

/** A call or an SMS that passed its check: an item for each request. */
export function buildItems(
	index: number,
	message: Message,
	guards: Guards = {},
	changes: Partial<MessageItem> = {},
): MessageItem[] {
	const { key: idempotencyKey } = guards;
	const item = { kind: 'message', index, message, timeout: 1000, perSecond: 0 } as const;
	return splitMessage({ ...item, idempotencyKey, guards, ...changes });
}

/** An item of a single request. */
export const buildItem = (...about: Parameters<typeof buildItems>): MessageItem =>
	buildItems(...about)[0];

/** A message that is rehearsed. */
export function buildRehearsal(message: Message, index = 0, guards: Guards = {}): MessageItem {
	return buildItem(index, message, guards, { rehearsal: message.rehearse() });
}

/** An item that reaches nobody's phone. */
export function buildTaskItem(status: Status, task: Partial<Task> = {}, index = 0): TaskItem {
	return { kind: 'task', index, task: { run: async () => [], ...task }, timeout: 1000, status };
}

/** What becomes of an item that is accepted. */
export const done = (json: IDataObject = {}, reached = 1): Status => ({
	state: 'done',
	jsons: [json],
	reached,
});

/** What becomes of an item that fails. */
export function failed(
	error: unknown,
	changes: Partial<Extract<Status, { state: 'failed' }>> = {},
): Status {
	return { state: 'failed', error, accepted: findAcceptance(error), ...changes };
}

/** The numbers that a message is for, as they are sent. */
export const getTexts = (message: Message): string[] => message.recipients.map(({ text }) => text);

/** What an item outputs at the end of its run, as n8n shows it. */
export function showItem(item: Item, hasSideEffects = true) {
	acceptRehearsed([item], '42');
	const { status } = item;
	const failure = status.state === 'failed' ? toFailure(item, status, hasSideEffects) : undefined;
	return { outputs: toJsons(item, hasSideEffects), failure };
}

/** A service that answers as told, number by number; the first rule that fits counts. */
export function service(rules: Array<{ number?: string; thrown: unknown; times?: number }> = []) {
	const requests: string[] = [];
	const left = rules.map(({ times = 1 }) => times);
	return {
		/** The numbers of each request, comma-separated. */
		requests,
		send: async ({ fields }: { fields: { to?: unknown } }): Promise<Answer> => {
			const numbers = String(fields.to).split(',');
			requests.push(numbers.join(','));
			const number = requests.length;
			await new Promise((resolve) => setTimeout(resolve, 1));
			const at = rules.findIndex(
				(rule, position) =>
					left[position] > 0 && (rule.number === undefined || numbers.includes(rule.number)),
			);
			if (at < 0) return answer(`id-${number}`);
			left[at]--;
			throw rules[at].thrown;
		},
	};
}
