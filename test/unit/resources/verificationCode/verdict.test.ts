import type { VerificationToken } from '../../../../nodes/Yuntongxun/resources/verificationCode/token';
import type { TokenRecord } from '../../../../nodes/Yuntongxun/execution/tokenRecords';
import {
	judgeCode,
	judgeToken,
} from '../../../../nodes/Yuntongxun/resources/verificationCode/verdict';

const TO = '13800000000';
const EXPIRES = 1_800_000_000;
const token: VerificationToken = {
	to: TO,
	expiresAt: EXPIRES,
	id: 'one',
	fits: (typed) => typed === 'right',
};
const never: VerificationToken = {
	...token,
	fits: () => {
		throw new Error('The code was compared');
	},
};
const judged = (typed: string, record: Partial<TokenRecord> = {}, maxAttempts = 3) =>
	judgeCode(token, typed, { used: false, wrong: 0, ...record }, maxAttempts);
const verdict = (reason: string, attemptsLeft: number) => ({
	valid: reason === 'valid',
	reason,
	to: TO,
	attemptsLeft,
});

describe('the token alone', () => {
	it('is forged: there is nothing else to say', () => {
		expect(judgeToken(undefined, 0)).toEqual({ verdict: { valid: false, reason: 'forged' } });
	});

	it.each([
		[-1, true],
		[0, false],
		[1, false],
	])('%i ms after its expiry is open: %p', (after, isOpen) => {
		expect(judgeToken(token, EXPIRES * 1000 + after)).toEqual(
			isOpen ? { open: token } : { verdict: verdict('expired', 0) },
		);
	});
});

describe('a code', () => {
	it('that is right uses the token up', () => {
		expect(judged('right', { wrong: 1 })).toEqual({
			verdict: verdict('valid', 2),
			record: { used: true, wrong: 1 },
		});
	});

	it('is wrong as often as the token permits, and the last time none is left', () => {
		const lefts = [0, 1, 2].map((wrong) => judged('other', { wrong }));
		expect(lefts).toEqual(
			[2, 1, 0].map((left, at) => ({
				verdict: verdict('wrong', left),
				record: { used: false, wrong: at + 1 },
			})),
		);
	});

	it.each<[string, TokenRecord]>([
		['used', { used: true, wrong: 0 }],
		['used', { used: true, wrong: 3 }],
		['tooManyAttempts', { used: false, wrong: 3 }],
		['tooManyAttempts', { used: false, wrong: 20 }],
	])('is not compared where the token is %s: %j', (reason, record) => {
		expect(judgeCode(never, 'right', record, 3)).toEqual({ verdict: verdict(reason, 0) });
	});
});
