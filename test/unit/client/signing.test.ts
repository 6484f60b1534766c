import type { IHttpRequestOptions } from 'n8n-workflow';

import { UnusableCredential } from '../../../nodes/Yuntongxun/client/credential';
import { sign, signRequest } from '../../../nodes/Yuntongxun/client/signing';

/** n8n's own HTTP Request node names the address `uri`, and has forms beside `body`. */
type OlderOptions = Omit<IHttpRequestOptions, 'url'> & {
	uri?: string;
	form?: object;
	formData?: object;
};

const CREDENTIAL = {
	accountSid: 'sid-of-the-test',
	authToken: 'made-up-token',
	baseUrl: 'https://service.example.com:8883/gate',
};
const NOW = new Date('2024-01-01T00:00:00Z');
const { sig, authorization } = sign('sid-of-the-test', 'made-up-token', '20240101080000');
const SIGNED_URL = 'https://service.example.com:8883/gate/2013-12-26/Accounts/1/AccountInfo';

/** What is added to a request without headers and body. */
const USUAL = {
	Accept: 'application/json',
	'Content-Type': 'application/json;charset=utf-8',
	'Content-Length': '0',
};

/** As n8n 1 and 2 ask by themselves. */
const N8N_ACCEPTS = [
	'application/json,text/*;q=0.99',
	'application/json,text/html,application/xhtml+xml,application/xml,text/*;q=0.9, image/*;q=0.8, */*;q=0.7',
];

const signed = (options: OlderOptions & { url?: string }, credential = CREDENTIAL) =>
	signRequest(credential, options as IHttpRequestOptions, NOW);

describe('signRequest', () => {
	it('adds both values, made with one timestamp, and changes nothing else', () => {
		const options = {
			url: SIGNED_URL,
			method: 'POST' as const,
			body: 'the body',
			headers: { Accept: 'application/xml', 'content-type': '', 'X-Other': '1' },
			qs: { page: '1' },
		};
		expect(signed(options)).toEqual({
			...options,
			headers: { ...options.headers, Authorization: authorization },
			qs: { page: '1', sig },
		});
	});

	it.each([
		['?sig=OLD', ''],
		['?sig=OLD&page=1', '?page=1'],
		['?page=1&sig=OLD', '?page=1'],
		['?sig=OLD&sig=OLDER&page=1', '?page=1'],
		['?design=1', '?design=1'],
		['?page=1&sig=OLD&a=2', '?page=1&a=2'],
		['?page=1?a=2&sig=OLD', '?page=1?a=2'],
	])('takes an older sig out of the address: %s', (query, left) => {
		expect(signed({ url: SIGNED_URL + query }).url).toBe(SIGNED_URL + left);
		const { uri } = signed({ uri: SIGNED_URL + query }) as OlderOptions;
		expect(uri).toBe(SIGNED_URL + left);
	});

	it('replaces any other login', () => {
		const auth = { username: 'somebody', password: 'else' };
		expect(signed({ url: SIGNED_URL, auth })).not.toHaveProperty('auth');
	});

	it.each(['Authorization', 'authorization', 'AUTHORIZATION', 'aUTHORIZATION'])(
		'replaces an older %s',
		(name) => {
			const { headers } = signed({ url: SIGNED_URL, headers: { [name]: 'old', 'X-Other': '1' } });
			expect(headers).toEqual({ ...USUAL, Authorization: authorization, 'X-Other': '1' });
		},
	);

	it.each<[string, OlderOptions, object]>([
		['no body', {}, USUAL],
		['a body that is null', { body: null } as OlderOptions, USUAL],
		['a body', { body: { to: '13800000000' } }, { ...USUAL, 'Content-Length': undefined }],
		['a length of its own', { headers: { 'content-length': 0 } }, { 'content-length': 0 }],
		['a form', { form: { a: '1' } }, { 'Content-Type': undefined }],
		['a form with files', { formData: {} }, { 'Content-Type': undefined }],
	])('adds the headers that the service asks for to a request with %s', (_what, options, more) => {
		const { headers } = signed({ url: SIGNED_URL, ...options });
		const { Accept, 'Content-Type': type } = USUAL;
		expect(headers).toEqual({
			Accept,
			'Content-Type': type,
			...more,
			Authorization: authorization,
		});
	});

	it.each(N8N_ACCEPTS)("asks only for JSON if n8n's node asks for anything: %s", (accept) => {
		expect(signed({ url: SIGNED_URL, headers: { accept } }).headers).toMatchObject(USUAL);
		expect(signed({ url: SIGNED_URL, headers: { accept } }).headers).not.toHaveProperty('accept');
		const others = { Accept: accept, 'X-Types': accept };
		const { headers } = signed({ url: SIGNED_URL, headers: others });
		expect(headers).toMatchObject({ ...USUAL, 'X-Types': accept });
	});

	it('replaces its own earlier signature in new options', () => {
		const first = signed({ url: SIGNED_URL });
		const before = structuredClone(first);
		const later = sign('sid-of-the-test', 'made-up-token', '20240101080001');
		expect(signRequest(CREDENTIAL, first, new Date('2024-01-01T00:00:01Z'))).toEqual({
			url: SIGNED_URL,
			headers: { ...USUAL, Authorization: later.authorization },
			qs: { sig: later.sig },
		});
		expect(first).toEqual(before);
	});
});

