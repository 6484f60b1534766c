import type { IDataObject } from 'n8n-workflow';

import { redactUrl } from '../callbacks/callbackUrl';
import type { DataFormat } from '../client/codec';
import type { Terms } from '../idempotency/reservations';
import { readOption } from '../operation/defineOperation';
import type { Message, Operation, Task } from '../operation/defineOperation';
import type { ItemContext } from '../operation/itemContext';
import { FieldError } from '../operation/validationError';
import { recipientFilter } from '../operation/phoneNumber';
import {
	allowedRecipients,
	combineItems,
	dryRun,
	idempotencyKey,
	maxConcurrency,
	maxPerRecipient,
	maxPerRecipientPeriod,
	maxTotal,
	maxTotalPeriod,
	requestsPerSecond,
	timeout,
	wireFormat,
} from '../resources/sharedFields';
import type { Item } from './item';
import type { Rate } from './rateLimiter';

/** One item's checked form. */
export interface ReadyItem {
	task: Task;
	/** How its requests go out; the time-out in milliseconds. */
	format: DataFormat;
	timeout: number;
	/** Items with equal keys can share requests; undefined if they never can. */
	batchKey?: string;
	/** What it asks of the numbers that it names. */
	terms: Terms;
	/** Whether it asks anything. */
	hasTerms: boolean;
	/** Whether it shows its request instead of sending it. */
	isDryRun: boolean;
}

/**
 * Checks one item's form as a whole, before anything is sent.
 *
 * @returns the item; a dry run has its output already, and a number of a list that is not allowed its
 * refusal
 * @throws ValidationError
 */
export function validateItem(operation: Operation, form: ItemContext, index: number): Item {
	const task = operation.prepare(form);
	runSettings(operation, form);
	const format = readOption(operation, wireFormat, form) ?? 'json';
	const milliseconds = readOption(operation, timeout, form) ?? Number(timeout.property.default);
	const terms = termsOf(operation, form);
	const ready: ReadyItem = {
		task,
		format,
		timeout: milliseconds,
		terms,
		hasTerms: Object.values(terms).some(Boolean),
		isDryRun: readOption(operation, dryRun, form) ?? false,
	};
	const item: Item = { index, ready, results: new Map() };
	if (task.recipients === undefined) return item;
	if (task.together)
		ready.batchKey = JSON.stringify([format, milliseconds, task.together.batchKey]);
	checkAllowed(task, readOption(operation, allowedRecipients, form) ?? '');
	for (const { to, refusal } of task.recipients) {
		if (refusal) item.results.set(to, { kind: 'notSent', thrown: refusal });
	}
	if (ready.isDryRun) showRequests(item, task);
	return item;
}

function termsOf(operation: Operation, form: ItemContext): Terms {
	const limit = (most: number | undefined, period: 'hour' | 'day' = 'day') =>
		most ? { max: most, period } : undefined;
	return {
		key: readOption(operation, idempotencyKey, form),
		perRecipient: limit(
			readOption(operation, maxPerRecipient, form),
			readOption(operation, maxPerRecipientPeriod, form),
		),
		total: limit(
			readOption(operation, maxTotal, form),
			readOption(operation, maxTotalPeriod, form),
		),
	};
}

let lastFilter = { allowed: '', accepts: recipientFilter('') };

/** One bad entry of a list that makes an item for each number fails alone. */
function checkAllowed({ recipients, together }: Message, allowed: string): void {
	// The same list holds for most items of a run.
	if (allowed !== lastFilter.allowed) lastFilter = { allowed, accepts: recipientFilter(allowed) };
	const isAlone = together !== undefined || recipients.length === 1;
	recipients.forEach((recipient, at) => {
		if (recipient.refusal || lastFilter.accepts(recipient.to)) return;
		const refusal = new FieldError(
			'To',
			'must name only numbers that Allowed Recipients lets through',
			recipient.to,
			recipients.length === 1
				? 'it names another'
				: `entry ${recipient.place ?? at + 1} is another`,
		);
		if (isAlone) throw refusal;
		recipient.refusal = refusal;
	});
}

function showRequests(item: Item, task: Message): void {
	const numbers = task.recipients.filter(({ refusal }) => !refusal).map(({ to }) => to);
	if (task.together) {
		item.outcome = { value: [shown(task, numbers)], isSent: false };
		return;
	}
	for (const to of numbers) item.results.set(to, { kind: 'shown', output: shown(task, [to]) });
}

function shown(task: Message, numbers: string[]): IDataObject {
	const { endpoint, fields } = task.requestFor(numbers);
	const { respUrl, ...others } = fields;
	return {
		dryRun: true,
		endpoint: endpoint.name,
		request: {
			...others,
			...(typeof respUrl === 'string' && { respUrl: redactUrl(respUrl) }),
		},
		to: numbers.join(','),
		...task.preview,
	};
}

/** Settings that hold for all items of a run. */
export interface RunSettings {
	rate: Rate;
	/** Whether items of the same message share requests. */
	combine: boolean;
}

const DEFAULTS: RunSettings = {
	rate: {
		concurrency: Number(maxConcurrency.property.default),
		perSecond: Number(requestsPerSecond.property.default),
	},
	combine: false,
};

/** The settings in one item's form. @throws FieldError */
export function runSettings(operation: Operation, form: ItemContext): RunSettings {
	const { rate, combine } = DEFAULTS;
	return {
		rate: {
			concurrency: readOption(operation, maxConcurrency, form) ?? rate.concurrency,
			perSecond: readOption(operation, requestsPerSecond, form) ?? rate.perSecond,
		},
		combine: readOption(operation, combineItems, form) ?? combine,
	};
}

/** The settings of the first item, or the defaults if they are wrong: that item's check says so. */
export function settingsOfRun(operation: Operation, first: () => ItemContext): RunSettings {
	try {
		return runSettings(operation, first());
	} catch {
		return DEFAULTS;
	}
}
