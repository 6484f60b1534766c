import type { IDataObject } from 'n8n-workflow';

import type { Endpoint, Send, ServiceRequest } from '../../service/client';
import { ServiceFailure } from '../../service/failure';
import { parameter } from '../form';
import type { Operation } from '../operation';
import { choice } from '../rules';
import { appId, OPTIONS_OF_PACE } from '../sharedFields';
import { friendlyName, omitSecretsOption, subAccountOutput } from './fields';
import { QUERY_SUB_ACCOUNT_BY_NAME } from './getByName';

/** Specification section 4.5. */
const SUB_ACCOUNTS: Endpoint = {
	name: 'SubAccounts',
	method: 'POST',
	path: 'SubAccounts',
	root: 'SubAccount',
	member: 'SubAccount',
	essential: 'subAccountSid',
	changes: true,
};

/** The service's code for a name that a sub-account has already. */
const NAME_TAKEN = '111150';

const onDuplicate = parameter(
	{
		displayName: 'If the Name Exists',
		name: 'onDuplicate',
		type: 'options',
		options: [
			{ name: 'Fail', value: 'error', description: 'Creates nothing, and the item fails' },
			{
				name: 'Return Existing Sub-Account',
				value: 'returnExisting',
				description: 'Gives out the sub-account that has the name, with created set to false',
			},
		],
		default: 'error',
		description: 'What to do when a sub-account of this name exists already',
	},
	choice,
);

const omitSecrets = omitSecretsOption(false);

/** Makes a sub-account, or finds the one of that name. Specification sections 2.5, 4.5 and 4.6. */
export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a sub account',
	description: 'Creates a sub-account with a name of its own',
	endpoint: SUB_ACCOUNTS,
	fields: [appId, friendlyName, onDuplicate],
	options: [omitSecrets, ...OPTIONS_OF_PACE],
	prepare(form) {
		const fields = { appId: appId.read(form), friendlyName: friendlyName.read(form) ?? '' };
		const request = { endpoint: SUB_ACCOUNTS, fields };
		const returnExisting = onDuplicate.read(form) === 'returnExisting';
		const omit = omitSecrets.read(form);
		return {
			request,
			complete: async (send): Promise<IDataObject[]> => {
				const { answer, created } = returnExisting
					? await createOrFind(send, request)
					: { answer: await send(request), created: true };
				return [{ ...subAccountOutput(answer, fields.friendlyName, omit), created }];
			},
		};
	},
};

async function createOrFind(send: Send, request: ServiceRequest) {
	const attempt = await outcomeOf(send(request));
	if (!(attempt instanceof ServiceFailure)) return { answer: attempt, created: true };
	if (attempt.facts.statusCode !== NAME_TAKEN) throw attempt;
	const existing = await outcomeOf(send({ ...request, endpoint: QUERY_SUB_ACCOUNT_BY_NAME }));
	if (!(existing instanceof ServiceFailure)) return { answer: existing, created: false };
	throw new ServiceFailure({
		...attempt.facts,
		advice: `The existing sub-account could not be read by its name either: ${existing.message}`,
	});
}

async function outcomeOf<T>(work: Promise<T>): Promise<T | ServiceFailure> {
	return await work.catch((failure: unknown) => {
		if (failure instanceof ServiceFailure) return failure;
		throw failure;
	});
}
