import { FieldRefusal } from './form';
import type { Field, Form } from './form';
import type { Operation, Task } from './operation';
import { isAllowed } from './phoneNumber';
import { allowedRecipients, dryRun } from './sharedFields';

/**
 * Checks one item's form as a whole, before anything goes out.
 *
 * @returns what is to be done for the item; for a dry run, to show the request and send nothing
 * @throws FormRefusal
 */
export function prepareItem(operation: Operation, form: Form): Task {
	const task = operation.prepare(form);
	const chosen = <T>(field: Field<T>): T | undefined =>
		operation.options.includes(field) ? field.read(form) : undefined;
	const allowed = chosen(allowedRecipients) ?? '';
	if (task.to?.some((number) => !isAllowed(allowed, number))) {
		throw new FieldRefusal(
			'To',
			'must name only numbers that Allowed Recipients lets through',
			task.to,
		);
	}
	const { request, to, hints } = task;
	return chosen(dryRun) ? { request, to, hints, complete: async () => [rehearsalOf(task)] } : task;
}

function rehearsalOf({ request: { endpoint, fields }, to }: Task) {
	return { dryRun: true, endpoint: endpoint.name, request: { ...fields }, to: to?.join(',') };
}
