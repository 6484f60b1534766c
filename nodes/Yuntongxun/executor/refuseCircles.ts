import type { IExecuteFunctions } from 'n8n-workflow';

import { translate } from '../language/translate';
import { ValidationError } from '../operation/validationError';
import { isStartedByResult } from '../waiting/workflowTriggers';
import { isPlanned, refuse } from './model';
import type { Item } from './model';

/**
 * Refuses calls that start the trigger of their workflow again, in an execution that the result of a call
 * has started: such a workflow rings for as long as nobody answers, one phone or several in turn. Only a
 * limit by number or in total ends that; an ID can be another one each time.
 *
 * @param items changed in place
 */
export function refuseCircles(context: IExecuteFunctions, items: Item[]): void {
	if (!items.some(mayCircle) || !isStartedByResult(context)) return;

	items.forEach((item, position) => {
		if (!mayCircle(item)) return;
		items[position] = refuse(item.index, buildCircleError());
	});
}

function mayCircle(item: Item): boolean {
	if (item.kind !== 'message' || item.rehearsal !== undefined || !isPlanned(item)) return false;
	const { limits = [] } = item.guards;
	const isLimited = limits.some(({ by }) => by === 'number' || by === 'total');
	return item.task.resultTarget?.kind === 'trigger' && !isLimited;
}

function buildCircleError(): ValidationError {
	return new ValidationError(
		translate(
			'The result of a call has started this execution, and this call would start it again, for as long as nobody answers',
		),
		'Add Limits under Options, counted by phone number or all of this node, or choose Wait for Result.',
	);
}
