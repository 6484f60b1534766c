import type { Pace } from '../execution/throttle';
import type { Form } from './form';
import { offered } from './operation';
import type { Operation } from './operation';
import { combineItems, maxConcurrency, requestsPerSecond } from './sharedFields';

/** What holds for all items of a run alike. */
export interface RunSettings {
	pace: Pace;
	/** Whether items that can share requests do. */
	combine: boolean;
}

/** What holds where the form says nothing. */
const DEFAULTS: RunSettings = {
	pace: {
		concurrency: Number(maxConcurrency.property.default),
		perSecond: Number(requestsPerSecond.property.default),
	},
	combine: false,
};

/** What one item's form says of the whole run. @throws FieldRefusal */
export function runSettings(operation: Operation, form: Form): RunSettings {
	const { pace, combine } = DEFAULTS;
	return {
		pace: {
			concurrency: offered(operation, maxConcurrency, form) ?? pace.concurrency,
			perSecond: offered(operation, requestsPerSecond, form) ?? pace.perSecond,
		},
		combine: offered(operation, combineItems, form) ?? combine,
	};
}

/**
 * What the first item says for all of them; the defaults where it cannot be understood, which its
 * own check complains about.
 */
export function settingsOfRun(operation: Operation, first: () => Form): RunSettings {
	try {
		return runSettings(operation, first());
	} catch {
		return DEFAULTS;
	}
}
