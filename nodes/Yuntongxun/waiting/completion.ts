import type { INodeExecutionData } from 'n8n-workflow';

import { isAnswered } from '../callbacks/callEvent';
import type { CallResult } from '../callbacks/callEvent';
import type { ContinueWhen } from '../callbacks/wait';
import { NO_RESULT, STILL_OPEN, toResultFields, toWaitingJson } from './waitOutput';

/*
 * What completes a wait. The waiting node decides by it, and the relay uses the same rule to know when
 * a delivery is worth it.
 */

/** What the waiting node tells the relay about its wait. */
export interface WaitStatus {
	wait: 'waiting';
	/** Ids of the missing results. */
	missing: string[];
	/** When the limit passes, in milliseconds since 1970. */
	until: number;
	/** Whether one answered call completes the wait. */
	firstAnswered: boolean;
}

/**
 * Whether all awaited results have come, or one of an answered call where that is enough.
 *
 * @param results by their ids; those of other calls do not matter
 */
export function isComplete(
	awaitedIds: readonly string[],
	firstAnswered: boolean,
	results: ReadonlyMap<string, CallResult>,
): boolean {
	const came = awaitedIds.flatMap((id) => results.get(id) ?? []);
	const isEnough = firstAnswered && came.some(({ callEvent }) => isAnswered(callEvent));
	return isEnough || came.length === awaitedIds.length;
}

/** A wait, as n8n stores it with the parked execution. */
export interface ParkedWait {
	/** Id of the wait, also in the addresses of its calls. */
	id: string;
	continueWhen: ContinueWhen;
	/** When the limit passes, in milliseconds since 1970. */
	until: number;
	/** For each parked item, the id of the result it waits for; null if it placed no call. */
	resultIds: Array<string | null>;
}

/** The status of a wait, of which some results have come; by their ids. */
export function getWaitStatus(
	wait: ParkedWait,
	results: ReadonlyMap<string, CallResult> = new Map(),
): WaitStatus {
	return {
		wait: 'waiting',
		missing: getAwaitedIds(wait).filter((id) => !results.has(id)),
		until: wait.until,
		firstAnswered: isFirstEnough(wait),
	};
}

function getAwaitedIds({ resultIds }: ParkedWait): string[] {
	return resultIds.filter((id) => id !== null);
}

function isFirstEnough({ continueWhen }: ParkedWait): boolean {
	return continueWhen === 'firstAnswered';
}

/**
 * Decides whether an execution resumes, which only happens here: its wait is complete, or the limit
 * has passed.
 *
 * @param items the parked items, in input order
 * @param results by their ids; those of other calls do not matter
 * @param now milliseconds since 1970
 * @returns the items to continue with; undefined if the execution stays parked
 */
export function completeWait(
	wait: ParkedWait,
	items: readonly INodeExecutionData[],
	results: ReadonlyMap<string, CallResult>,
	now: number,
): INodeExecutionData[] | undefined {
	const isOverdue = now >= wait.until;
	const isDone = isOverdue || isComplete(getAwaitedIds(wait), isFirstEnough(wait), results);
	if (!isDone) return undefined;

	const open = isOverdue ? NO_RESULT : STILL_OPEN;
	return items.map((item, position) => {
		const id = wait.resultIds[position];
		if (id === null) return { ...item };
		const result = results.get(id);
		const known = result ? toResultFields(item, result) : open;
		return { ...item, json: toWaitingJson(item.json, known) };
	});
}
