import type { INodeExecutionData } from 'n8n-workflow';

import { isAnswered, itemJson, resultKey } from '../callbacks/callEvent';
import type { CallEventName, CallResult } from '../callbacks/callEvent';
import type { WaitStatus } from '../relay/protocol';

/** When an execution resumes. */
export type ContinueWhen = 'allResults' | 'firstAnswered';

/** A wait, as n8n stores it with the parked execution. */
export interface ParkedWait {
	/** Id of the wait, also in the addresses of its calls. */
	id: string;
	/** The kind of event that is the result of these calls. */
	event: CallEventName;
	continueWhen: ContinueWhen;
	/** When the limit passes, in milliseconds since 1970. */
	until: number;
	/** Positions, among the parked items, of those whose calls are waited for. */
	calls: number[];
}

/** What the parked items say until they have a result. */
export const NO_RESULT = { outcome: 'timeout', answered: false };

/** What a wait makes of its results: the items to continue with, or the keys of missing results. */
export type Completion = { items: INodeExecutionData[] } | { missing: string[] };

/** The `callSid` of a parked item. */
const sidOf = (item: INodeExecutionData) => String(item.json.callSid);

/** The keys of the results that are missing. */
export function missingOf(
	wait: ParkedWait,
	items: readonly INodeExecutionData[],
	given: ReadonlyMap<string, CallResult> = new Map(),
): string[] {
	return wait.calls
		.map((position) => sidOf(items[position]))
		.filter((callSid) => !given.has(callSid))
		.map((callSid) => resultKey({ event: wait.event, callSid }));
}

/** How a wait stands, as the relay is told. */
export function waitStatus(wait: ParkedWait, missing: string[]): WaitStatus {
	const firstAnswered = wait.continueWhen === 'firstAnswered';
	return { wait: 'waiting', missing, until: wait.until, firstAnswered };
}

/**
 * The completion condition: decides whether an execution resumes. The only place that does.
 *
 * @param items the parked items, in input order
 * @param given results of the awaited kind by `callSid`; those of other calls change nothing
 * @param now milliseconds since 1970
 */
export function completionOf(
	wait: ParkedWait,
	items: readonly INodeExecutionData[],
	given: ReadonlyMap<string, CallResult>,
	now: number,
): Completion {
	const resultOf = (item: INodeExecutionData) => given.get(sidOf(item));
	const calls = wait.calls.map((position) => items[position]);
	const missing = missingOf(wait, items, given);
	const isFirstAnswered =
		wait.continueWhen === 'firstAnswered' &&
		calls.some((item) => isAnswered(resultOf(item)?.callEvent));
	const isOverdue = now >= wait.until;
	if (missing.length > 0 && !isFirstAnswered && !isOverdue) return { missing };
	const open = isOverdue ? NO_RESULT : { ...NO_RESULT, outcome: 'pending' };
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
function fieldsOf({ json }: INodeExecutionData, result: CallResult) {
	const fields = itemJson(result);
	const { outcome, answered } = fields;
	return { ...fields, ...json, outcome, answered };
}
