import { createHmac } from 'node:crypto';

import { newCode } from '../../../../nodes/Yuntongxun/resources/verificationCode/code';
import {
	createToken,
	readToken,
} from '../../../../nodes/Yuntongxun/resources/verificationCode/token';

const keysOf = (account: string) => (purpose: string) =>
	createHmac('sha256', account).update(purpose).digest();
const OWN = keysOf('made-up-token');
const EXPIRES = 1_800_000_000;
const CODE = '004512';

const made = (changes: { to?: string; expiresAt?: number; code?: string } = {}, keys = OWN) =>
	createToken({ to: '13800000000', expiresAt: EXPIRES, code: CODE, ...changes }, keys);
const read = (token: string, keys = OWN) => readToken(token, keys);

it.each(['13800000000', '+85223456789', '01012345678-801', '+12345678901234567890-12345678'])(
	'carries the number %s and the expiry, in letters, digits, dots, hyphens and underscores',
	(to) => {
		const token = made({ to });
		expect(token).toMatch(/^[A-Za-z0-9._-]{100,200}$/);
		expect(read(token)).toMatchObject({ to, expiresAt: EXPIRES });
	},
);

it.each<[string, unknown, boolean]>([
	['the code', CODE, true],
	['the code with blanks around and inside', '\u3000 00 45\u00a012\n', true],
	['the code in full-width digits', '００４５１２', true],
	['a number that lost its zeros', 4512, true],
	['text that lost its zeros', '4512', false],
	['a zero too many', '0004512', false],
	['another number', 4513, false],
	['a number that is not whole', 4512.5, false],
	['a number below zero', -4512, false],
	['a huge number', 1e300, false],
	['not a number', NaN, false],
	['digits of another script', '٠٠٤٥١٢', false],
	['a code with a hyphen', '004-512', false],
	['a Boolean', true, false],
	['half a character', '\ud83d', false],
	['nothing', '', false],
	['a megabyte of digits', '1'.repeat(2 ** 20), false],
])('%s: fits or not', (_what, typed, fits) => {
	expect(read(made())?.fits(typed)).toBe(fits);
});

it.each([4, 5, 6, 7, 8])('takes codes of %i digits', (length) => {
	const code = '7'.padStart(length, '0');
	const token = read(made({ code }));
	expect([token?.fits(code), token?.fits(7), token?.fits('7')]).toEqual([true, true, false]);
});

it('gives every token a name of its own, also for the same number, expiry and code', () => {
	const tokens = Array.from({ length: 100 }, () => made());
	expect(new Set(tokens.map((token) => read(token)?.id)).size).toBe(100);
	// No part but version, expiry, length and number is ever the same: equal codes do not show.
	for (const part of [4, 5, 6]) {
		expect(new Set(tokens.map((token) => token.split('.')[part])).size).toBe(100);
	}
});

describe('is forged', () => {
	const parts = made().split('.');
	const changed = (part: number, value: string) => parts.with(part, value).join('.');
	const other = made({ to: '13900000000', expiresAt: EXPIRES + 86_400, code: '111111' }).split('.');

	it.each<[string, string]>([
		['an altered version', changed(0, 'v2')],
		['an altered expiry', changed(1, String(EXPIRES + 1))],
		['an altered expiry with zeros in front', changed(1, `0${EXPIRES}`)],
		['an altered length', changed(2, '4')],
		['an altered number', changed(3, '13800000001')],
		['an altered number with a plus sign', changed(3, '_13800000000')],
		[
			'an altered nonce',
			changed(4, `${parts[4].slice(0, -1)}${parts[4].endsWith('A') ? 'B' : 'A'}`),
		],
		['an altered tag', changed(5, 'A'.repeat(22))],
		['an altered signature', changed(6, 'A'.repeat(43))],
		...[1, 2, 3, 4, 5, 6].map((part): [string, string] => [
			`part ${part} of a token of another lifetime`,
			part === 2 ? changed(1, other[1]) : changed(part, other[part]),
		]),
		['the token of another account', made({}, keysOf('another-token'))],
		['a token without its signature', parts.slice(0, 6).join('.')],
		['two tokens', `${made()}${made()}`],
		['a token with a part more', `${made()}.x`],
		['a token with the character 0 behind it', `${made()}\u0000`],
		['a token in other letters', made().toUpperCase()],
		['only dots', '......'],
		['text', 'not a token'],
		['half a character', '\ud83d'],
		['a megabyte', `${made()}${'A'.repeat(2 ** 20)}`],
	])('%s', (_what, token) => {
		expect(read(token)).toBeUndefined();
	});

	it('each other text of the same signature bytes', () => {
		// 43 characters hold 258 bits, the signature 256: four texts stand for the same bytes.
		const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
		const token = made();
		const taken = [...alphabet].filter((last) => read(`${token.slice(0, -1)}${last}`));
		expect(taken).toEqual([token.at(-1)]);
	});
});

it('drops blanks and line ends that come with copying', () => {
	const token = made();
	expect(read(` ${token.slice(0, 60)}\r\n${token.slice(60)}\n`)).toMatchObject({
		to: '13800000000',
	});
});

it('a random code has its length, zeros in front included, and takes every digit', () => {
	const codeOf = (length: number) => newCode('13800000000', length, 10, OWN)().verifyCode;
	const codes = Array.from({ length: 2000 }, () => codeOf(4));
	expect(codes.filter((code) => !/^\d{4}$/.test(code))).toEqual([]);
	for (const place of [0, 1, 2, 3]) {
		expect(new Set(codes.map((code) => code[place])).size).toBe(10);
	}
	expect(codeOf(8)).toMatch(/^\d{8}$/);
});
