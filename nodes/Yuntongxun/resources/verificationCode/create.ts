import { parameter } from '../../operation/field';
import { callNumber } from '../../operation/phoneNumber';
import { wholeNumber } from '../../operation/validators';
import { defineOperation } from '../../operation/defineOperation';
import { CODE_LENGTH, randomCode } from './code';
import { createToken } from './token';

const to = parameter(
	{
		displayName: 'To',
		name: 'to',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 13800000000',
		description:
			'Phone number that the code is for, such as 13800000000. This operation sends nothing: hand the code to a call or an SMS.',
	},
	callNumber,
);

const codeLength = parameter(
	{
		displayName: 'Code Length',
		name: 'codeLength',
		type: 'number',
		typeOptions: CODE_LENGTH,
		default: 6,
		description: 'How many digits the code has, from 4 to 8',
	},
	wholeNumber,
);

const codeLifetime = parameter(
	{
		displayName: 'Code Lifetime (Minutes)',
		name: 'codeLifetime',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 1440 },
		default: 10,
		description: 'How many minutes the code is good for, from 1 to 1440 (a day)',
	},
	wholeNumber,
);

/** A random code and the token to check it with. No request. */
export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create a verification code',
	description:
		'Create a random code and a token to check it with; a call or an SMS then takes the code to the person',
	fields: { to, codeLength, codeLifetime },
	options: {},
	prepare(values, item) {
		const number = values.to ?? '';
		const length = values.codeLength ?? Number(codeLength.property.default);
		const minutes = values.codeLifetime ?? Number(codeLifetime.property.default);
		return {
			complete: async () => {
				const code = randomCode(length);
				const expiresAt = Math.floor(Date.now() / 1000) + minutes * 60;
				return [
					{
						verifyCode: code,
						verificationToken: createToken({ to: number, expiresAt, code }, item.keyFor),
						to: number,
						expiresAt: new Date(expiresAt * 1000).toISOString(),
					},
				];
			},
		};
	},
});
