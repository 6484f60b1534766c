import type { IDataObject } from 'n8n-workflow';

import { harmlessAddress } from '../callResult/resultAddress';
import { FieldError } from '../operation/validationError';
import type { ItemContext } from '../operation/itemContext';
import { recipientFilter } from '../operation/phoneNumber';
import { readOption } from '../operation/defineOperation';
import type { Operation, Task } from '../operation/defineOperation';
import {
	allowedRecipients,
	dryRun,
	idempotencyKey,
	maxPerRecipient,
	maxPerRecipientPeriod,
	timeout,
	wireFormat,
} from '../resources/sharedFields';
import type { Send } from '../client/client';
import type { DataFormat } from '../client/codec';
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
 * @throws ValidationError
 */
export function validateItem(
	operation: Operation,
	form: ItemContext,
	clientFor: (format: DataFormat, timeout: number) => Send,
): ReadyTask {
	const task = operation.prepare(form);
	runSettings(operation, form);
	const isAllowed = recipientFilter(readOption(operation, allowedRecipients, form) ?? '');
	if (task.to?.some((number) => !isAllowed(number))) {
		throw new FieldError(
			'To',
			'must name only numbers that Allowed Recipients lets through',
			task.to,
		);
	}
	const key = readOption(operation, idempotencyKey, form);
	const most = readOption(operation, maxPerRecipient, form) ?? 0;
	const period = readOption(operation, maxPerRecipientPeriod, form) ?? 'day';
	const isDryRun = readOption(operation, dryRun, form) ?? false;
	const format = readOption(operation, wireFormat, form) ?? 'json';
	const limit = readOption(operation, timeout, form) ?? Number(timeout.property.default);
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
		...(preview !== undefined && { preview, characters: preview.length }),
	};
	return { request, hints, complete: async () => [output] };
}
