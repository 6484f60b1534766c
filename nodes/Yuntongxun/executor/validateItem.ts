import { DEFAULT_TIMEOUT } from '../client/timeout';
import type { FieldSet, Operation, ValuesOf } from '../operation/defineOperation';
import type { ItemForm } from '../operation/itemForm';
import type { OPTIONS_OF_SENDING, rehearsedOutcome } from '../operation/options';
import { PACE_OPTIONS } from '../operation/paceOptions';
import { requireAllowed } from '../operation/recipientFilter';
import type { Item } from './model';
import { packRequests } from './planRequests';

/** How fast requests may start. */
export interface Rate {
	/** Maximum number of requests under way. */
	concurrency: number;
	/** Maximum number of starts a second; 0 for no limit. */
	perSecond: number;
}

/** Options that the executor handles for all operations. */
type FollowedOptions = Partial<
	ValuesOf<typeof OPTIONS_OF_SENDING & { rehearsedOutcome: typeof rehearsedOutcome }>
>;

const DEFAULT_RATE: Rate = {
	concurrency: Number(PACE_OPTIONS.maxConcurrency.property.default),
	perSecond: Number(PACE_OPTIONS.requestsPerSecond.property.default),
};

/**
 * Reads the rate of a run from its first item, even if that item is refused for another reason. If
 * the rate itself is wrong, the check of the item says so, and that of the next item holds: a wrong
 * one must not let the others go out without any.
 *
 * @param forms of the items, in input order; read no further than needed
 */
export function readRate(operation: Operation, forms: Iterable<() => ItemForm>): Rate {
	let chosen: Partial<ValuesOf<typeof PACE_OPTIONS>> = {};
	for (const readForm of forms) {
		try {
			chosen = readOffered(operation, readForm(), PACE_OPTIONS);
			break;
		} catch {
			// The check of the item reports it.
		}
	}
	return {
		concurrency: chosen.maxConcurrency ?? DEFAULT_RATE.concurrency,
		perSecond: chosen.requestsPerSecond ?? DEFAULT_RATE.perSecond,
	};
}

/** Reads those of the options that the operation has. @throws FieldError */
function readOffered<Options extends FieldSet>(
	{ options }: Operation,
	form: ItemForm,
	followed: Options,
): Partial<ValuesOf<Options>> {
	const offered = Object.entries(followed).filter(([name]) => Object.hasOwn(options, name));
	const values = offered.map(([name, field]) => [name, field.read(form)]);
	return Object.fromEntries(values) as Partial<ValuesOf<Options>>;
}

/**
 * Checks one item's form as a whole, before anything is sent. Each field is read once.
 *
 * @throws ValidationError
 */
export function validateItem(operation: Operation, form: ItemForm, index: number): Item {
	const values = operation.readValues(form);
	const options = values as FollowedOptions;
	const { timeout = DEFAULT_TIMEOUT } = options;
	if (operation.kind === 'task') {
		const task = operation.prepare(form, values);
		return { kind: 'task', index, task, timeout, status: { state: 'planned' } };
	}
	const task = operation.prepare(form, values);

	requireAllowed(task.recipients, options.allowedRecipients);
	if (options.dryRun) {
		const { rehearsedOutcome: outcome = 'completed' } = options;
		return { kind: 'dryRun', index, task, timeout, outcome };
	}
	return packRequests({
		kind: 'message',
		index,
		task,
		timeout,
		guards: { key: options.idempotencyKey, limits: options.limits },
	});
}
