import type { Answer, Endpoint } from '../../../nodes/Yuntongxun/client/client';
import { ServiceFailure } from '../../../nodes/Yuntongxun/client/serviceFailure';
import type { FailureFacts } from '../../../nodes/Yuntongxun/client/serviceFailure';
import type { MessageItem } from '../../../nodes/Yuntongxun/executor/item';
import type { Terms } from '../../../nodes/Yuntongxun/idempotency/reservations';
import type { Message } from '../../../nodes/Yuntongxun/operation/defineOperation';

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
		kind: 'message',
		recipients: numbers,
		maxNumbersPerRequest: 1,
		requestFor: (to) => ({ endpoint: SMS, fields: { to: to.join(',') } }),
		outputFor: (given, to) => ({
			statusCode: given.statusCode,
			callSid: given.text('callSid'),
			to: to.join(','),
		}),
		...changes,
	};
}

/** An SMS to several numbers. @param textId equal for items that send the same text */
export function sms(numbers: string[], textId = 'text', max = 200): Message {
	return call(numbers, {
		outputFor: (given, to) => ({
			statusCode: given.statusCode,
			smsMessageSid: given.text('smsMessageSid'),
			to: to.join(','),
		}),
		maxNumbersPerRequest: max,
		textId,
	});
}

/** An item that passed its check. */
export function itemOf(
	index: number,
	task: Message,
	terms: Terms = {},
	isDryRun = false,
): MessageItem {
	return {
		index,
		results: new Map(),
		ready: {
			task,
			format: 'json',
			timeout: 1000,
			terms,
			hasTerms: Object.keys(terms).length > 0,
			isDryRun,
		},
	};
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
