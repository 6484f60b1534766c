import { FieldError } from '../../operation/validationError';
import { option, parameter } from '../../operation/field';
import type { Validator } from '../../operation/field';
import type { TokenAttempts } from '../../idempotency/attempts';
import { wholeNumber } from '../../operation/validators';
import { defineOperation } from '../../operation/defineOperation';
import { isBlank } from './code';
import { readToken } from './token';
import type { VerificationToken } from './token';

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

const verificationToken = parameter(typed, {
	displayName: 'Verification Token',
	name: 'verificationToken',
	type: 'string',
	typeOptions: { password: true },
	required: true,
	default: '',
	placeholder: 'e.g. v1.1800000000.6.13800000000.…',
	description:
		'Token that Create gave with the code: about 110 letters and digits with dots between. Usually an expression, for example with the hidden field of your form.',
});

const code = parameter(typed, {
	displayName: 'Code',
	name: 'code',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 384512',
	description: 'What the person typed, such as 384512. Blanks in it do not matter.',
});

const maxAttempts = option(wholeNumber, {
	displayName: 'Max Attempts',
	name: 'maxAttempts',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 20 },
	default: 5,
	description:
		'How many codes may be tried for a token, from 1 to 20. After that it takes no code, not even the right one.',
});

/** Whether a person typed the code. No request. */
export const check = defineOperation({
	value: 'check',
	name: 'Check',
	action: 'Check verification code',
	description:
		'Check the code that a person typed: a token is good once, and for a few tries, at each Check node',
	fields: { verificationToken, code },
	options: { maxAttempts },
	prepare(values, item) {
		const token = readToken(String(values.verificationToken), item.keyFor);
		const given = values.code;
		const most = values.maxAttempts ?? Number(maxAttempts.property.default);
		return {
			complete: async (_send, attempts) => [{ ...(await verdictOn(token, given, most, attempts)) }],
		};
	},
});

type Reason = 'forged' | 'expired' | 'tooManyAttempts' | 'wrong' | 'used' | 'valid';

/** What a check comes to. */
interface Verdict {
	valid: boolean;
	reason: Reason;
	/** Number that the token is for; absent if this account did not make the token. */
	to?: string;
	/** Attempts that the token still permits; absent if this account did not make the token. */
	attemptsLeft?: number;
}

/**
 * Takes one of the token's attempts, then compares. Nothing that is recorded is ever taken back.
 *
 * @param token undefined if this account did not make it
 * @param typed what the person typed
 * @param max how many attempts the token permits
 */
async function verdictOn(
	token: VerificationToken | undefined,
	typed: unknown,
	max: number,
	attempts: TokenAttempts,
): Promise<Verdict> {
	if (token === undefined) return { valid: false, reason: 'forged' };
	const { to, id } = token;
	const verdict = (reason: Reason, attemptsLeft = 0): Verdict => ({
		valid: reason === 'valid',
		reason,
		to,
		attemptsLeft,
	});
	if (Date.now() >= token.expiresAt * 1000) return verdict('expired');
	const attempt = await attempts.take(id, max);
	if (attempt === undefined) return verdict('tooManyAttempts');
	if (!token.fits(typed)) return verdict('wrong', max - attempt);
	return (await attempts.use(id)) ? verdict('valid', max - attempt) : verdict('used');
}
