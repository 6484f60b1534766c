import { notice } from '../../operation/field';
import { defineOperation } from '../../operation/defineOperation';
import { newCode } from './code';
import { codeLength, codeLifetime, to } from './fields';

const createNotice = notice(
	'createNotice',
	'This operation sends nothing. Give verifyCode to a call or an SMS, and keep verificationToken for Check.',
);

/** A random code and the token to check it with. No request. */
export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create verification code',
	description:
		'Create a random code and a token to check it with. Sends nothing: a call or an SMS has to take the code to the person.',
	notForAgents:
		'An AI agent must not create a verification code, since it would see the code: let it use Send and Check',
	fields: { createNotice, to, codeLength, codeLifetime },
	options: {},
	prepare({ to: number = '', codeLength: length, codeLifetime: minutes }, { keyFor }) {
		const issue = newCode(number, length, minutes, keyFor);
		return {
			kind: 'direct',
			run: async () => {
				const { verifyCode, token } = issue();
				return [{ verifyCode, to: number, ...token }];
			},
		};
	},
});
