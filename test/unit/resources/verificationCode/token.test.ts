import { deriveKey } from '../../../../nodes/Yuntongxun/client/credential';
import {
	createToken,
	isCode,
	readToken,
} from '../../../../nodes/Yuntongxun/resources/verificationCode/token';
import type { VerificationToken } from '../../../../nodes/Yuntongxun/resources/verificationCode/token';
import { issueCode, openCode } from '../../../support/sealing';

const ACCOUNT = { authToken: 'made-up-token', accountSid: '0123456789abcdef0123456789abcdef' };
const OTHER = { ...ACCOUNT, authToken: 'another' };
const TO = '01012345678-801';
const EXPIRES_AT = 1_800_000_000_000;

const keyFor = (purpose: string) => deriveKey(ACCOUNT, purpose);
const make = (isRehearsal = false, codeLength = 6) =>
	createToken({ to: TO, expiresAt: EXPIRES_AT, isRehearsal }, codeLength, keyFor);
const read = (token: string, inProduction = true) => readToken(token, { keyFor, inProduction });

describe('a token', () => {
	it.each([
		['code', false],
		['rehearsal', true],
	])('of purpose %s holds number, code and expiry, and opens elsewhere', (purpose, isRehearsal) => {
		const { text, code, id } = make(isRehearsal, 8);
		expect(code).toMatch(/^\d{8}$/);
		const expires = EXPIRES_AT / 1000;
		expect(openCode(ACCOUNT, text)).toEqual({ purpose, expires, to: TO, code, id });
	});

	it.each(['code', 'rehearsal'])('of purpose %s is read if made elsewhere', (purpose) => {
		const { token, code } = issueCode(ACCOUNT, TO, 4, { purpose, expires: EXPIRES_AT / 1000 });
		const found = { to: TO, code, expiresAt: EXPIRES_AT, text: token };
		expect(read(token, false)).toMatchObject({ ...found, isRehearsal: purpose === 'rehearsal' });
	});

	it('is read as Python has sealed it', () => {
		const token =
			'code.AAECAwQFBgcICQoLkewogQZhJkmoeK4Kun0h1rgCb6TkR_mTD293sRni8WTkefSAgpN4Lz1EPv7ZEQzoHmXqKQsajAZXJjTGjSmHAgs4megHvaDDoY11';
		const found = { to: '+85223456789', code: '004661', id: 'made-up-id', expiresAt: EXPIRES_AT };
		expect(read(token)).toEqual({ ...found, text: token, isRehearsal: false });
	});

	it('shows nobody number, code or expiry, and is new each time', () => {
		const tokens = Array.from({ length: 100 }, () => make());
		for (const { text, code } of tokens) {
			const shown = [text, Buffer.from(text.split('.')[1], 'base64url').toString('latin1')].join();
			expect([TO, code, '1800000000'].filter((each) => shown.includes(each))).toEqual([]);
		}
		expect(new Set(tokens.map(({ id }) => id)).size).toBe(100);
		expect(new Set(tokens.map(({ text }) => text.slice(0, 20))).size).toBe(100);
		expect(new Set(tokens.map(({ code }) => code)).size).toBeGreaterThan(90);
	});

	it('may have blanks, line ends and invisible marks, which come with copying', () => {
		const { text } = make();
		expect(read(`\ufeff ${text.slice(0, 60)}\r\n\u200b${text.slice(60)}\n`)?.text).toBe(text);
	});
});

describe('a token counts as forged if it is', () => {
	const { text } = make();
	const rehearsed = make(true).text;

	it.each<[string, string]>([
		['of another account', issueCode(OTHER, TO).token],
		['of another purpose', text.replace('code', 'rehearsal')],
		['of a rehearsal that calls itself real', rehearsed.replace('rehearsal', 'code')],
		['of a rehearsal in production', rehearsed],
		['without its last characters, which would shorten the tag', text.slice(0, -8)],
		['two', `${text}${text}`],
		['one with a part more', `${text}.x`],
		['one with the character 0 behind it', `${text}\u0000`],
		['in other letters', text.toUpperCase()],
		['its purpose alone', 'code.'],
		['half a character', '\ud83d'],
		['a megabyte', `${text}${'A'.repeat(2 ** 20)}`],
	])('%s', (_what, token) => {
		expect(read(token)).toBeUndefined();
	});

	it('changed in any character, or one character longer', () => {
		for (let at = 0; at <= text.length; at++) {
			for (const by of 'Ab0.-_') {
				if (text[at] === by) continue;
				expect(read(text.slice(0, at) + by + text.slice(at + 1))).toBeUndefined();
			}
		}
	});
});

describe('the code 004661', () => {
	const token: VerificationToken = { ...make(), code: '004661' };

	it.each<[string, string, boolean]>([
		['is itself', '004661', true],
		['has blanks around and inside', '\u3000 00 46\u00a061\n', true],
		['has full-width digits', '００４６６１', true],
		['has marks between and behind', '004-661。', true],
		['stands in words', '验证码：004661', true],
		['stands there twice, as phones fill it in', '004661004661', true],
		['may lack its zeros, as a number does', '4661', true],
		['may lack them where it stands twice', '4661004661', true],
		['does not stand there three times', '004661004661004661', false],
		['has no zero more', '0004661', false],
		['is not half of what was typed', '004661004662', false],
		['is no other number', '4662', false],
		['is no huge number', '1e300', false],
		['has no digits of another script', '٠٠٤٦٦١', false],
		['is no half of a character', '\ud83d', false],
		['is no megabyte of digits', '1'.repeat(2 ** 20), false],
	])('%s', (_what, typed, expected) => {
		expect(isCode(token, typed)).toBe(expected);
	});

	it.each(['', 'abc'])('the code 000000 is not %j, which has no digits', (typed) => {
		expect(isCode({ ...token, code: '000000' }, typed)).toBe(false);
	});
});
