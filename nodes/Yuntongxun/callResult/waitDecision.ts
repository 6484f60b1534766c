import type { INodeExecutionData } from 'n8n-workflow';

import { resultKey } from './notification';
import type { CallEvent, Notification } from './notification';
import { isAnswered, resultItem } from './resultItem';

/** When an execution goes on. */
export type ContinueWhen = 'allResults' | 'firstAnswered';

/** A wait, as n8n stores it with the parked execution. */
export interface ParkedWait {
	/** Id of the wait, also in the addresses of its calls. */
	id: string;
	/** The kind of notification that is the result of these calls. */
	event: CallEvent;
	continueWhen: ContinueWhen;
	/** When the limit passes, in milliseconds since 1970. */
	until: number;
	/** Positions, among the parked items, of those whose calls are waited for. */
	calls: number[];
}

/** A call result that has come, and when it first reached n8n, in milliseconds since 1970. */
export interface ArrivedResult {
	notification: Notification;
	at: number;
}

/** What the parked items say until they have a result. */
export const NO_RESULT = { outcome: 'timeout', answered: false };

/** What a wait makes of its results: the items to go on with, or the keys of missing results. */
export type Decision = { items: INodeExecutionData[] } | { missing: string[] };

/** The `callSid` of a parked item. */
const sidOf = (item: INodeExecutionData) => String(item.json.callSid);

/**
 * Decides whether an execution goes on. The only place that does: relay and webhook ask it.
 *
 * @param items the parked items, in input order
 * @param given results of the awaited kind by `callSid`; those of other calls change nothing
 * @param now milliseconds since 1970
 */
export function decide(
	wait: ParkedWait,
	items: readonly INodeExecutionData[],
	given: ReadonlyMap<string, ArrivedResult>,
	now: number,
): Decision {
	const resultOf = (item: INodeExecutionData) => given.get(sidOf(item));
	const calls = wait.calls.map((position) => items[position]);
	const missing = calls
		.filter((item) => resultOf(item) === undefined)
		.map((item) => resultKey({ event: wait.event, callSid: sidOf(item) }));
	const isAlarmHeard =
		wait.continueWhen === 'firstAnswered' &&
		calls.some((item) => isAnswered(resultOf(item)?.notification));
	const isTimeOver = now >= wait.until;
	if (missing.length > 0 && !isAlarmHeard && !isTimeOver) return { missing };
	const open = isTimeOver ? NO_RESULT : { ...NO_RESULT, outcome: 'pending' };
	const waited = new Set(wait.calls);
	return {
		items: items.map((item, position) => {
			if (!waited.has(position)) return { ...item };
			const result = resultOf(item);
			return { ...item, json: { ...item.json, ...(result ? fieldsOf(item, result) : open) } };
		}),
	};
}

/** The fields of a result for an item; those of the call itself stay. */
function fieldsOf({ json }: INodeExecutionData, { notification, at }: ArrivedResult) {
	const result = resultItem(notification, new Date(at));
	const { outcome, answered } = result;
	return { ...result, ...json, outcome, answered };
}
