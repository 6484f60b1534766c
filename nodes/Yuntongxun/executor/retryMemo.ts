import type { IExecuteFunctions } from 'n8n-workflow';

import { acceptedBy, isMessageItem } from './item';
import type { Item } from './item';

const runs = new WeakMap<object, Map<number, Item>>();

/**
 * The items that this try takes over from the one before, by index. n8n's Retry On Fail runs a node
 * again with all its items, in the same process, and nobody may be reached twice by that.
 *
 * @param changes whether the operation changes something
 * @returns a map that the tries of one run share
 */
export function retryMemo(context: IExecuteFunctions, changes: boolean): Map<number, Item> {
	const executeData = context.getExecuteData();
	// A tool of an AI agent gets the record of the agent's run, which outlives many calls of the
	// tool. Its arguments are new with each call and stay the same over the tries of that call.
	const isTool = executeData.node.name !== context.getNode().name;
	const run = isTool ? context.getInputData()[0].json : executeData;
	const memo = runs.get(run) ?? new Map<number, Item>();
	runs.set(run, memo);
	for (const [index, item] of memo) {
		const kept = keptFor(item, changes);
		if (kept) memo.set(index, kept);
		else memo.delete(index);
	}
	return memo;
}

/**
 * Everything of an item that was accepted or may have been. Its other numbers are tried again, but
 * of an SMS only those that no request has named.
 *
 * @returns undefined if the next try begins the item anew
 */
function keptFor(item: Item, changes: boolean): Item | undefined {
	if (item.outcome) {
		const isReached = changes && acceptedBy(item.outcome) !== 'no';
		return 'value' in item.outcome || isReached ? item : undefined;
	}
	if (!isMessageItem(item)) return undefined;
	const sent = [...item.results].filter(([, result]) => 'isSent' in result && result.isSent);
	const reached = sent.filter(([, result]) => 'isSent' in result && acceptedBy(result) !== 'no');
	if (reached.length === 0) return undefined;
	return { ...item, results: new Map(item.ready.task.maxNumbersPerRequest > 1 ? sent : reached) };
}