describe('the credential', () => {
	it.each<[string, OlderOptions & { url?: string }]>([
		['the address as uri', { uri: SIGNED_URL }],
		['a path below baseURL', { baseURL: 'https://service.example.com:8883', url: '/gate/x' }],
		['a bare name below baseURL', { baseURL: 'https://service.example.com:8883/', url: 'x' }],
		['a colon and slashes below baseURL', { baseURL: CREDENTIAL.baseUrl, url: '/x/a:b//c' }],
		['an address in the query', { baseURL: CREDENTIAL.baseUrl, url: '/x?to=https://a.example' }],
		['a whole address beside another baseURL', { baseURL: 'https://a.example', url: SIGNED_URL }],
	])('signs %s', (_what, options) => {
		expect(signed(options)).toMatchObject({ qs: { sig } });
	});

	it('signs for the standard port, written or not', () => {
		const credential = { ...CREDENTIAL, baseUrl: 'https://service.example.com' };
		expect(signed({ url: 'https://service.example.com:443/x' }, credential).qs).toEqual({ sig });
	});

	it.each<[string, OlderOptions & { url?: string }]>([
		['another host', { url: 'https://example.com:8883/x' }],
		['the host as user name', { url: 'https://service.example.com:8883@example.org/x' }],
		['another port', { url: 'https://service.example.com/x' }],
		['no encryption', { url: 'http://service.example.com:8883/x' }],
		['another host as uri', { uri: 'https://example.com:8883/x' }],
		['a request with a baseURL alone', { baseURL: CREDENTIAL.baseUrl }],
		['another host as baseURL', { baseURL: 'https://example.com:8883', url: '/x' }],
		['another host beside baseURL', { baseURL: CREDENTIAL.baseUrl, url: 'https://example.com/' }],
		['a host without scheme', { baseURL: CREDENTIAL.baseUrl, url: '//example.com/x' }],
		['a scheme with a digit', { baseURL: CREDENTIAL.baseUrl, url: 'h2:x' }],
		['no slashes', { baseURL: CREDENTIAL.baseUrl, url: 'https:service.example.com:8883/x' }],
		['two backslashes', { baseURL: CREDENTIAL.baseUrl, url: '\\\\example.com\\x' }],
		['a path of nowhere', { url: '/gate/x' }],
		['no address', {}],
		['a broken address', { url: 'https://[' }],
	])('does not sign %s', (_what, options) => {
		expect(() => signed(options)).toThrow(
			new UnusableCredential(
				'The Yuntongxun API credential signs requests to its own Base URL only',
			),
		);
	});
});

// printf %s "账号密钥20240601000000" | openssl md5 | tr a-f A-F
// printf %s "账号:20240601000000" | base64 -w0
it('a signature is what openssl and base64 make of id, token and timestamp in UTF-8', () => {
	expect(sign('账号', '密钥', '20240601000000')).toEqual({
		sig: '99B4FA35EA01B8278211F9DEC457693B',
		authorization: '6LSm5Y+3OjIwMjQwNjAxMDAwMDAw',
	});
});
