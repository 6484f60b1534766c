import { createHmac } from 'node:crypto';
import fc from 'fast-check';

import {
	createToken,
	isCode,
	readToken,
} from '../../nodes/Yuntongxun/resources/verificationCode/token';
import type { TokenContent } from '../../nodes/Yuntongxun/resources/verificationCode/token';
import { anyText, hasOnlyBlanks, typedText } from './support/texts';

const deriveKeys = (account: string) => (purpose: string) =>
	createHmac('sha256', account).update(purpose, 'utf8').digest();
const OWN = deriveKeys('made-up-token');

const digits = (minLength: number, maxLength: number) =>
	fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });
const to = fc
	.tuple(fc.constantFrom('', '+'), digits(3, 20), fc.option(digits(1, 8), { nil: undefined }))
	.map(
		([plus, line, extension]) => `${plus}${line}${extension === undefined ? '' : `-${extension}`}`,
	);
const content = fc.record({
	to,
	expiresAt: fc.integer({ min: 1, max: 99_999_999_999 }),
	codeLength: fc.integer({ min: 4, max: 8 }),
});
const made = (each: TokenContent) => createToken(each, OWN);
const TOKEN_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_';

/** The code in the ways that people type it. */
const typedAs = (code: string) =>
	fc
		.array(
			fc.tuple(fc.constantFrom('', ' ', '\u3000', '\t', '\u00a0', '\u200b', '\n'), fc.boolean()),
			{ minLength: 9, maxLength: 9 },
		)
		.map((ways) =>
			[...code, '']
				.map((digit, at) => {
					const [blank, isWide] = ways[at];
					const wide = '０１２３４５６７８９'[Number(digit)];
					return blank + (isWide && digit !== '' ? wide : digit);
				})
				.join(''),
		);

describe('a verification token', () => {
	it('gives back all that was made, and takes its code however it is typed', () => {
		fc.assert(
			fc.property(content, fc.gen(), (each, gen) => {
				const token = made(each);
				expect(token.text).toMatch(/^[A-Za-z0-9._-]{65,200}$/);
				expect(token.code).toMatch(new RegExp(`^\\d{${each.codeLength}}$`));
				const read = readToken(token.text, OWN);
				expect(read).toEqual(token);
				expect(read).toMatchObject(each);
				expect(
					isCode(
						token,
						gen(() => typedAs(token.code)),
					),
				).toBe(true);
				expect(isCode(token, Number(token.code))).toBe(true);
			}),
		);
	});

	it('takes no other code', () => {
		fc.assert(
			fc.property(content, fc.oneof(digits(1, 9), typedText, fc.nat()), (each, typed) => {
				const token = made(each);
				fc.pre(String(typed).normalize('NFKC').replace(/\D/g, '') !== token.code);
				fc.pre(Number(typed) !== Number(token.code));
				expect(isCode(token, typed)).toBe(false);
			}),
		);
	});

	it('is forged once a character is another', () => {
		fc.assert(
			fc.property(content, fc.nat(), fc.constantFrom(...TOKEN_CHARACTERS), (each, position, by) => {
				const token = made(each).text;
				const at = position % token.length;
				fc.pre(token[at] !== by);
				const altered = token.slice(0, at) + by + token.slice(at + 1);
				expect(readToken(altered, OWN)).toBeUndefined();
			}),
		);
	});

	it('is forged with another account, and with anything behind or in front of it', () => {
		fc.assert(
			fc.property(content, anyText, (each, text) => {
				const token = made(each).text;
				fc.pre(text !== 'made-up-token');
				expect(readToken(token, deriveKeys(text))).toBeUndefined();
				fc.pre(!hasOnlyBlanks(text));
				expect(readToken(token + text, OWN)).toBeUndefined();
				expect(readToken(text + token, OWN)).toBeUndefined();
			}),
		);
	});

	it('is told from any other text without an exception', () => {
		fc.assert(
			fc.property(typedText, (text) => {
				expect(readToken(text, OWN)).toBeUndefined();
			}),
		);
	});

	it('shows nothing of its code: another account gives equal content other codes', () => {
		fc.assert(
			fc.property(content, anyText, (each, account) => {
				fc.pre(account !== 'made-up-token');
				const [own, other] = [OWN, deriveKeys(account)].map((keys) =>
					createToken({ ...each, codeLength: 8 }, keys),
				);
				expect(own.text.split('.').slice(0, 4)).toEqual(other.text.split('.').slice(0, 4));
				expect(own.text.length).toBe(other.text.length);
				// Equal by chance once in 10^8 pairs.
				expect(own.code).not.toBe(other.code);
			}),
		);
	});
});
