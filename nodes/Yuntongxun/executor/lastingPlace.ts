import { translate } from '../language/translate';
import type { Operation } from '../operation/defineOperation';
import type { ItemForm } from '../operation/field';
import { limits } from '../operation/limits';
import { idempotencyKey, requestsPerSecond } from '../operation/options';
import { ValidationError } from '../operation/validationError';

/** Options that compare with what the node did before. */
const REMEMBERING = [limits, idempotencyKey, requestsPerSecond].map(({ property }) => property);

/**
 * Refuses what takes a memory, or a trigger beside the node. Call it where n8n makes node and workflow anew for
 * each use.
 *
 * @throws ValidationError
 */
export function requireNoMemory(operation: Operation, form: ItemForm): void {
	const takesMemory =
		operation.needsMemory ||
		REMEMBERING.some(({ name }) => Object.hasOwn(form.options, name)) ||
		wantsResult(operation, form);
	if (!takesMemory) return;
	throw new ValidationError(
		translate(
			'n8n makes this node anew for each use, so limits, IDs, a pace, the check of codes and the results of calls do not work here',
		),
		'Put the node into a workflow, and give the agent that workflow as its tool.',
	);
}

function wantsResult(operation: Operation, form: ItemForm): boolean {
	const field = operation.fields.resultDelivery;
	if (field === undefined) return false;
	return ['trigger', 'wait'].includes(String(form.parameter(field.property.name)));
}
