import type { Pace } from '../execution/throttle';
import type { ItemContext } from '../operation/itemContext';
import { readOption } from '../operation/defineOperation';
import type { Operation } from '../operation/defineOperation';
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

/** The settings in one item's form. @throws FieldError */
export function runSettings(operation: Operation, form: ItemContext): RunSettings {
	const { pace, combine } = DEFAULTS;
	return {
		pace: {
			concurrency: readOption(operation, maxConcurrency, form) ?? pace.concurrency,
			perSecond: readOption(operation, requestsPerSecond, form) ?? pace.perSecond,
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
