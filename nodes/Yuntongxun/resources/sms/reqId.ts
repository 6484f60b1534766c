import { option } from '../../operation/field';
import { matching } from '../../operation/validators';

/** The user's own ID of a request. Not in the specification; untried against the live service. */
export const reqId = option(matching(/^[A-Za-z0-9]{1,32}$/, '1 to 32 letters and digits'), {
	displayName: 'Request ID',
	name: 'reqId',
	type: 'string',
	default: '',
	placeholder: 'e.g. order42reminder',
	description:
		'Your own ID of the request (reqId), such as order42reminder: 1 to 32 letters and digits. Delivery reports repeat it. The service refuses an ID already used that day (error 160054). Not yet tested with the live service.',
});
