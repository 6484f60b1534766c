import { createHmac } from 'node:crypto';

import { deriveKey } from '../../../../nodes/Yuntongxun/client/credential';
import {
	createToken,
	isCode,
	readToken,
} from '../../../../nodes/Yuntongxun/resources/verificationCode/token';
import type { VerificationToken } from '../../../../nodes/Yuntongxun/resources/verificationCode/token';

const OWN = (purpose: string) => createHmac('sha256', 'made-up-token').update(purpose).digest();
const EXPIRES = 1_800_000_000;

const made = () => createToken({ to: '13800000000', expiresAt: EXPIRES, codeLength: 6 }, OWN).text;
const read = (token: string) => readToken(token, { keyFor: OWN, inProduction: true });

/**
 * Worked out with Python's hmac and hashlib, HKDF of RFC 5869 written out: the account's secrets have
 * the salt 0123456789abcdef0123456789abcdef and the labels "n8n-nodes-yuntongxun verification code"
 * and "... token"; a code is the HMAC-SHA256 of the text before the last dot, as one big-endian
 * number, modulo ten to the power of its length.
 */
const KNOWN: Array<[token: string, content: Partial<VerificationToken>]> = [
	[
		'v1.1800000000.6.13800000000.AAECAwQFBgcICQoL.iYCfx-v9dShHdu9km7WMn5toC_Dgm2Nu38Dq_Vzu63s',
		{ to: '13800000000', expiresAt: EXPIRES, codeLength: 6, code: '375233' },
	],
	[
		'v1.1800000000.6.13800000000.bm9uY2UxMDQAAAAA.9OSUoCfI5oQ1JPc8l53J9By2viiuK1lVS8u_u0B_Nkw',
		{ to: '13800000000', expiresAt: EXPIRES, codeLength: 6, code: '004661' },
	],
	[
		'v1.1800000000.8._85223456789.__8-_w0ODxAREhMU.-ywgFotLRt4gtrHA4a0jq8N3WgrbAWZWxLTRtUoeipU',
		{ to: '+85223456789', expiresAt: EXPIRES, codeLength: 8, code: '82477497' },
	],
	[
		'v1.1900000000.4.01012345678-801.MDEyMzQ1Njc4OTo7.xR1mbyVHz4356b47CcDjPSCx2YlP-7hZD1lKALXgD7c',
		{ to: '01012345678-801', expiresAt: 1_900_000_000, codeLength: 4, code: '9920' },
	],
];
const KNOWN_ACCOUNT = {
	authToken: 'made-up-token',
	accountSid: '0123456789abcdef0123456789abcdef',
};
const readKnown = (token: string) =>
	readToken(token, {
		keyFor: (purpose) => deriveKey(KNOWN_ACCOUNT, purpose),
		inProduction: true,
	}) as VerificationToken;

it.each(KNOWN)('the token %s has the content and code that others compute', (token, content) => {
	expect(readKnown(token)).toMatchObject({ ...content, text: token });
});

describe('the code 004661', () => {
	const token = readKnown(KNOWN[1][0]);

	it.each<[string, string | number, boolean]>([
		['is itself', '004661', true],
		['has blanks around and inside', '\u3000 00 46\u00a061\n', true],
		['has full-width digits', '００４６６１', true],
		['is a number that lost its zeros', 4661, true],
		['is no text that lost its zeros', '4661', false],
		['has no zero more', '0004661', false],
		['is no other number', 4662, false],
		['is no number that is not whole', 4661.5, false],
		['is no number below zero', -4661, false],
		['is no huge number', 1e300, false],
		['is not what is no number', NaN, false],
		['has no digits of another script', '٠٠٤٦٦١', false],
		['has no hyphen', '004-661', false],
		['is no half of a character', '\ud83d', false],
		['is not nothing', '', false],
		['is no megabyte of digits', '1'.repeat(2 ** 20), false],
	])('%s', (_what, typed, expected) => {
		expect(isCode(token, typed)).toBe(expected);
	});
});

it('every token has an id and a signature of its own, also for equal content', () => {
	const tokens = Array.from({ length: 100 }, () => made());
	expect(new Set(tokens.map((token) => read(token)?.id)).size).toBe(100);
	// No part but version, expiry, length and number is ever the same.
	for (const part of [4, 5]) {
		expect(new Set(tokens.map((token) => token.split('.')[part])).size).toBe(100);
	}
});

describe('a token counts as forged if it is', () => {
	const parts = made().split('.');
	const changed = (part: number, value: string) => parts.with(part, value).join('.');

	it.each<[string, string]>([
		['of an altered expiry with zeros in front', changed(1, `0${EXPIRES}`)],
		['without its signature', parts.slice(0, 5).join('.')],
		['two', `${made()}${made()}`],
		['one with a part more', `${made()}.x`],
		['one with the character 0 behind it', `${made()}\u0000`],
		['in other letters', made().toUpperCase()],
		['half a character', '\ud83d'],
		['a megabyte', `${made()}${'A'.repeat(2 ** 20)}`],
	])('%s', (_what, token) => {
		expect(read(token)).toBeUndefined();
	});

	it('of another character anywhere', () => {
		const token = made();
		for (let at = 0; at < token.length; at++) {
			for (const by of 'A0.-_') {
				if (token[at] === by) continue;
				expect(read(token.slice(0, at) + by + token.slice(at + 1))).toBeUndefined();
			}
		}
	});

	it('of another account, whose code for the same content is another', () => {
		const [own, other] = ['made-up-token', 'another'].map((account) => {
			const keys = (purpose: string) => createHmac('sha256', account).update(purpose).digest();
			return createToken({ to: '13800000000', expiresAt: EXPIRES, codeLength: 8 }, keys);
		});
		expect(read(other.text)).toBeUndefined();
		expect(other.text.split('.').slice(0, 4)).toEqual(own.text.split('.').slice(0, 4));
		// Equal by chance once in 10^8 pairs.
		expect(other.code).not.toBe(own.code);
	});

	it('another text of the same signature bytes', () => {
		// 43 characters hold 258 bits, the signature 256: four texts stand for the same bytes.
		const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
		const token = made();
		const taken = [...alphabet].filter((last) => read(`${token.slice(0, -1)}${last}`));
		expect(taken).toEqual([token.at(-1)]);
	});
});

it('a token may have blanks, line ends and invisible marks, which come with copying', () => {
	const token = made();
	expect(read(`\ufeff ${token.slice(0, 60)}\r\n\u200b${token.slice(60)}\n`)?.text).toBe(token);
});
