import {
	createAccountReader,
	parseCredential,
	buildOperationUrl,
	equalsSecret,
	parseBaseUrl,
	UnusableCredential,
} from '../../../nodes/Yuntongxun/client/credential';

const CREDENTIAL = {
	accountSid: 'sid-of-the-test',
	authToken: 'made-up-token',
	appId: 'app-of-the-test',
	baseUrl: 'https://app.cloopen.com:8883',
	softVersion: '2030-01-01',
	wireFormat: 'xml',
};

describe('parseCredential', () => {
	it('reads every field, without the blanks around it', () => {
		const spaced = Object.fromEntries(
			Object.entries(CREDENTIAL).map(([name, value]) => [name, ` \t${value}\r\n`]),
		);
		const baseUrl = new URL('https://app.cloopen.com:8883');
		expect(parseCredential(spaced)).toEqual({ ...CREDENTIAL, baseUrl });
	});

	it.each([
		['accountSid', 'Account SID'],
		['authToken', 'Auth Token'],
	])('refuses a credential without %s', (field, label) => {
		for (const nothing of ['', '   ', undefined]) {
			expect(() => parseCredential({ ...CREDENTIAL, [field]: nothing })).toThrow(
				new UnusableCredential(`${label} is empty in the Yuntongxun API credential`),
			);
		}
	});

	it('needs no App ID, and knows the version', () => {
		const { accountSid, authToken, baseUrl } = CREDENTIAL;
		expect(parseCredential({ accountSid, authToken, baseUrl })).toMatchObject({
			appId: '',
			softVersion: '2013-12-26',
			wireFormat: 'json',
		});
	});

	it('takes the format JSON or XML, and JSON for anything else', () => {
		for (const wireFormat of ['json', 'xml']) {
			expect(parseCredential({ ...CREDENTIAL, wireFormat })).toMatchObject({ wireFormat });
		}
		expect(parseCredential({ ...CREDENTIAL, wireFormat: 'yaml' }).wireFormat).toBe('json');
	});
});

describe('parseBaseUrl', () => {
	it.each([
		['a host', 'https://example.com', 'https://example.com/'],
		['a path', 'https://example.com/a/b', 'https://example.com/a/b'],
		['capitals', 'HTTPS://Example.COM', 'https://example.com/'],
		['an address of version 6', 'https://[::1]:8883', 'https://[::1]:8883/'],
	])('takes %s', (_what, text, href) => {
		expect(parseBaseUrl(text).href).toBe(href);
	});

	it.each([
		['nothing', ''],
		['no scheme', 'app.cloopen.com:8883'],
		['no host', 'https://'],
		['no encryption', 'http://app.cloopen.com:8883'],
		['a script', 'javascript:https://app.cloopen.com'],
		['a port that is none', 'https://app.cloopen.com:99999'],
		['a user name', 'https://user@app.cloopen.com'],
		['a query', 'https://app.cloopen.com/?a=1'],
		['an empty query', 'https://app.cloopen.com?'],
		['a hash', 'https://app.cloopen.com/#a'],
		['an empty hash', 'https://app.cloopen.com#'],
		['no slashes', 'https:app.cloopen.com:8883'],
		['three slashes', 'https:///app.cloopen.com'],
		['slashes the wrong way', 'https:\\\\app.cloopen.com'],
		['a line feed within', 'https://app.cloo\npen.com'],
	])('refuses %s', (_what, text) => {
		expect(() => parseBaseUrl(text)).toThrow(UnusableCredential);
		expect(() => parseBaseUrl(text)).toThrow(
			new UnusableCredential(
				'Base URL in the Yuntongxun API credential must be an address that begins with https://, without a user name, question mark or hash, for example https://app.cloopen.com:8883',
			),
		);
	});
});

describe('buildOperationUrl', () => {
	const urlFor = (changes: Partial<typeof CREDENTIAL>) =>
		buildOperationUrl(parseCredential({ ...CREDENTIAL, ...changes }), 'Calls/VoiceVerify');

	it.each([
		['https://example.com//', 'https://example.com'],
		['https://example.com/a/b//', 'https://example.com/a/b'],
	])('puts the operation below %s', (baseUrl, prefix) => {
		expect(urlFor({ baseUrl })).toBe(
			`${prefix}/2030-01-01/Accounts/sid-of-the-test/Calls/VoiceVerify`,
		);
	});

	it.each([
		['a/../b?c#d e', 'a%2F..%2Fb%3Fc%23d%20e'],
		['..a', '..a'],
		['a..', 'a..'],
	])('keeps an odd account id within its segment: %s', (accountSid, segment) => {
		expect(urlFor({ accountSid })).toBe(
			`https://app.cloopen.com:8883/2030-01-01/Accounts/${segment}/Calls/VoiceVerify`,
		);
	});

	it.each([
		['accountSid', 'Account SID', '.'],
		['accountSid', 'Account SID', ' ..'],
		['accountSid', 'Account SID', 'a\ud83d'],
		['softVersion', 'Software Version', '..'],
	])('refuses %s, which would not stay within its segment', (field, label, value) => {
		expect(() => urlFor({ [field]: value })).toThrow(
			new UnusableCredential(
				`${label} in the Yuntongxun API credential has characters that do not fit into an address: copy it again`,
			),
		);
	});
});

it('the account of a run is parsed once, when it is first asked for', () => {
	const read = createAccountReader(CREDENTIAL);
	expect(read()).toBe(read());
	expect(createAccountReader({ ...CREDENTIAL, authToken: '' })).toThrow(UnusableCredential);
});

it('a secret equals itself alone', () => {
	const texts = ['s3cret', 's3creT', 's3cre', 's3crets', ''];
	expect(texts.map((text) => equalsSecret(text, 's3cret'))).toEqual([
		true,
		...[false, false, false, false],
	]);
});
