import type { Endpoint } from '../../client/request';
import { defineTask } from '../../operation/defineOperation';
import { OPTIONS_OF_REQUEST } from '../../operation/options';
import { appId } from '../fields';
import { buildNameTask, friendlyName, omitSecrets } from './fields';

/** Specification section 4.6. */
const QUERY_SUB_ACCOUNT_BY_NAME: Endpoint = {
	name: 'QuerySubAccountByName',
	root: 'SubAccount',
	essential: 'subAccountSid',
	hasSideEffects: false,
};

/** Reads one sub-account. Specification sections 2.5 and 4.6. */
export const getSubAccountByName = defineTask({
	value: 'getByName',
	name: 'Get',
	action: 'Get a sub account',
	description: 'Get a sub-account by its name',
	endpoint: QUERY_SUB_ACCOUNT_BY_NAME,
	fields: { friendlyName, appId },
	options: { omitSecrets, ...OPTIONS_OF_REQUEST },
	prepare: (values) => buildNameTask(QUERY_SUB_ACCOUNT_BY_NAME, values),
});
