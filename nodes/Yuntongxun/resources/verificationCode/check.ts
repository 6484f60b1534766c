import type { IDataObject } from 'n8n-workflow';

import { ExplainedError } from '../../language/explainedError';
import { defineTask } from '../../operation/defineOperation';
import type { RecordKey } from '../../operation/defineOperation';
import { parameter } from '../../operation/field';
import { trimmed } from '../../operation/validators';
import { getWords } from '../../util/text';
import { isCode, readToken } from './token';
import type { VerificationToken } from './token';

const verificationToken = parameter(trimmed, {
	displayName: 'Verification Token',
	name: 'verificationToken',
	type: 'string',
	typeOptions: { password: true },
	required: true,
	default: '',
	placeholder: 'e.g. code.AbCdEf…',
	description: 'Token from Send (verificationToken), usually from a hidden field of your form',
});

const code = parameter(trimmed, {
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
	prepare({ verificationToken: sealed, code: typed }, form) {
		const token = readToken(sealed, form);
		return {
			run: async (_send, recordKey) => [
				await tryCode(token, typed, async (key) => await recordKey(key).catch(refuseUnrecorded)),
			],
		};
	},
});

const refuseUnrecorded = (error: unknown): never => {
	const summary = 'n8n did not record this try, so the code was not accepted';
	throw new ExplainedError(summary, getWords(error));
};

/**
 * Takes one of the token's attempts, then compares. Nothing recorded is ever taken back.
 *
 * @param token undefined if this account did not make it
 * @returns the output: the first reason that applies, and how many attempts are left
 */
async function tryCode(
	token: VerificationToken | undefined,
	typed: string,
	recordKey: RecordKey,
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

	const attempt = await takeAttempt(id, recordKey);
	if (attempt === undefined) return toVerdict('tooManyAttempts');

	const attemptsLeft = MAX_ATTEMPTS - attempt;
	if (!isCode(token, typed)) return toVerdict('wrong', attemptsLeft);

	const isFirstUse = await recordKey(`use of ${id}`);
	return isFirstUse ? toVerdict('valid', attemptsLeft) : toVerdict('used');
}

/** Takes one of a token's attempts. @returns its number, counted from 1; undefined if all are taken */
async function takeAttempt(id: string, recordKey: RecordKey): Promise<number | undefined> {
	for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
		if (await recordKey(`attempt of ${id}#${attempt}`)) return attempt;
	}
	return undefined;
}
