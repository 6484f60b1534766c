import { option } from '../../operation/field';
import { matching } from '../../operation/validators';

/** The user's own ID of a request. Not in the specification; untried against the live service. */
export const reqId = option(matching(/^[A-Za-z0-9]{1,32}$/, '1 to 32 letters and digits'), {
	displayName: 'ID in Reports',
	name: 'reqId',
	type: 'string',
	default: '',
	placeholder: 'e.g. order42reminder',
	description: 'Your own ID (reqId), 1 to 32 letters and digits, which delivery reports repeat',
});
