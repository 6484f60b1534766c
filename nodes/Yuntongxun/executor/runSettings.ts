import type { ItemContext } from '../operation/itemContext';
import { readOption } from '../operation/defineOperation';
import type { Operation } from '../operation/defineOperation';
import { combineItems, maxConcurrency, requestsPerSecond } from '../resources/sharedFields';
import type { Rate } from './rateLimiter';

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
