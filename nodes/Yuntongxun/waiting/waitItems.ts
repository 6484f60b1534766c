import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { CallResult } from '../callbacks/callEvent';
import { toItemJson } from '../callbacks/notification';

/** What the item of a call says at the limit, without a result. */
const NO_RESULT = { outcome: 'timeout', answered: false };

/** What it says while the execution waits: nothing of how the call ends, since nobody knows. */
const STILL_OPEN = { outcome: 'pending' };

/** What people look for first in the result of a call. */
const LOOKED_FOR = ['to', 'outcome', 'answered', 'durationSeconds'];

/** Copies of items, in their order; those of calls that are waited for say more of the call. */
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

/** The json of a call whose execution waits. */
export function toOpenJson(call: IDataObject): IDataObject {
	return toWaitingJson(call, STILL_OPEN);
}

/** The json of a call with its result; without one the limit has passed. */
export function toResultJson(call: IDataObject, result?: CallResult): IDataObject {
	return toWaitingJson(call, result ? toResultFields(call, result) : NO_RESULT);
}

/**
 * The json of a call with what is known of its result. What people look for comes first, as it does
 * in n8n's table.
 */
function toWaitingJson(call: IDataObject, result: IDataObject): IDataObject {
	const json: IDataObject = { ...call, ...result };
	const first = LOOKED_FOR.filter((name) => Object.hasOwn(json, name));
	return { ...Object.fromEntries(first.map((name) => [name, json[name]])), ...json };
}

/** The fields of a result for an item; those of the call itself stay, whatever else was delivered. */
function toResultFields(json: IDataObject, { callEvent, at }: CallResult): IDataObject {
	const fields = toItemJson(callEvent, at);
	const { outcome, answered } = fields;
	return { ...fields, ...json, outcome, answered };
}
