import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Answer } from '../../client/client';
import { option, parameter } from '../../operation/field';
import type { Field } from '../../operation/field';
import { fieldsOf, isoDate } from '../../operation/output';
import { flag, visibleText } from '../../operation/validators';

/** Specification section 2.5. */
const SECRETS = ['subToken', 'voipPwd'];

export const friendlyName = parameter(visibleText, {
	displayName: 'Friendly Name',
	name: 'friendlyName',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. shop-42@example.com',
	description:
		'Name of the sub-account, unique in your account, such as shop-42@example.com. The service recommends an email address.',
});

const OMIT_SECRETS: INodeProperties = {
	displayName: 'Omit Secrets',
	name: 'omitSecrets',
	type: 'boolean',
	default: false,
	description:
		'Whether to leave token and password (subToken, voipPwd) out of the output, which n8n stores with the execution',
};

/**
 * The option that keeps secrets out of the output. An AI agent never sees them.
 *
 * @param byDefault whether they stay out unless the user added the option
 */
export function omitSecretsOption(byDefault: boolean): Field<boolean> {
	const field = option(flag, { ...OMIT_SECRETS, default: byDefault });
	return {
		property: field.property,
		read: (item) => item.byAgent || (field.read(item) ?? byDefault),
	};
}

/** Output of an operation on a single sub-account. Specification section 2.5. */
export function subAccountOutput(answer: Answer, name: string, omitSecrets: boolean): IDataObject {
	const output = {
		...fieldsOf(answer, ['statusCode', 'subAccountSid', 'subToken', 'dateCreated']),
		...isoDate('createdAt', answer.text('dateCreated')),
		...fieldsOf(answer, ['voipAccount', 'voipPwd']),
		friendlyName: name,
	};
	return omitSecrets ? withoutSecrets(output) : output;
}

/** A sub-account without its token and password. */
export function withoutSecrets(output: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(output).filter(([name]) => !SECRETS.includes(name)));
}
