import fc from 'fast-check';

import { addToken, findToken, openToken } from '../../nodes/Yuntongxun/callbacks/sealedToken';
import type { TokenPurpose } from '../../nodes/Yuntongxun/callbacks/sealedToken';
import { openUrl, sealUrl } from '../support/sealing';
import { anyText } from '../support/texts';

const accountWith = (authToken: string) => ({ accountSid: 'made-up', authToken });
const TOKEN = 'made-up-token';
const ACCOUNT = accountWith(TOKEN);
/** Seconds since 1970, and the moment in milliseconds. */
const EXPIRES = 1_800_000_000;
const EXPIRES_AT = EXPIRES * 1000;
const PAYLOAD = Buffer.from('what belongs to it');

const seal = (url: string, purpose: TokenPurpose = 'wait') =>
	addToken(url, purpose, PAYLOAD, EXPIRES_AT, ACCOUNT);
const open = (url: string, token = TOKEN, now = EXPIRES_AT) => {
	const sealed = findToken(url);
	return sealed && openToken(sealed, accountWith(token), now);
};

/** Text of a path segment or a query, as it can stand in an address. */
const inUrl = (more: string) =>
	fc.string({
		unit: fc.constantFrom(...`abcXYZ019-_.~${more}`, '%20', '%2F', '%26', '%3D', '%E4%B8%AD'),
		maxLength: 12,
	});
const segment = inUrl('').filter((text) => text !== '' && !/^\.+$/.test(text));
const parameter = fc
	.tuple(segment, inUrl('+'))
	.map(([name, value]) => `${name}=${value}`)
	.filter((text) => !text.startsWith('yt='));
const query = fc.array(parameter, { maxLength: 4 }).map((parameters) => parameters.join('&'));
const path = fc.tuple(segment, segment).map((segments) => segments.join('/'));
const origin = fc.constantFrom(
	'https://n8n.example.com/webhook',
	'http://127.0.0.1:5678/webhook',
	'https://example.com/n8n/webhook',
	'https://example.com/a/webhooks/b',
);
const tail = fc
	.tuple(path, query)
	.map(([rest, parameters]) => `/${rest}${parameters && `?${parameters}`}`);
const address = fc.tuple(origin, tail).map((parts) => parts.join(''));

describe('an address with a token', () => {
	it('is the address, byte for byte, and one parameter more', () => {
		fc.assert(
			fc.property(address, (url) => {
				const sealed = seal(url);
				expect(sealed.startsWith(url)).toBe(true);
				expect(sealed.slice(url.length)).toMatch(/^[?&]yt=wait\.[\w-]+$/);
				expect(open(sealed)).toEqual(PAYLOAD);
			}),
		);
	});

	it('is opened with another host, proxy prefix and query, with a slash behind, from its path on', () => {
		fc.assert(
			fc.property(path, query, parameter, origin, origin, (rest, parameters, more, one, other) => {
				const [, own] = seal(`${one}/${rest}?${parameters}`).split(/[?&](?=yt=)/);
				expect(open(`${other}/${rest}/?${more}&${own}`)).toEqual(PAYLOAD);
				expect(open(`/any/${rest}?${own}&${more}`)).toEqual(PAYLOAD);
			}),
		);
	});

	it('is refused once a character of its token, purpose or path is another', () => {
		fc.assert(
			fc.property(path, origin, fc.nat(), fc.constantFrom(...'0qZ-/.=%'), (rest, start, at, by) => {
				const sealed = seal(`${start}/${rest}`);
				const from = start.length + 1;
				const place = from + (at % (sealed.length - from));
				fc.pre(sealed[place] !== by && sealed[place] !== '?');
				const other = `${sealed.slice(0, place)}${by}${sealed.slice(place + 1)}`;
				expect(open(other)).toBeUndefined();
			}),
		);
	});

	it('is refused with another token, later, and with a second one', () => {
		fc.assert(
			fc.property(address, anyText, (url, token) => {
				fc.pre(token !== TOKEN);
				const sealed = seal(url);
				expect(open(sealed, token)).toBeUndefined();
				expect(open(sealed, TOKEN, EXPIRES_AT + 1000)).toBeUndefined();
				expect(open(seal(sealed))).toBeUndefined();
			}),
		);
	});

	it('is what another implementation makes of the contract, both ways', () => {
		fc.assert(
			fc.property(
				address,
				anyText,
				fc.integer({ min: 1, max: 2 ** 32 - 1 }),
				fc.uint8Array({ maxLength: 80 }),
				(url, token, expires, bytes) => {
					// The parser of the other side removes dots from the path.
					fc.pre(new URL(url).href === url);
					const payload = Buffer.from(bytes);
					const account = accountWith(token);
					const ours = addToken(url, 'start', payload, expires * 1000, account);
					expect(openUrl(ours, account)).toEqual({ purpose: 'start', expires, payload });
					const theirs = sealUrl(url, account, { purpose: 'wait', expires, payload });
					expect(open(theirs, token, expires * 1000)).toEqual(payload);
				},
			),
		);
	});

	it('is told from anything else without an exception', () => {
		fc.assert(
			fc.property(
				fc.oneof(
					anyText,
					anyText.map((text) => `/a/b?yt=wait.${text}`),
				),
				(url) => {
					expect(open(url)).toBeUndefined();
				},
			),
		);
	});
});
