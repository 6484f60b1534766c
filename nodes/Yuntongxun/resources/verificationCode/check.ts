import { FieldError } from '../../operation/validationError';
import { option, parameter } from '../../operation/field';
import type { Validator } from '../../operation/field';
import { wholeNumber } from '../../operation/validators';
import { defineOperation } from '../../operation/defineOperation';
import { isBlank } from './code';
import { readToken } from './token';
import { judgeCode, judgeToken, refusal } from './verdict';

/** Whatever a person typed: only nothing at all, an object or a list is refused. */
const typed: Validator<string | number> = (value, { displayName }) => {
	if (typeof value === 'number') return value;
	if (typeof value === 'object' && value !== null) {
		throw new FieldError(displayName, 'must be text', value);
	}
	const text = String(value ?? '');
	if (isBlank(text)) throw new FieldError(displayName, 'is required', '');
	return text;
};

const verificationToken = parameter(
	{
		displayName: 'Verification Token',
		name: 'verificationToken',
		type: 'string',
		typeOptions: { password: true },
		required: true,
		default: '',
		placeholder: 'e.g. v1.1800000000.6.13800000000.…',
		description:
			'Token that Create gave with the code: about 110 letters and digits with dots between. Usually an expression, for example with the hidden field of your form.',
	},
	typed,
);

const code = parameter(
	{
		displayName: 'Code',
		name: 'code',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 384512',
		description: 'What the person typed, such as 384512. Blanks in it do not matter.',
	},
	typed,
);

const maxAttempts = option(
	{
		displayName: 'Max Attempts',
		name: 'maxAttempts',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 20 },
		default: 5,
		description:
			'How many wrong codes a token permits, from 1 to 20. After that it takes no code, not even the right one.',
	},
	wholeNumber,
);

/** Whether a person typed the code. No request. */
export const check = defineOperation({
	value: 'check',
	name: 'Check',
	action: 'Check a verification code',
	description:
		'Check the code that a person typed: a token is good once, and for a few wrong codes, at each Check node',
	fields: { verificationToken, code },
	options: { maxAttempts },
	prepare(values, item) {
		const token = readToken(String(values.verificationToken), item.keyFor);
		const given = values.code;
		const most = values.maxAttempts ?? Number(maxAttempts.property.default);
		return {
			complete: async (_send, tokens) => {
				const judgement = judgeToken(token, Date.now());
				if ('verdict' in judgement) return [{ ...judgement.verdict }];
				const { open } = judgement;
				const verdict = await tokens.judge({ id: open.id, places: most }, (record) =>
					judgeCode(open, given, record, most),
				);
				return [{ ...(verdict ?? refusal(open, 'tooManyAttempts')) }];
			},
		};
	},
});
