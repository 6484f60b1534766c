import { option } from './field';
import { wholeNumber } from './validators';

/** Maximum number of requests in flight. */
const maxConcurrency = option(wholeNumber, {
	displayName: 'Max Requests in Parallel',
	name: 'maxConcurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 200 },
	default: 10,
	description: 'How many requests may be under way at once, from 1 to 200',
});

/** Maximum number of requests started per second; 0 for no limit. */
const requestsPerSecond = option(wholeNumber, {
	displayName: 'Max Requests per Second',
	name: 'requestsPerSecond',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 1000 },
	default: 0,
	description: 'How many requests may start per second, up to 1000; 0 means no limit',
});

/** Options of operations that make many requests. */
export const PACE_OPTIONS = { maxConcurrency, requestsPerSecond };
