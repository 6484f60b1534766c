import { FieldRefusal } from './form';
import type { Form } from './form';
import { offered } from './operation';
import type { Operation, Task } from './operation';
import { isAllowed } from './phoneNumber';
import { runSettings } from './runSettings';
import { allowedRecipients, dryRun, idempotencyKey } from './sharedFields';

/**
 * Checks one item's form as a whole, before anything goes out.
 *
 * @returns what is to be done for the item; for a dry run, to show the request and send nothing
 * @throws FormRefusal
 */
export function prepareItem(operation: Operation, form: Form): Task {
	const task = operation.prepare(form);
	// A call that is waited for goes out alone, whatever these say.
	if (task.wait === undefined) runSettings(operation, form);
	const allowed = offered(operation, allowedRecipients, form) ?? '';
	if (task.to?.some((number) => !isAllowed(allowed, number))) {
		throw new FieldRefusal(
			'To',
			'must name only numbers that Allowed Recipients lets through',
			task.to,
		);
	}
	const key = offered(operation, idempotencyKey, form);
	if (offered(operation, dryRun, form)) {
		const { request, hints } = task;
		return { request, hints, complete: async () => [rehearsalOf(task)] };
	}
	return { ...task, idempotencyKey: key };
}

function rehearsalOf({ request: { endpoint, fields }, to }: Task) {
	return { dryRun: true, endpoint: endpoint.name, request: { ...fields }, to: to?.join(',') };
}
