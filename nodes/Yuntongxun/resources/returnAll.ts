import { parameter, withDefault } from '../operation/field';
import { boolean, wholeNumber } from '../operation/validators';

/** Whether to return the whole list. */
export const returnAll = parameter(boolean, {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
});

/** How many records to return, unless all are. */
export const limit = withDefault(
	parameter(wholeNumber, {
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	}),
);
