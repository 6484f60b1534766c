import { option } from './field';
import { wholeNumber } from './validators';

/** Maximum number of requests in flight. */
const maxConcurrency = option(wholeNumber, {
	displayName: 'Max Requests in Parallel',
	name: 'maxConcurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 200 },
	default: 10,
	description:
		'How many requests may be under way at the same time, from 1 to 200. The node slows down by itself while the service refuses requests because of load. Only the value of the first item counts.',
});

/** Maximum number of requests started per second; 0 for no limit. */
const requestsPerSecond = option(wholeNumber, {
	displayName: 'Max Requests per Second',
	name: 'requestsPerSecond',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 1000 },
	default: 0,
	description:
		'How many requests may start within a second, from 1 to 1000. Use 0 for no limit. Only the value of the first item counts.',
});

/** Options of operations that make many requests. */
export const PACE_OPTIONS = { maxConcurrency, requestsPerSecond };
