import type { IExecuteFunctions } from 'n8n-workflow';

import { translate } from '../language/translate';
import { cleanCell, parsePhoneNumber } from '../operation/phoneNumber';
import { ValidationError } from '../operation/validationError';
import { findStartingNumbers } from '../waiting/route/workflowTriggers';
import type { Item, MessageItem } from './model';

/**
 * Refuses calls that start the trigger of their workflow again, to a number whose result has just
 * started this execution: such a workflow calls one phone for as long as nobody answers. A limit or an
 * ID ends that by itself.
 *
 * @param items changed in place
 */
export function refuseCircles(context: IExecuteFunctions, items: Item[]): void {
	const circling = items.filter((item) => item.kind === 'message').filter(mayCircle);
	if (circling.length === 0) return;

	const numbers = findStartingNumbers(context).map((number) => parsePhoneNumber(cleanCell(number)));
	const called = new Set(numbers.flatMap((number) => number?.line ?? []));
	for (const { index, task } of circling) {
		const isCircle = task.recipients.some(({ line }) => called.has(line));
		if (isCircle) items[index] = { kind: 'refused', index, error: buildCircleError() };
	}
}

function mayCircle({ task, guards, rehearsal }: MessageItem): boolean {
	const isGuarded = guards.key !== undefined || (guards.limits ?? []).length > 0;
	return task.resultWish?.kind === 'trigger' && !isGuarded && rehearsal === undefined;
}

function buildCircleError(): ValidationError {
	return new ValidationError(
		translate(
			'The result of a call to this number has just started this execution, and this call would start it again, for as long as nobody answers',
		),
		'Add Limits or Send Once per ID under Options, choose Wait for Result, or call another number.',
	);
}
