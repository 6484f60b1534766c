import fc from 'fast-check';

import { expiryOf, isSignedUrl, signUrl } from '../../../nodes/Yuntongxun/callResult/signedUrl';

const TOKEN = 'made-up-token';
/** Seconds since 1970, and the moment in milliseconds. */
const EXPIRES = 1_800_000_000;
const EXPIRES_AT = EXPIRES * 1000;
const BEFORE = EXPIRES_AT - 1;
const TRIGGER = 'https://n8n.example.com/webhook/4f9c/call-result';

const sign = (url: string) => signUrl(url, TOKEN, EXPIRES_AT);
const isTaken = (url: string, token = TOKEN, now = BEFORE) => isSignedUrl(url, token, now);

// Each worked out outside of the package, the expiry being 1800000000:
// printf '%s' '["result URL","1800000000",<path>,<other parameters>]' |
//   openssl dgst -sha256 -hmac made-up-token
describe('the signature is what openssl makes of expiry, path and other parameters', () => {
	it.each([
		// "/webhook/4f9c/call-result",[]
		[TRIGGER, '?', 'f767cd8bff5c54077f6789a319d9b69eba0f90f9a8bb43a4af7bab671785ca9d'],
		// "/webhook/4f9c/call-result",[["a","1"],["b"," x"]]
		[
			`${TRIGGER}?a=1&b=%20x`,
			'&',
			'fdb7bbe20a2120cb24e7467a98d1f60316d0b7c78c8a5a3885787c004c92c4ce',
		],
		// "/webhook-waiting/231",[["signature","abc"]]
		[
			'https://n8n.example.com/webhook-waiting/231?signature=abc',
			'&',
			'ec79bfa02c3694337f7e0a7e853bd7c0c99e605f4a4c46f145769de105e46b20',
		],
	])('%s', (url, separator, signature) => {
		expect(sign(url)).toBe(`${url}${separator}ytExpires=${EXPIRES}&ytSignature=${signature}`);
		expect(isTaken(sign(url))).toBe(true);
	});
});

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
const address = fc
	.tuple(origin, path, query)
	.map(([start, rest, parameters]) => `${start}/${rest}${parameters && `?${parameters}`}`);

/** One character changed for another. */
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
				expect(expiryOf(signed)).toBe(EXPIRES_AT);
				expect(isTaken(signed)).toBe(true);
			}),
		);
	});

	it('is taken with another host, with another proxy prefix, and from its path on', () => {
		fc.assert(
			fc.property(path, query, origin, origin, (rest, parameters, one, other) => {
				const tail = `/${rest}${parameters && `?${parameters}`}`;
				const signed = sign(`${one}${tail}`);
				expect(isTaken(`${other}${signed.slice(one.length)}`)).toBe(true);
				expect(isTaken(signed.slice(one.length))).toBe(true);
			}),
		);
	});

	it('is refused once a character is another', () => {
		fc.assert(
			fc.property(
				path,
				query,
				origin,
				fc.nat(),
				fc.constantFrom(...'0aZ-/&=%+'),
				(rest, parameters, start, at, by) => {
					const signed = sign(`${start}/${rest}${parameters && `?${parameters}`}`);
					const from = start.length + 1;
					const other = changed(signed, from + (at % (signed.length - from)), by);
					fc.pre(meaning(other) !== meaning(signed));
					expect(isTaken(other)).toBe(false);
				},
			),
			{ numRuns: 2000 },
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

	it('is taken until it expires, and no second longer', () => {
		expect(isTaken(sign(TRIGGER), TOKEN, EXPIRES_AT)).toBe(true);
		expect(isTaken(sign(TRIGGER), TOKEN, EXPIRES_AT + 999)).toBe(true);
		expect(isTaken(sign(TRIGGER), TOKEN, EXPIRES_AT + 1000)).toBe(false);
	});

	it('is refused with another token', () => {
		fc.assert(
			fc.property(address, fc.string(), (url, token) => {
				fc.pre(token !== TOKEN);
				expect(isTaken(sign(url), token)).toBe(false);
			}),
		);
	});

	it('does not hold the token', () => {
		expect(sign(TRIGGER)).not.toContain(TOKEN);
	});

	it('has lost its fragment, which no request carries', () => {
		expect(sign(`${TRIGGER}#part`)).toBe(sign(TRIGGER));
	});
});

const [, SIGNATURE] = sign(TRIGGER).split('ytSignature=');

it.each([
	['nothing', ''],
	['no signature', `?ytExpires=${EXPIRES}`],
	['no expiry', `?ytSignature=${SIGNATURE}`],
	['an empty signature', `?ytExpires=${EXPIRES}&ytSignature=`],
	['an empty expiry', `?ytExpires=&ytSignature=${SIGNATURE}`],
	['half a signature', `?ytExpires=${EXPIRES}&ytSignature=${SIGNATURE.slice(0, 32)}`],
	['a signature and more', `?ytExpires=${EXPIRES}&ytSignature=${SIGNATURE}00`],
	['a signature in capitals', `?ytExpires=${EXPIRES}&ytSignature=${SIGNATURE.toUpperCase()}`],
	[
		'the signature twice',
		`?ytExpires=${EXPIRES}&ytSignature=${SIGNATURE}&ytSignature=${SIGNATURE}`,
	],
	['the expiry twice', `?ytExpires=${EXPIRES}&ytExpires=${EXPIRES}&ytSignature=${SIGNATURE}`],
	['an expiry that is no number', `?ytExpires=soon&ytSignature=${SIGNATURE}`],
	['an expiry below zero', `?ytExpires=-1&ytSignature=${SIGNATURE}`],
	['an expiry with an exponent', `?ytExpires=1e12&ytSignature=${SIGNATURE}`],
	['an endless expiry', `?ytExpires=Infinity&ytSignature=${SIGNATURE}`],
])('%s is refused', (_, parameters) => {
	expect(isTaken(`${TRIGGER}${parameters}`)).toBe(false);
});

it('is refused for another execution of the same n8n', () => {
	const signed = sign('https://n8n.example.com/webhook-waiting/231');
	expect(isTaken(signed)).toBe(true);
	expect(isTaken(signed.replace('/231', '/232'))).toBe(false);
	expect(isTaken(signed.replace('/webhook-waiting/231', '/webhook/231'))).toBe(false);
	expect(isTaken(signed.replace('/webhook-waiting/231', '/webhook-waiting/232/231'))).toBe(false);
});
