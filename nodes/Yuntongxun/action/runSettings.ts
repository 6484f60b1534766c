import type { Pace } from '../execution/throttle';
import type { Form } from '../form/form';
import { offered } from '../resources/operation';
import type { Operation } from '../resources/operation';
import { combineItems, maxConcurrency, requestsPerSecond } from '../resources/sharedFields';

/** Settings that hold for all items of a run. */
export interface RunSettings {
	pace: Pace;
	/** Whether items of the same kind share requests. */
	combine: boolean;
}

const DEFAULTS: RunSettings = {
	pace: {
		concurrency: Number(maxConcurrency.property.default),
		perSecond: Number(requestsPerSecond.property.default),
	},
	combine: false,
};

/** The settings in one item's form. @throws FieldRefusal */
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

/** The settings of the first item, or the defaults if they are wrong: that item's check says so. */
export function settingsOfRun(operation: Operation, first: () => Form): RunSettings {
	try {
		return runSettings(operation, first());
	} catch {
		return DEFAULTS;
	}
}
