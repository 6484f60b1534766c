import type { Endpoint } from '../../client/client';
import { defineTask, buildRequestTask } from '../../operation/defineOperation';
import { parameter } from '../../operation/field';
import { OPTIONS_OF_REQUEST } from '../../operation/options';
import { matching } from '../../operation/validators';
import { appId } from '../appId';

/** Specification section 4.8. */
const CLOSE_SUB_ACCOUNT: Endpoint = {
	name: 'CloseSubAccount',
	root: 'SubAccount',
	hasSideEffects: true,
};

const subAccountSid = parameter(matching(/^[A-Za-z0-9]+$/, 'letters and digits'), {
	displayName: 'Sub-Account',
	name: 'subAccountSid',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'Sub-account to close. This cannot be undone.',
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
		description:
			'Application whose sub-accounts the list shows, such as 8a216da85f5c89b1015f7a1b2c3d4e5f. Leave empty to use the App ID of the credential.',
		displayOptions: { show: { '/subAccountSid.mode': ['list'] } },
	},
	read: () => undefined,
};

/** Closes a sub-account for good. Specification sections 3 and 4.8. */
export const closeSubAccount = defineTask({
	value: 'close',
	name: 'Close',
	action: 'Close sub account',
	description: 'Close a sub-account for good: it can no longer call, text or log in',
	endpoint: CLOSE_SUB_ACCOUNT,
	notForAgents: 'An AI agent must not close a sub-account: closing cannot be undone',
	fields: { subAccountSid, listedAppId },
	options: OPTIONS_OF_REQUEST,
	prepare(values) {
		const sid = values.subAccountSid ?? '';
		return buildRequestTask(CLOSE_SUB_ACCOUNT, { subAccountSid: sid }, ({ statusCode }) => ({
			statusCode,
			subAccountSid: sid,
			closed: true,
		}));
	},
});
