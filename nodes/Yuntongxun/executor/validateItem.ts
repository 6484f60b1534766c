import { DEFAULT_TIMEOUT } from '../client/client';
import type { FieldSet, Message, Operation, ValuesOf } from '../operation/defineOperation';
import type { ItemForm } from '../operation/itemForm';
import { FieldError } from '../operation/validationError';
import { recipientFilter } from '../operation/phoneNumber';
import { maxConcurrency, OPTIONS_OF_SENDING, requestsPerSecond } from '../operation/options';
import type { Item } from './item';
import type { Rate } from './rateLimiter';

/**
 * The rate of a run, which its first item has, even if that item is refused for something else.
 * The defaults hold if they are wrong, which the check of the item says.
 */
export function settingsOfRun(operation: Operation, contextOf: (index: number) => ItemForm): Rate {
	let chosen: Partial<ValuesOf<typeof SETTINGS>> = {};
	try {
		chosen = readOptions(operation, contextOf(0), SETTINGS);
	} catch {}
	const { maxConcurrency: concurrency = Number(maxConcurrency.property.default) } = chosen;
	const { requestsPerSecond: perSecond = 0 } = chosen;
	return { concurrency, perSecond };
}

/**
 * Checks one item's form as a whole, before anything is sent.
 *
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
	const ready = {
		task,
		format,
		timeout,
		terms,
		hasTerms: Object.values(terms).some(Boolean),
		isDryRun: options.dryRun ?? false,
	};
	if (task.kind === 'message') checkAllowed(task, options.allowedRecipients ?? '');
	return { index, ready, results: new Map() };
}

let lastFilter = { allowed: '', accepts: recipientFilter('') };

function checkAllowed({ recipients }: Message, allowed: string): void {
	// The same list holds for most items of a run.
	if (allowed !== lastFilter.allowed) lastFilter = { allowed, accepts: recipientFilter(allowed) };
	const position = recipients.findIndex((to) => !lastFilter.accepts(to));
	if (position < 0) return;
	const rule = 'must name only numbers that Allowed Recipients lets through';
	const flaw = recipients.length === 1 ? 'it names another' : `entry ${position + 1} is another`;
	throw new FieldError('To', rule, recipients[position], flaw);
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
const SETTINGS = { maxConcurrency, requestsPerSecond };
const OPTIONS = { ...OPTIONS_OF_SENDING, ...SETTINGS };
