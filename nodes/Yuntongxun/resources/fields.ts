import { parameter, withDefault } from '../operation/field';
import type { Validator } from '../operation/field';
import { FieldError } from '../operation/validationError';
import { trimmed, boolean, wholeNumber } from '../operation/validators';

const ownOrOfAccount: Validator<string> = (value, property, item) => {
	const chosen = trimmed(value, property, item) ?? item.account.appId;
	if (chosen !== '') return chosen;
	throw new FieldError(property.displayName, 'is empty', 'Enter one here or in the credential.');
};

/** The App ID of the form, or else of the credential. Specification section 2.6. */
export const appId = parameter(ownOrOfAccount, {
	displayName: 'App ID',
	name: 'appId',
	type: 'string',
	default: '',
	placeholder: 'from the credential',
	description: 'Application to use. Leave empty for the App ID of the credential.',
});

export const returnAll = parameter(boolean, {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
});

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

export const simplify = withDefault(
	parameter(boolean, {
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	}),
);
