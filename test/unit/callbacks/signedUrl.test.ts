import {
	isSigned,
	parseSignedUrl,
	SIGNED_URL_LIFETIME_MS,
	signUrl,
} from '../../../nodes/Yuntongxun/callbacks/signedUrl';

const TOKEN = 'made-up-token';
const ACCOUNT = { accountSid: 'made-up', authToken: TOKEN };
/** Seconds since 1970, and the moment in milliseconds. */
const EXPIRES = 1_800_000_000;
const EXPIRES_AT = EXPIRES * 1000;
const BEFORE = EXPIRES_AT - 1;
const TRIGGER = 'https://n8n.example.com/webhook/4f9c/yuntongxun';

const sign = (url: string) => signUrl(url, ACCOUNT, EXPIRES_AT);
const isTaken = (url: string, account = ACCOUNT, now = BEFORE) =>
	isSigned(parseSignedUrl(url), account, now);

// Each worked out outside of the package, the expiry being 1800000000:
// KEY=$(openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt key:made-up-token -kdfopt salt:made-up \
//   -kdfopt 'info:n8n-nodes-yuntongxun result URLs' -binary HKDF | xxd -p -c 64)
// printf '%s' '["result URL","1800000000",<path>,<other parameters>]' |
//   openssl dgst -sha256 -mac hmac -macopt hexkey:$KEY
describe('the signature is what openssl makes of expiry, path and other parameters', () => {
	it.each([
		// "/4f9c/yuntongxun",[]
		[TRIGGER, '?', 'ad7421e7a82877c3f5f2df62408fc46c69bf9fada0f0e288197360f802de44f1'],
		// "/4f9c/yuntongxun",[["a","1"],["b"," x"]]
		[
			`${TRIGGER}?a=1&b=%20x`,
			'&',
			'479e8962c7076a527e6539e394e94a90b5b74cc182615913e3fe16a5250f820c',
		],
		// "/webhook-waiting/231",[["signature","abc"]]
		[
			'https://n8n.example.com/webhook-waiting/231?signature=abc',
			'&',
			'9eb8a4e46ba9d32f41ac488ba53a244b562ef65c108e1d946c11d12c97911086',
		],
	])('%s', (url, separator, signature) => {
		expect(sign(url)).toBe(`${url}${separator}ytExpires=${EXPIRES}&ytSignature=${signature}`);
		expect(isTaken(sign(url))).toBe(true);
	});
});

describe('a signed address', () => {
	it('is taken until it expires, and no second longer', () => {
		expect(isTaken(sign(TRIGGER), ACCOUNT, EXPIRES_AT)).toBe(true);
		expect(isTaken(sign(TRIGGER), ACCOUNT, EXPIRES_AT + 999)).toBe(true);
		expect(isTaken(sign(TRIGGER), ACCOUNT, EXPIRES_AT + 1000)).toBe(false);
	});

	it('is refused with another token, and with another account', () => {
		expect(isTaken(sign(TRIGGER), { ...ACCOUNT, authToken: `${TOKEN}x` })).toBe(false);
		expect(isTaken(sign(TRIGGER), { ...ACCOUNT, accountSid: 'other' })).toBe(false);
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
	['a signature and a digit more', `?ytExpires=${EXPIRES}&ytSignature=${SIGNATURE}0`],
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

describe('an address of an n8n whose segments have other names', () => {
	const SIGNED_ENDING = 'ad7421e7a82877c3f5f2df62408fc46c69bf9fada0f0e288197360f802de44f1';

	it('is signed from its last two segments on', () => {
		const url = 'https://n8n.example.com/tools/hooks/4f9c/yuntongxun';
		expect(sign(url)).toBe(`${url}?ytExpires=${EXPIRES}&ytSignature=${SIGNED_ENDING}`);
	});

	it.each(['/hooks/4f9c/yuntongxun', '/4f9c/yuntongxun', '/webhook/4f9c/yuntongxun'])(
		'is taken wherever a proxy lets it arrive: %s',
		(path) => {
			const query = `?ytExpires=${EXPIRES}&ytSignature=${SIGNED_ENDING}`;
			expect(isTaken(`${path}${query}`)).toBe(true);
			expect(isTaken(`${path.replace('4f9c', '77aa')}${query}`)).toBe(false);
			expect(isTaken(`${path.replace('yuntongxun', 'other')}${query}`)).toBe(false);
		},
	);
});

it('is signed whole, where a parameter holds a question mark', () => {
	const signed = sign(`${TRIGGER}?a=x?y`);
	expect(isTaken(signed)).toBe(true);
	expect(isTaken(signed.replace('x?y', 'xy'))).toBe(false);
});

it.each([
	['no segment', ''],
	['one segment', '/4f9c'],
	['segments like the beginning of an address', '/a://b/4f9c'],
])('an address is taken with any host, and with none, where its path has %s', (_, path) => {
	const [, query] = sign(`HTTPS://n8n.example.com${path}`).split('?');
	for (const host of ['https://other.example.com', '']) {
		expect(isTaken(`${host}${path}?${query}`)).toBe(true);
	}
});

it('a signed address is good for 24 hours', () => {
	expect(SIGNED_URL_LIFETIME_MS).toBe(86_400_000);
});
