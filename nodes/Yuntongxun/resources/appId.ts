import { parameter } from '../operation/field';
import type { Field } from '../operation/field';
import { FieldError } from '../operation/validationError';
import { trimmed } from '../operation/validators';

const appIdParameter = parameter(trimmed, {
	displayName: 'App ID',
	name: 'appId',
	type: 'string',
	default: '',
	placeholder: 'from the credential',
	description: 'Application to use. Leave empty for the App ID of the credential.',
});

/** The App ID of the form, or else of the credential. Specification section 2.6. */
export const appId: Field<string> = {
	property: appIdParameter.property,
	read: (item) => {
		const chosen = appIdParameter.read(item) ?? item.defaultAppId;
		if (chosen === '') {
			throw new FieldError('App ID', 'is empty', 'Enter one here or in the credential.');
		}
		return chosen;
	},
};
