import type { Endpoint } from '../../client/request';
import { defineTask } from '../../operation/defineOperation';
import { OPTIONS_OF_REQUEST } from '../../operation/options';
import { appId } from '../fields';
import { buildNameTask, friendlyName, omitSecrets } from './fields';

/** Specification section 4.5. */
const SUB_ACCOUNTS: Endpoint = {
	name: 'SubAccounts',
	root: 'SubAccount',
	essential: 'subAccountSid',
	hasSideEffects: true,
};

/** Creates a sub-account. Specification sections 2.5 and 4.5. */
export const createSubAccount = defineTask({
	value: 'create',
	name: 'Create',
	action: 'Create a sub account',
	description: 'Create a sub-account. Returns its IDs, token and password.',
	endpoint: SUB_ACCOUNTS,
	fields: { friendlyName, appId },
	options: { omitSecrets, ...OPTIONS_OF_REQUEST },
	prepare: (values) => buildNameTask(SUB_ACCOUNTS, values),
});
