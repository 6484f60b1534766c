import fc from 'fast-check';

import { isSigned, parseSignedUrl, signUrl } from '../../nodes/Yuntongxun/callbacks/signedUrl';
import { signedUrl } from '../support/signing';
import { anyText } from './support/texts';

const accountWith = (authToken: string) => ({ accountSid: 'made-up', authToken });
const TOKEN = 'made-up-token';
const ACCOUNT = accountWith(TOKEN);
/** Seconds since 1970, and the moment in milliseconds. */
const EXPIRES = 1_800_000_000;
const EXPIRES_AT = EXPIRES * 1000;

const sign = (url: string) => signUrl(url, ACCOUNT, EXPIRES_AT);
const isTaken = (url: string, token = TOKEN) =>
	isSigned(parseSignedUrl(url), accountWith(token), EXPIRES_AT - 1);

/** Text of a path segment or a query, as it can stand in an address. */
const inUrl = (more: string) =>
	fc.string({
		unit: fc.constantFrom(...`abcXYZ019-_.~${more}`, '%20', '%2F', '%26', '%3D', '%E4%B8%AD'),
		maxLength: 12,
	});
const segment = inUrl('').filter((text) => text !== '');
const parameter = fc
	.tuple(segment, inUrl('+'))
	.map(([name, value]) => `${name}=${value}`)
	.filter((text) => !text.startsWith('yt'));
const query = fc.array(parameter, { maxLength: 4 }).map((parameters) => parameters.join('&'));
const hook = fc.constantFrom('webhook', 'webhook-test', 'webhook-waiting');
const path = fc
	.tuple(hook, fc.array(segment, { minLength: 1, maxLength: 3 }))
	.map(([first, others]) => [first, ...others].join('/'));
const origin = fc.constantFrom(
	'https://n8n.example.com',
	'http://127.0.0.1:5678',
	'https://example.com/n8n',
	'https://example.com/a/webhooks/b',
);
const tail = fc
	.tuple(path, query)
	.map(([rest, parameters]) => `/${rest}${parameters && `?${parameters}`}`);
const address = fc.tuple(origin, tail).map((parts) => parts.join(''));

/** One character replaced. */
const changed = (text: string, at: number, by: string) =>
	`${text.slice(0, at)}${by}${text.slice(at + 1)}`;

/** What an address says, however its query is written. */
const meaning = (url: string) => {
	const [start, ...rest] = url.split('?');
	return JSON.stringify([start, [...new URLSearchParams(rest.join('?'))]]);
};

describe('a signed address', () => {
	it('is the address, byte for byte, and two parameters more', () => {
		fc.assert(
			fc.property(address, (url) => {
				const signed = sign(url);
				expect(signed.startsWith(url)).toBe(true);
				expect(signed.slice(url.length)).toMatch(
					/^[?&]ytExpires=1800000000&ytSignature=[0-9a-f]{64}$/,
				);
				expect(parseSignedUrl(signed).expiresAt).toBe(EXPIRES_AT);
				expect(isTaken(signed)).toBe(true);
			}),
		);
	});

	it('is taken with another host, with another proxy prefix, and from its path on', () => {
		fc.assert(
			fc.property(tail, origin, origin, (rest, one, other) => {
				const signed = sign(`${one}${rest}`);
				expect(isTaken(`${other}${signed.slice(one.length)}`)).toBe(true);
				expect(isTaken(signed.slice(one.length))).toBe(true);
			}),
		);
	});

	it('is refused once a character of what is signed is another', () => {
		fc.assert(
			fc.property(
				path,
				query,
				origin,
				fc.nat(),
				fc.constantFrom(...'0aZ-/&=%+'),
				(rest, parameters, start, at, by) => {
					const signed = sign(`${start}/${rest}${parameters && `?${parameters}`}`);
					const others = rest.split('/').slice(0, -2).join('/');
					const from = start.length + 1 + others.length + (others ? 1 : 0);
					const other = changed(signed, from + (at % (signed.length - from)), by);
					fc.pre(meaning(other) !== meaning(signed));
					expect(isTaken(other)).toBe(false);
				},
			),
		);
	});

	it('is refused once a parameter is added, taken away or moved', () => {
		fc.assert(
			fc.property(address, parameter, fc.nat(), (url, more, at) => {
				const [start, parameters] = sign(url).split('?');
				const list = parameters.split('&');
				const place = at % (list.length + 1);
				const added = list.toSpliced(place, 0, more);
				expect(isTaken(`${start}?${added.join('&')}`)).toBe(false);
				const fewer = list.toSpliced(at % list.length, 1);
				expect(isTaken(`${start}?${fewer.join('&')}`)).toBe(false);
			}),
		);
	});

	it('is refused with another token', () => {
		fc.assert(
			fc.property(address, anyText, (url, token) => {
				fc.pre(token !== TOKEN);
				expect(isTaken(sign(url), token)).toBe(false);
			}),
		);
	});

	it('carries what another implementation makes of the contract', () => {
		fc.assert(
			fc.property(
				address,
				anyText,
				fc.integer({ min: 1, max: 99_999_999_999 }),
				(url, token, at) => {
					// The parser of the other side removes dots from the path.
					fc.pre(new URL(url).href === url);
					expect(signUrl(url, accountWith(token), at * 1000)).toBe(
						signedUrl(url, accountWith(token), at),
					);
				},
			),
		);
	});

	it('is told from anything else without an exception', () => {
		fc.assert(
			fc.property(
				fc.oneof(
					anyText,
					anyText.map((text) => `${sign('https://a.example/b')}${text}`),
				),
				(url) => {
					fc.pre(meaning(url) !== meaning(sign('https://a.example/b')));
					expect(isTaken(url)).toBe(false);
				},
			),
		);
	});
});
