import { createHmac } from 'node:crypto';
import fc from 'fast-check';

import { createToken, readToken } from '../../nodes/Yuntongxun/resources/verificationCode/token';
import { anyText, typedText } from './support/texts';

const keysOf = (account: string) => (purpose: string) =>
	createHmac('sha256', account).update(purpose, 'utf8').digest();
const OWN = keysOf('made-up-token');

const digits = (minLength: number, maxLength: number) =>
	fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });
const to = fc
	.tuple(fc.constantFrom('', '+'), digits(3, 20), fc.option(digits(1, 8), { nil: undefined }))
	.map(
		([plus, line, extension]) => `${plus}${line}${extension === undefined ? '' : `-${extension}`}`,
	);
const verification = fc.record({
	to,
	expiresAt: fc.integer({ min: 1, max: 99_999_999_999 }),
	code: digits(4, 8),
});
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
	it('gives back number and expiry, and takes its code however it is typed', () => {
		const typed = verification.chain((each) => fc.tuple(fc.constant(each), typedAs(each.code)));
		fc.assert(
			fc.property(typed, ([each, text]) => {
				const token = createToken(each, OWN);
				expect(token).toMatch(/^[A-Za-z0-9._-]{90,200}$/);
				const read = readToken(token, OWN);
				expect(read).toMatchObject({ to: each.to, expiresAt: each.expiresAt });
				expect(read?.fits(text)).toBe(true);
				expect(read?.fits(Number(each.code))).toBe(true);
			}),
		);
	});

	it('takes no other code', () => {
		fc.assert(
			fc.property(verification, fc.oneof(digits(1, 9), typedText, fc.nat()), (each, typed) => {
				fc.pre(String(typed).normalize('NFKC').replace(/\D/g, '') !== each.code);
				fc.pre(Number(typed) !== Number(each.code));
				expect(readToken(createToken(each, OWN), OWN)?.fits(typed)).toBe(false);
			}),
		);
	});

	it('is forged once a character is another', () => {
		fc.assert(
			fc.property(
				verification,
				fc.nat(),
				fc.constantFrom(...TOKEN_CHARACTERS),
				(each, position, by) => {
					const token = createToken(each, OWN);
					const at = position % token.length;
					fc.pre(token[at] !== by);
					const altered = token.slice(0, at) + by + token.slice(at + 1);
					expect(readToken(altered, OWN)).toBeUndefined();
				},
			),
		);
	});

	it('is forged once a part is that of another token', () => {
		fc.assert(
			fc.property(verification, verification, fc.nat(6), (one, other, part) => {
				const parts = createToken(one, OWN).split('.');
				const piece = createToken(other, OWN).split('.')[part];
				fc.pre(parts[part] !== piece);
				expect(readToken(parts.with(part, piece).join('.'), OWN)).toBeUndefined();
			}),
		);
	});

	it('is forged with another account, and with anything behind or in front of it', () => {
		fc.assert(
			fc.property(verification, anyText, (each, text) => {
				const token = createToken(each, OWN);
				fc.pre(text !== 'made-up-token');
				expect(readToken(token, keysOf(text))).toBeUndefined();
				fc.pre(text.replace(/\s/g, '') !== '');
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

	it('shows nothing of its code: parts that hold it are those of a keyed hash', () => {
		fc.assert(
			fc.property(verification, digits(4, 8), (each, guess) => {
				fc.pre(guess.length === each.code.length && guess !== each.code);
				const [own, other] = [each, { ...each, code: guess }].map((one) =>
					createToken(one, OWN).split('.'),
				);
				expect(own.slice(0, 4)).toEqual(other.slice(0, 4));
				expect(own.map(({ length }) => length)).toEqual(other.map(({ length }) => length));
			}),
		);
	});
});
