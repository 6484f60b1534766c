import type { IDataObject } from 'n8n-workflow';

import type { Answer, Endpoint } from '../../nodes/Yuntongxun/client/request';
import { ServiceFailure } from '../../nodes/Yuntongxun/client/serviceFailure';
import type { FailureFacts } from '../../nodes/Yuntongxun/client/serviceFailure';
import { toErrorJson } from '../../nodes/Yuntongxun/executor/errors';
import { packRequests } from '../../nodes/Yuntongxun/executor/model';
import type {
	Fate,
	Item,
	MessageItem,
	TaskItem,
	TaskStatus,
} from '../../nodes/Yuntongxun/executor/model';
import { toResult } from '../../nodes/Yuntongxun/executor/outputs';
import { acceptRehearsed } from '../../nodes/Yuntongxun/executor/rehearse';
import type { Limit } from '../../nodes/Yuntongxun/idempotency/quotas';
import type { Guards, Skip } from '../../nodes/Yuntongxun/idempotency/reservations';
import type { Message, Task } from '../../nodes/Yuntongxun/operation/defineOperation';

const limitBy =
	(by: 'number' | 'total') =>
	(max: number, period: Limit['period'] = 'day'): Limit => ({ by, max, period });

export const perNumber = limitBy('number');
export const inTotal = limitBy('total');

export const SMS: Endpoint = { name: 'SMS', root: 'SMS', hasSideEffects: true };

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
		id: 'callSid',
		maxNumbersPerRequest: 1,
		requestFor: (to) => ({ endpoint: SMS, fields: { to: to.join(',') } }),
		outputFor: (given) => ({ statusCode: given.statusCode, callSid: given.text('callSid') }),
		rehearse: () => ({ answerFor: answer }),
		...changes,
	};
}

/** An SMS to several numbers. @param max how many fit into a request */
export function sms(numbers: string[], max = 200): Message {
	return call(numbers, {
		id: 'smsMessageSid',
		entryMembers: ['smsMessageSid', 'dateCreated'],
		outputFor: (given) => ({
			statusCode: given.statusCode,
			smsMessageSid: given.text('smsMessageSid'),
		}),
		maxNumbersPerRequest: max,
	});
}

/** A call or an SMS that passed its check. */
export function buildItem(index: number, task: Message, guards: Guards = {}): MessageItem {
	const { key: idempotencyKey } = guards;
	const rate = { concurrency: 10, perSecond: 0 };
	return packRequests({
		kind: 'message',
		index,
		task,
		timeout: 1000,
		idempotencyKey,
		guards,
		rate,
	});
}

/** A message that is rehearsed. */
export function buildRehearsal(task: Message, index = 0, guards: Guards = {}): MessageItem {
	return packRequests({ ...buildItem(index, task, guards), rehearsal: task.rehearse() });
}

/** An item that reaches nobody's phone. */
export function buildTaskItem(status: TaskStatus, task: Partial<Task> = {}, index = 0): TaskItem {
	return { kind: 'task', index, task: { run: async () => [], ...task }, timeout: 1000, status };
}

/** What became of a request that went out. @param end its answer, or what was thrown */
export function toFate(end: Answer | Error): Fate {
	if (!(end instanceof Error)) return { state: 'accepted', answer: end };
	const accepted = end instanceof ServiceFailure ? (end.facts.accepted ?? 'unknown') : 'unknown';
	return { state: 'errored', accepted, error: end };
}

/** Ends the requests of an item, in their order; one that is undefined is still planned. */
export function endRequests(item: MessageItem, ...ends: Array<Answer | Error | undefined>): void {
	ends.forEach((end, position) => {
		if (end !== undefined) item.requests[position].fate = toFate(end);
	});
}

/** The numbers that a message is for, as they are sent. */
export const getTexts = (task: Message): string[] => task.recipients.map(({ text }) => text);

/** Leaves numbers of an item out. */
export function skipNumbers(item: MessageItem, numbers: string[], skip: Skip): void {
	for (const recipient of item.requests.flatMap(({ recipients }) => recipients)) {
		if (numbers.includes(recipient.number.text)) recipient.skip = skip;
	}
}

/** What an item gives at the end of its run, as n8n shows it. */
export function showItem(item: Item, hasSideEffects = true) {
	acceptRehearsed([item], '42');
	const { output, rows } = toResult(item, hasSideEffects);
	const failure = output.kind === 'failure' ? output.failure : undefined;
	const jsons = output.kind === 'jsons' ? output.jsons : [];
	const outputs: IDataObject[] = failure ? [{ error: toErrorJson(failure) }] : jsons;
	return { outputs, failure, rows };
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
