import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../client/serviceFailure';
import { joinSentences } from '../language/translate';
import { findFacts } from './errors';
import type { ItemFailure } from './errors';
import { joinNumbers } from './model';
import type { FailedStatus, Item, MessageItem, RefusedItem, TaskItem } from './model';

/** What an item gives. */
export type ItemOutput =
	/** The run stopped before the item was done. */
	| { kind: 'none' }
	| { kind: 'jsons'; jsons: IDataObject[] }
	| { kind: 'failure'; failure: ItemFailure };

/**
 * Renders an item, once, at the end of the run.
 *
 * @param hasSideEffects whether the operation changes something, so that it matters what was accepted
 */
export function toOutput(item: Item, hasSideEffects: boolean): ItemOutput {
	if (item.kind === 'refused') return toRefusal(item, hasSideEffects);
	const { status } = item;
	switch (status.state) {
		case 'planned':
			return { kind: 'none' };
		case 'done':
			return { kind: 'jsons', jsons: status.jsons };
		case 'failed':
			return { kind: 'failure', failure: toFailure(item, status, hasSideEffects) };
	}
}

function toRefusal({ index, error }: RefusedItem, hasSideEffects: boolean): ItemOutput {
	const accepted = hasSideEffects ? 'no' : undefined;
	const failure: ItemFailure = { index, facts: findFacts(error), isFromService: false, accepted };
	return { kind: 'failure', failure };
}

function toFailure(
	item: TaskItem | MessageItem,
	{ error, accepted, advice = '', members }: FailedStatus,
	hasSideEffects: boolean,
): ItemFailure {
	const facts = findFacts(error);
	// The words of an ID that n8n did not record have it already.
	const remedy = facts.remedy.includes(advice) ? facts.remedy : joinSentences(facts.remedy, advice);
	return {
		index: item.index,
		facts: { ...facts, remedy },
		isFromService: error instanceof ServiceFailure,
		accepted: hasSideEffects ? accepted : undefined,
		to: item.kind === 'message' ? joinNumbers(item.recipients) : undefined,
		more: members,
	};
}
