import { parameter, withDefault } from '../operation/field';
import { boolean } from '../operation/validators';

/** Whether the output has the fields that most workflows need, rather than all of the service's. */
export const simplify = withDefault(
	parameter(boolean, {
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	}),
);
