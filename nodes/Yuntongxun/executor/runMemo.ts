import type { IExecuteFunctions } from 'n8n-workflow';

import { getRunIdentity } from '../util/n8nInternals';
import type { Item } from './model';

const runs = new WeakMap<object, Map<number, Item[]>>();

/**
 * The items that this try keeps from the one before, by the index of their input item. n8n's Retry On Fail
 * runs a node again with all its items, in the same process, and must not reach anybody twice.
 *
 * @param hasSideEffects whether the operation changes something
 * @returns a map that all tries of a run share; what the next try does not keep is gone from it
 */
export function openRunMemo(
	context: IExecuteFunctions,
	hasSideEffects: boolean,
): Map<number, Item[]> {
	const run = getRunIdentity(context);
	const memo = runs.get(run) ?? new Map<number, Item[]>();
	runs.set(run, memo);
	for (const [index, items] of memo) {
		const kept = items.filter((item) => isKeptForRetry(item, hasSideEffects));
		if (kept.length === 0) memo.delete(index);
		else planAgain(items.filter((item) => !kept.includes(item)));
	}
	return memo;
}

/** Plans the other requests of an SMS again, with the numbers that they had: a form may give others now. */
function planAgain(items: readonly Item[]): void {
	for (const item of items) {
		if (item.kind !== 'refused') item.status = { state: 'planned' };
	}
}

/** Whether what became of an item stays: it was or may have been accepted, or its ID may count as used. */
function isKeptForRetry({ kind, status }: Item, hasSideEffects: boolean): boolean {
	switch (status.state) {
		case 'planned':
			return false;
		case 'done':
			return kind === 'task' || status.reached > 0;
		case 'failed':
			return hasSideEffects && (status.accepted !== 'no' || status.mayCountAsUsed === true);
	}
}
