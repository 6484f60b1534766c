import type { Endpoint } from '../../client/request';
import { defineTask, buildRequestTask } from '../../operation/defineOperation';
import { parameter } from '../../operation/field';
import { OPTIONS_OF_REQUEST } from '../../operation/options';
import { lettersAndDigits } from '../../operation/validators';

/** Specification section 4.8. */
const CLOSE_SUB_ACCOUNT: Endpoint = {
	name: 'CloseSubAccount',
	root: 'SubAccount',
	hasSideEffects: true,
};

const subAccountSid = parameter(lettersAndDigits, {
	displayName: 'Sub-Account ID',
	name: 'subAccountSid',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 5f1d0c9b8a7e4d6c9b8a7e4d6c5f1d0c',
	description:
		'ID of the sub-account to close (subAccountSid), which Get and Get Many return. As far as we know, this cannot be undone.',
});

/** Closes a sub-account. Specification sections 3 and 4.8. */
export const closeSubAccount = defineTask({
	value: 'close',
	name: 'Close',
	action: 'Close a sub account',
	description:
		'Close a sub-account so that it can no longer call, text or log in. As far as we know, this cannot be undone.',
	endpoint: CLOSE_SUB_ACCOUNT,
	notForAgents: 'An AI agent cannot close a sub-account: as far as we know, this cannot be undone',
	fields: { subAccountSid },
	options: OPTIONS_OF_REQUEST,
	prepare({ subAccountSid: sid }) {
		return buildRequestTask(CLOSE_SUB_ACCOUNT, { subAccountSid: sid }, ({ statusCode }) => ({
			statusCode,
			subAccountSid: sid,
			closed: true,
		}));
	},
});
