import type { IDataObject } from 'n8n-workflow';

import type { Answer, Endpoint } from '../../client/request';
import { buildRequestTask, readFields } from '../../operation/defineOperation';
import type { Task } from '../../operation/defineOperation';
import { option, parameter } from '../../operation/field';
import type { Field } from '../../operation/field';
import { boolean, trimmed } from '../../operation/validators';
import { toDateMember } from '../../util/serviceTime';

export const friendlyName = parameter(trimmed, {
	displayName: 'Friendly Name',
	name: 'friendlyName',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. shop-42@example.com',
	description:
		'Name of the sub-account: letters and digits, or an email address. No two have the same.',
});

const omission = option(boolean, {
	displayName: 'Omit Secrets',
	name: 'omitSecrets',
	type: 'boolean',
	// On as soon as somebody adds it: that is what it is added for.
	default: true,
	description: 'Whether to leave token and password (subToken, voipPwd) out of the output',
});

/** Whether token and password stay out of the output; undefined unless the user added it. AI agents never see them. */
export const omitSecrets: Field<boolean | undefined> = {
	...omission,
	read: (item) => item.byAgent || omission.read(item),
};

/** Members of the output that let somebody in. */
const SUB_ACCOUNT_SECRETS = ['subToken', 'voipPwd'];

/**
 * Builds the output for a sub-account. Specification section 2.5.
 *
 * @param source reads the service's fields by name
 * @param others fields that only one operation has
 */
export function buildSubAccountOutput(
	source: Pick<Answer, 'text'>,
	omitSecrets: boolean,
	others: IDataObject,
): IDataObject {
	const secrets = omitSecrets ? [] : SUB_ACCOUNT_SECRETS;
	return {
		...readFields(source, ['subAccountSid', 'dateCreated', 'voipAccount', ...secrets]),
		...toDateMember('createdAt', source.text('dateCreated')),
		...others,
	};
}

/** Builds the task of a request that names one sub-account, which the service answers with. */
export function buildNameTask(
	endpoint: Endpoint,
	values: { appId: string; friendlyName: string; omitSecrets: boolean | undefined },
): Task {
	const { appId, friendlyName: name, omitSecrets: omit = false } = values;
	const task = buildRequestTask(endpoint, { appId, friendlyName: name }, (answer) =>
		buildSubAccountOutput(answer, omit, { statusCode: answer.statusCode, friendlyName: name }),
	);
	return { ...task, secretMembers: SUB_ACCOUNT_SECRETS };
}
