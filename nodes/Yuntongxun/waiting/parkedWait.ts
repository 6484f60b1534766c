import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItemJson } from '../callbacks/notification';
import type { CallResult } from '../callbacks/notification';
import { findParkedInput, replaceInput } from '../util/n8nInternals';

/** The wait is stored under this name, beside the node's input, with the parked execution. */
const STORED = 'yuntongxunWait';

/** A wait, as n8n stores it with the parked execution. All times are in milliseconds since 1970. */
export interface ParkedWait {
	/** Its random id, which its addresses hold. */
	id: string;
	/** When the limit passes. */
	until: number;
	/** When it gets too late to resume the execution, so that only n8n's own timer does. */
	resumableUntil: number;
	/** For each parked item, the `callSid` of the call it waits for; null if it placed none. */
	callSids: Array<string | null>;
}

/** A wait, and the items that n8n continues with when its own timer ends it. */
export interface ParkedRun {
	wait: ParkedWait;
	items: INodeExecutionData[];
}

/** Makes the wait and the parked items the input of the node, which n8n stores when it parks. */
export function storeParkedRun(context: IExecuteFunctions, { wait, items }: ParkedRun): void {
	replaceInput(context, { main: [items], [STORED]: [[{ json: { ...wait } }]] });
}

/** Finds the wait of the execution that a webhook is called for, and its parked items. */
export function findParkedRun(context: object): ParkedRun | undefined {
	const data = findParkedInput(context);
	const stored = data?.[STORED]?.[0]?.[0].json;
	const items = data?.main[0];
	return stored && items ? { wait: stored as unknown as ParkedWait, items } : undefined;
}

/**
 * Puts an empty list in place of the wait, which n8n stores when it resumes the execution: a knock after a
 * crash then finds nothing to resume, and a retry of the execution calls nobody.
 */
export function clearParkedWait(context: object): void {
	const data = findParkedInput(context);
	if (data) data[STORED] = [];
}

/**
 * The items of a node that has already placed its calls. If an execution crashes after a wait, n8n's retry runs the
 * node again, and its input is what was parked, or what the wait ended with.
 *
 * @returns undefined if this is the first time
 */
export function findEarlierOutput(context: IExecuteFunctions): INodeExecutionData[] | undefined {
	const { data } = context.getExecuteData();
	return Object.hasOwn(data, STORED)
		? (data.main[0] ?? []).map((item) => ({ ...item }))
		: undefined;
}

/** Copies items, in their order, with another json for the calls that are waited for. */
export function describeCalls(
	items: readonly INodeExecutionData[],
	callSids: ReadonlyArray<string | null>,
	describe: (call: IDataObject, callSid: string) => IDataObject,
): INodeExecutionData[] {
	return items.map((item, position) => {
		const callSid = callSids[position];
		return callSid === null ? { ...item } : { ...item, json: describe(item.json, callSid) };
	});
}

/** The json of a call with its result; without one the limit has passed. */
export function toResultJson(call: IDataObject, result?: CallResult): IDataObject {
	if (!result) return { ...call, outcome: 'timeout', answered: false };

	const fields = toItemJson(result.callEvent, result.at);
	const { outcome, answered } = fields;
	// The fields of the call itself stay, whatever else was delivered.
	return { ...call, ...fields, ...call, outcome, answered };
}
