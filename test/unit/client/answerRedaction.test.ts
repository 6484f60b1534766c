import { createHash } from 'node:crypto';

import { parseCredential } from '../../../nodes/Yuntongxun/client/credential';
import { createRedactor } from '../../../nodes/Yuntongxun/client/answerRedaction';

const TIMESTAMP = '20260102110405';
const SID = 'a1'.repeat(16);
const TOKEN = 'b2'.repeat(16);
const ACCOUNT = parseCredential({
	accountSid: SID,
	authToken: TOKEN,
	baseUrl: 'https://example.com',
});
const SIG = createHash('md5').update(`${SID}${TOKEN}${TIMESTAMP}`).digest('hex').toUpperCase();
const AUTHORIZATION = Buffer.from(`${SID}:${TIMESTAMP}`).toString('base64');
const AUTHORIZATION_LATER = Buffer.from(`${SID}:20391231235959`).toString('base64');

const redacted = (text: string, name = 'statusMsg') =>
	createRedactor(ACCOUNT)({ [name]: text })[name];

it.each([
	['the token', TOKEN],
	['the token in capitals', TOKEN.toUpperCase()],
	['the signature', SIG],
	['the Authorization value', AUTHORIZATION],
	['an Authorization of another second', AUTHORIZATION_LATER],
])('takes out %s, and leaves the rest', (_what, secret) => {
	expect(redacted(`said ${secret}, twice ${secret}.`)).toBe('said ***, twice ***.');
});

it.each([
	['in an address', `https://example.com/x?sig=${SIG}&y=1`, 'https://example.com/x?sig=***&y=1'],
	['escaped', `?sig%3D${SIG}`, '?sig%3D***'],
	['in JSON', `{"sig":"${SIG}"}`, '{"sig":"***"}'],
	['in words', `the signature: ${SIG.toLowerCase()}.`, 'the signature: ***.'],
])('takes the signature behind its name out of any member: %s', (_where, text, shown) => {
	expect(redacted(text, 'note')).toBe(shown);
});

it('leaves an ID that looks like a signature', () => {
	expect(redacted(SIG, 'subToken')).toBe(SIG);
	expect(redacted(SIG, 'callSid')).toBe(SIG);
});

it('leaves other words if the Account SID is very short', () => {
	const short = parseCredential({
		accountSid: 'a',
		authToken: TOKEN,
		baseUrl: 'https://example.com',
	});
	const text = `said ${Buffer.from(`a:${TIMESTAMP}`).toString('base64')} twice`;
	expect(createRedactor(short)({ text }).text).toBe('said *** twice');
});

it.each(['0'.repeat(32), 'c3'.repeat(16), '20260102110405', '短信验证码', ''])(
	'leaves %j, which is no secret',
	(text) => {
		expect(redacted(text)).toBe(text);
	},
);

it.each([
	['a code', { statusCode: 'E384512' }, { statusCode: 'E***' }],
	['a longer number', { statusCode: '1384512' }, { statusCode: '1***' }],
	['what should be a date', { dateCreated: 'code384512' }, { dateCreated: 'code***' }],
	['the service’s words', { statusMsg: '验证码384512x' }, { statusMsg: '验证码***x' }],
	['a member nobody knows', { note: 'is384512.' }, { note: 'is***.' }],
	['an id that is the code', { callSid: 'ab-384512' }, { callSid: 'ab-***' }],
])('takes the code that was sent out of %s', (_what, answer, shown) => {
	expect(createRedactor(ACCOUNT, ['384512'])(answer)).toEqual(shown);
});

it.each([
	['the code of success', { statusCode: ' 000000 ' }, '000000'],
	['a known code of failure', { statusCode: '160042' }, '6004'],
	['the year of a date', { dateCreated: '2026-01-02 09:30:00' }, '2026'],
	['the digits of a date', { dateCreated: '20260102110405' }, '0102'],
	['the id of a call', { callSid: 'ab0102cd', orderid: '010200' }, '0102'],
	['the id of an SMS', { smsMessageSid: '010200' }, '0102'],
])('leaves %s, which a random code can be', (_what, answer, code) => {
	expect(createRedactor(ACCOUNT, [code])(answer)).toEqual(answer);
});

it('leaves objects and lists alone', () => {
	const object = { inner: { text: TOKEN }, list: [TOKEN] };
	expect(createRedactor(ACCOUNT)(object)).toEqual(object);
});
