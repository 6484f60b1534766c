import { DEFAULT_TIMEOUT } from '../client/client';
import type { FieldSet, Message, Operation, ValuesOf } from '../operation/defineOperation';
import type { ItemForm } from '../operation/itemForm';
import { FieldError } from '../operation/validationError';
import { recipientFilter } from '../operation/phoneNumber';
import {
	combineItems,
	maxConcurrency,
	OPTIONS_OF_SENDING,
	requestsPerSecond,
} from '../operation/options';
import type { Item } from './item';
import type { Rate } from './rateLimiter';

/** What holds for all items of a run. */
export interface RunSettings extends Rate {
	/** Whether items that have the same message share requests. */
	combine: boolean;
}

/**
 * The settings of a run, which its first item has, even if that item is refused for something else.
 * The defaults hold if they are wrong, which the check of the item says.
 */
export function settingsOfRun(
	operation: Operation,
	contextOf: (index: number) => ItemForm,
): RunSettings {
	let chosen: Partial<ValuesOf<typeof SETTINGS>> = {};
	try {
		chosen = readOptions(operation, contextOf(0), SETTINGS);
	} catch {}
	const { maxConcurrency: concurrency = Number(maxConcurrency.property.default) } = chosen;
	const { requestsPerSecond: perSecond = 0, combineItems: combine = false } = chosen;
	return { concurrency, perSecond, combine };
}

/**
 * Checks one item's form as a whole, before anything is sent.
 *
 * @returns the item; a number of a list that is not allowed has its refusal already
 * @throws ValidationError
 */
export function validateItem(operation: Operation, form: ItemForm, index: number): Item {
	const task = operation.prepare(form);
	const options = readOptions(operation, form, OPTIONS);
	const limit = (max?: number, period: 'hour' | 'day' = 'day') =>
		max ? { max, period } : undefined;
	const terms = {
		key: options.idempotencyKey,
		perRecipient: limit(options.maxPerRecipient, options.maxPerRecipientPeriod),
		total: limit(options.maxTotal, options.maxTotalPeriod),
	};
	const { wireFormat: format = 'json', timeout = DEFAULT_TIMEOUT } = options;
	const { batchKey } = (task.recipients && task.together) ?? {};
	const ready = {
		task,
		format,
		timeout,
		batchKey: batchKey && JSON.stringify([format, timeout, batchKey]),
		terms,
		hasTerms: Object.values(terms).some(Boolean),
		isDryRun: options.dryRun ?? false,
	};
	if (task.recipients) checkAllowed(task, options.allowedRecipients ?? '');
	return { index, ready, results: new Map() };
}

let lastFilter = { allowed: '', accepts: recipientFilter('') };

/** One bad entry of a list that makes an item for each number fails alone. */
function checkAllowed({ recipients, together }: Message, allowed: string): void {
	// The same list holds for most items of a run.
	if (allowed !== lastFilter.allowed) lastFilter = { allowed, accepts: recipientFilter(allowed) };
	const isOne = recipients.length === 1;
	recipients.forEach((recipient, at) => {
		if (recipient.refusal || lastFilter.accepts(recipient.to)) return;
		const rule = 'must name only numbers that Allowed Recipients lets through';
		const flaw = isOne ? 'it names another' : `entry ${recipient.place ?? at + 1} is another`;
		recipient.refusal = new FieldError('To', rule, recipient.to, flaw);
		if (together || isOne) throw recipient.refusal;
	});
}

/** What those options hold that the operation offers. @throws FieldError */
function readOptions<Options extends FieldSet>(
	{ options }: Operation,
	form: ItemForm,
	followed: Options,
): Partial<ValuesOf<Options>> {
	const offered = Object.entries(followed).filter(([name]) => name in options);
	const values = offered.map(([name, field]) => [name, field.read(form)]);
	return Object.fromEntries(values) as Partial<ValuesOf<Options>>;
}

/** Options that the executor follows, whatever the operation is; those of the run first. */
const SETTINGS = { maxConcurrency, requestsPerSecond, combineItems };
const OPTIONS = { ...OPTIONS_OF_SENDING, ...SETTINGS };
