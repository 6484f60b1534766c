import type { IDataObject } from 'n8n-workflow';

import { defineTask } from '../../operation/defineOperation';
import type { TokenUsage } from '../../operation/defineOperation';
import { parameter } from '../../operation/field';
import type { Validator } from '../../operation/field';
import { buildEmptyError, buildValueError } from '../../operation/validationError';
import { toPlainText } from '../../operation/validators';
import { isCode, readToken } from './token';
import type { VerificationToken } from './token';

/** Accepts whatever a person typed, except nothing at all, an object or a list. */
const typed: Validator<string | number> = (value, { displayName }) => {
	if (typeof value === 'number') return value;
	if (typeof value === 'object' && value !== null) {
		throw buildValueError(displayName, value, 'Enter text.');
	}

	const text = String(value ?? '');
	if (toPlainText(text) === '') throw buildEmptyError(displayName);
	return text;
};

const verificationToken = parameter(typed, {
	displayName: 'Verification Token',
	name: 'verificationToken',
	type: 'string',
	typeOptions: { password: true },
	required: true,
	default: '',
	placeholder: 'e.g. code.AbCdEf…',
	description: 'Token from Send (verificationToken), usually from a hidden field of your form',
});

const code = parameter(typed, {
	displayName: 'Code',
	name: 'code',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 384512',
	description: 'Code that the person typed. Only its digits count.',
});

/** How many tries a token allows. */
const MAX_ATTEMPTS = 5;

/** Checks whether a person typed the code. Makes no request. */
export const checkCode = defineTask({
	value: 'check',
	name: 'Check',
	action: 'Check a verification code',
	description:
		'Check the code that a person typed against its token. Returns whether it is valid, why not, and how many tries are left. The number it proves is to in the output, never what a form says.',
	fields: { verificationToken, code },
	options: {},
	needsMemory: true,
	prepare(values, form) {
		const token = readToken(String(values.verificationToken), form);
		const { code: given } = values;
		return {
			run: async (_send, openTokenUsage) => [await tryCode(token, given, openTokenUsage())],
		};
	},
});

/**
 * Takes one of the token's attempts, then compares. Nothing recorded is ever taken back.
 *
 * @param token undefined if this account did not make it
 * @param given what the person typed
 * @returns the output: the first reason that applies, and how many attempts are left
 */
async function tryCode(
	token: VerificationToken | undefined,
	given: string | number,
	usage: TokenUsage,
): Promise<IDataObject> {
	if (token === undefined) return { valid: false, reason: 'forged' };

	const { to, id } = token;
	const toVerdict = (reason: string, attemptsLeft = 0) => ({
		valid: reason === 'valid',
		reason,
		to,
		attemptsLeft,
		...(token.isRehearsal && { dryRun: true }),
	});
	if (Date.now() >= token.expiresAt) return toVerdict('expired');

	const attempt = await usage.takeAttempt(id, MAX_ATTEMPTS);
	if (attempt === undefined) return toVerdict('tooManyAttempts');

	const attemptsLeft = MAX_ATTEMPTS - attempt;
	if (!isCode(token, given)) return toVerdict('wrong', attemptsLeft);

	const isFirstUse = await usage.redeem(id);
	return isFirstUse ? toVerdict('valid', attemptsLeft) : toVerdict('used');
}
