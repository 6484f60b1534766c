import type { IExecuteFunctions } from 'n8n-workflow';

import { getRunIdentity } from '../util/n8nInternals';
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
	const run = getRunIdentity(context);
	const memo = runs.get(run) ?? new Map<number, Item>();
	runs.set(run, memo);
	for (const [index, item] of memo) {
		const isKept = resetForRetry(item, hasSideEffects);
		if (!isKept) memo.delete(index);
	}
	return memo;
}
