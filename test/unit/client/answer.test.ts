import { createHash } from 'node:crypto';

import { parseCredential } from '../../../nodes/Yuntongxun/client/credential';
import { redact as redactFor } from '../../../nodes/Yuntongxun/client/answer';

const TIMESTAMP = '20260102110405';
const SID = 'a1'.repeat(16);
// It does not look like a signature, which is taken out by its look.
const TOKEN = 'y2'.repeat(16);
const ACCOUNT = parseCredential({
	accountSid: SID,
	authToken: TOKEN,
	baseUrl: 'https://example.com',
});
const SIG = createHash('md5').update(`${SID}${TOKEN}${TIMESTAMP}`).digest('hex').toUpperCase();
const AUTHORIZATION = Buffer.from(`${SID}:${TIMESTAMP}`).toString('base64');
const AUTHORIZATION_LATER = Buffer.from(`${SID}:20391231235959`).toString('base64');

const redact = (words: string) => redactFor(words, ACCOUNT);

it.each([
	['the token', TOKEN],
	['the token in capitals', TOKEN.toUpperCase()],
	['the signature', SIG],
	['the signature in small letters', SIG.toLowerCase()],
	['the Authorization value', AUTHORIZATION],
	['an Authorization of another second', AUTHORIZATION_LATER],
])('takes out %s, and leaves the rest', (_what, secret) => {
	expect(redact(`said ${secret}, twice ${secret}.`)).toBe('said ***, twice ***.');
});

it.each([
	['in an address', `https://example.com/x?sig=${SIG}&y=1`, 'https://example.com/x?sig=***&y=1'],
	['escaped', `?sig%3D${SIG}`, '?sig%***'],
	['in JSON', `{"sig":"${SIG}"}`, '{"sig":"***"}'],
])('takes out the signature %s', (_where, text, shown) => {
	expect(redact(text)).toBe(shown);
});

it.each(['a', 'ab', 'abc', 'abcd'])('leaves other words if the Account SID is %j', (accountSid) => {
	const short = { ...ACCOUNT, accountSid };
	const text = `said ${Buffer.from(`${accountSid}:${TIMESTAMP}`).toString('base64')} twice`;
	expect(redactFor(text, short)).toBe('said *** twice');
});

it.each(['0'.repeat(32), '15060215502645320001000300000001', '20260102110405', '短信验证码', ''])(
	'leaves %j, which is no secret',
	(text) => {
		expect(redact(text)).toBe(text);
	},
);

it('takes out the code that was sent', () => {
	expect(redactFor('验证码384512x $&', ACCOUNT, ['384512', '$&'])).toBe('验证码***x ***');
});
