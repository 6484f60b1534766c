import type { IExecuteFunctions } from 'n8n-workflow';

import { translate } from '../language/translate';
import { ValidationError } from '../operation/validationError';
import { isStartedByResult } from '../waiting/workflowTriggers';
import type { Item, MessageItem } from './model';

/**
 * Refuses calls that start the trigger of their workflow again, in an execution that the result of a call
 * has started: such a workflow rings for as long as nobody answers, one phone or several in turn. Only a
 * limit by number or in total ends that; an ID can be another one each time.
 *
 * @param items changed in place
 */
export function refuseCircles(context: IExecuteFunctions, items: Item[]): void {
	const circling = items.filter((item) => item.kind === 'message').filter(mayCircle);
	if (circling.length === 0 || !isStartedByResult(context)) return;

	for (const { index } of circling) {
		items[index] = { kind: 'refused', index, error: buildCircleError() };
	}
}

function mayCircle({ task, guards, rehearsal }: MessageItem): boolean {
	const { limits = [] } = guards;
	const isLimited = limits.some(({ by }) => by === 'number' || by === 'total');
	return task.resultWish?.kind === 'trigger' && !isLimited && rehearsal === undefined;
}

function buildCircleError(): ValidationError {
	return new ValidationError(
		translate(
			'The result of a call has started this execution, and this call would start it again, for as long as nobody answers',
		),
		'Add Limits under Options, counted by phone number or all of this node, or choose Wait for Result.',
	);
}
