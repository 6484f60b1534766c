import type { IDataObject } from 'n8n-workflow';

import { harmlessAddress } from '../callResult/resultAddress';
import { FieldRefusal } from '../form/form';
import type { Form } from '../form/form';
import { isAllowed } from '../form/phoneNumber';
import { offered } from '../resources/operation';
import type { Operation, Task } from '../resources/operation';
import {
	allowedRecipients,
	dryRun,
	idempotencyKey,
	maxPerRecipient,
	maxPerRecipientPeriod,
	timeout,
	wireFormat,
} from '../resources/sharedFields';
import type { Send } from '../service/client';
import type { WireFormat } from '../service/wireFormat';
import type { RecipientLimit } from './limits';
import { runSettings } from './runSettings';

/** One item's checked task and the client that sends its requests. */
export type ReadyTask = Task & {
	send: Send;
	/** Items of the same kind can share requests. */
	kind: string;
	/** A repeated idempotency key sends nothing. */
	idempotencyKey?: string;
	/** How often each of the numbers may be reached; undefined for no limit. */
	recipientLimit?: RecipientLimit;
};

/**
 * Checks one item's form as a whole, before anything is sent.
 *
 * @param clientFor the client that sends in a format, with a time-out in milliseconds
 * @returns the item's task; a dry run's shows the request and sends nothing
 * @throws FormRefusal
 */
export function prepareItem(
	operation: Operation,
	form: Form,
	clientFor: (format: WireFormat, timeout: number) => Send,
): ReadyTask {
	const task = operation.prepare(form);
	runSettings(operation, form);
	const allowed = offered(operation, allowedRecipients, form) ?? '';
	if (task.to?.some((number) => !isAllowed(allowed, number))) {
		throw new FieldRefusal(
			'To',
			'must name only numbers that Allowed Recipients lets through',
			task.to,
		);
	}
	const key = offered(operation, idempotencyKey, form);
	const most = offered(operation, maxPerRecipient, form) ?? 0;
	const period = offered(operation, maxPerRecipientPeriod, form) ?? 'day';
	const isDryRun = offered(operation, dryRun, form) ?? false;
	const format = offered(operation, wireFormat, form) ?? 'json';
	const limit = offered(operation, timeout, form) ?? Number(timeout.property.default);
	return {
		...(isDryRun
			? rehearsalOf(task)
			: {
					...task,
					idempotencyKey: key,
					...(most > 0 && { recipientLimit: { most, period } }),
				}),
		send: clientFor(format, limit),
		kind: JSON.stringify([format, limit, task.shared?.key]),
	};
}

/** Shows the request instead of sending it. */
function rehearsalOf({ request, hints, to, preview }: Task): Task {
	const { respUrl, ...others } = request?.fields ?? {};
	const output: IDataObject = {
		dryRun: true,
		endpoint: request?.endpoint.name,
		request: {
			...others,
			...(typeof respUrl === 'string' && { respUrl: harmlessAddress(respUrl) }),
		},
		to: to?.join(','),
		...(preview !== undefined && { preview }),
	};
	return { request, hints, complete: async () => [output] };
}
