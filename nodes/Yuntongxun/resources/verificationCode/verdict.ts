import type { Judgement, TokenRecord } from '../../execution/tokenRecords';
import type { VerificationToken } from './token';

export type Reason = 'forged' | 'expired' | 'used' | 'tooManyAttempts' | 'wrong' | 'valid';

/** What a check comes to. */
export interface Verdict {
	valid: boolean;
	reason: Reason;
	/** Number that the token is for; absent if somebody else made the token. */
	to?: string;
	/** Wrong codes that the token still permits; absent if somebody else made the token. */
	attemptsLeft?: number;
}

/**
 * What the token alone decides.
 *
 * @param now milliseconds since 1970
 * @returns the verdict, or the token if the node's memory has to decide
 */
export function judgeToken(
	token: VerificationToken | undefined,
	now: number,
): { verdict: Verdict } | { open: VerificationToken } {
	if (token === undefined) return { verdict: { valid: false, reason: 'forged' } };
	if (now >= token.expiresAt * 1000) return { verdict: refusal(token, 'expired') };
	return { open: token };
}

/**
 * What a typed code comes to. It is compared only while the token permits it.
 *
 * @returns the verdict, and the record to keep before anybody learns it; none if it stays as it is
 */
export function judgeCode(
	token: VerificationToken,
	typed: unknown,
	{ used, wrong }: TokenRecord,
	maxAttempts: number,
): Judgement<Verdict> {
	if (used) return { verdict: refusal(token, 'used') };
	if (wrong >= maxAttempts) return { verdict: refusal(token, 'tooManyAttempts') };
	const isValid = token.fits(typed);
	const record = isValid ? { used: true, wrong } : { used, wrong: wrong + 1 };
	return {
		verdict: {
			valid: isValid,
			reason: isValid ? 'valid' : 'wrong',
			to: token.to,
			attemptsLeft: maxAttempts - record.wrong,
		},
		record,
	};
}

/** A verdict that permits no further code. */
export function refusal({ to }: VerificationToken, reason: Reason): Verdict {
	return { valid: false, reason, to, attemptsLeft: 0 };
}
