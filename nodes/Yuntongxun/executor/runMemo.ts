import type { IExecuteFunctions } from 'n8n-workflow';

import { resetForRetry } from './model';
import type { Item } from './model';

const runs = new WeakMap<object, Map<number, Item>>();

/**
 * The items that this try keeps from the one before, by index. n8n's Retry On Fail runs a node again
 * with all its items, in the same process, and must not reach anybody twice.
 *
 * @param hasSideEffects whether the operation changes something
 * @returns a map that all tries of a run share; what the next try does not keep is gone from it
 */
export function openRunMemo(
	context: IExecuteFunctions,
	hasSideEffects: boolean,
): Map<number, Item> {
	const executeData = context.getExecuteData();
	// A tool of an AI agent gets the record of the agent's run, which outlives many calls of the
	// tool. Its arguments are new with each call and stay the same over the tries of that call.
	const hasAgentsRecord = executeData.node.name !== context.getNode().name;
	const run = hasAgentsRecord ? context.getInputData()[0].json : executeData;
	const memo = runs.get(run) ?? new Map<number, Item>();
	runs.set(run, memo);
	for (const [index, item] of memo) {
		const isKept = resetForRetry(item, hasSideEffects);
		if (!isKept) memo.delete(index);
	}
	return memo;
}
