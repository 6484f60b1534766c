import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { toCallItemJson } from '../callbacks/callEvent';
import type { CallResult } from '../callbacks/callEvent';
import { collectOthers } from '../callbacks/members';

/** What the parked items say at the limit, without a result. */
export const NO_RESULT = { outcome: 'timeout', answered: false };

/** What they say until the limit has passed. */
export const STILL_OPEN = { outcome: 'pending', answered: false };

/** What people look for first in the result of a call. */
const LOOKED_FOR = ['to', 'outcome', 'answered', 'durationSeconds'];

/**
 * The json of a call with what is known of its result. What people look for comes first, as it does
 * in n8n's table.
 */
export function toWaitingJson(call: IDataObject, result: IDataObject): IDataObject {
	const json: IDataObject = { ...call, ...result };
	const first = LOOKED_FOR.filter((name) => Object.hasOwn(json, name));
	return { ...Object.fromEntries(first.map((name) => [name, json[name]])), ...json };
}

/** The fields of a result for an item; those of the call itself stay, whatever else was delivered. */
export function toResultFields({ json }: INodeExecutionData, { callEvent, at }: CallResult) {
	const others = collectOthers(callEvent.others, [], Object.keys(json));
	const fields = toCallItemJson({ ...callEvent, others }, at);
	const { outcome, answered } = fields;
	return { ...fields, ...json, outcome, answered };
}
