import type { Endpoint } from '../../client/request';
import { defineTask, buildRequestTask } from '../../operation/defineOperation';
import { parameter } from '../../operation/field';
import { OPTIONS_OF_REQUEST } from '../../operation/options';
import { matching } from '../../operation/validators';
import { appId } from '../fields';

/** Specification section 4.8. */
const CLOSE_SUB_ACCOUNT: Endpoint = {
	name: 'CloseSubAccount',
	root: 'SubAccount',
	subject: 'subAccount',
	hasSideEffects: true,
};

const subAccountSid = parameter(matching(/^[A-Za-z0-9]+$/, 'letters and digits'), {
	displayName: 'Sub-Account',
	name: 'subAccountSid',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'Sub-account to close. As far as we know, this cannot be undone.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a sub-account...',
			typeOptions: { searchListMethod: 'searchSubAccounts', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 5f1d0c9b8a7e4d6c9b8a7e4d6c5f1d0c',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '^[A-Za-z0-9]+$',
						errorMessage: 'A sub-account ID has letters and digits only',
					},
				},
			],
		},
	],
});

/** For the list of sub-accounts only: closing one needs no App ID. */
const listedAppId = {
	...appId,
	property: {
		...appId.property,
		description: "Application whose sub-accounts are listed, if not the credential's",
		displayOptions: { show: { '/subAccountSid.mode': ['list'] } },
	},
	read: () => undefined,
};

/** Closes a sub-account. Specification sections 3 and 4.8. */
export const closeSubAccount = defineTask({
	value: 'close',
	name: 'Close',
	action: 'Close a sub account',
	description:
		'Close a sub-account so that it can no longer call, text or log in. As far as we know, this cannot be undone.',
	endpoint: CLOSE_SUB_ACCOUNT,
	notForAgents: 'An AI agent cannot close a sub-account: as far as we know, this cannot be undone',
	fields: { subAccountSid, listedAppId },
	options: OPTIONS_OF_REQUEST,
	prepare(values) {
		const sid = values.subAccountSid ?? '';
		const task = buildRequestTask(CLOSE_SUB_ACCOUNT, { subAccountSid: sid }, ({ statusCode }) => ({
			statusCode,
			subAccountSid: sid,
			closed: true,
		}));
		return { ...task, id: 'subAccountSid' };
	},
});
