import { createHash } from 'node:crypto';

import { parseCredential } from '../../../nodes/Yuntongxun/client/credential';
import { createRedactors } from '../../../nodes/Yuntongxun/client/answerRedaction';

const NOW = Date.parse('2026-01-02T03:04:05.900Z');
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

const AT_ONCE = { began: NOW, ended: NOW };

const redacted = (text: string, secrets: string[] = [], exchange = AT_ONCE) =>
	createRedactors(ACCOUNT)(exchange, secrets)({ text }).text;

it.each([
	['the token', TOKEN],
	['the token in capitals', TOKEN.toUpperCase()],
	['the signature', SIG],
	['the signature in small letters', SIG.toLowerCase()],
	['the Authorization value', AUTHORIZATION],
])('takes out %s, and leaves the rest', (_what, secret) => {
	expect(redacted(`said ${secret}, twice ${secret}.`)).toBe('said ***, twice ***.');
});

it('finds the signature of a request that was answered late', () => {
	for (const began of [NOW + 999, NOW - 1, NOW - 3000, NOW - 29_950]) {
		const exchange = { began, ended: began + 30_000 };
		expect(redacted(`${SIG} ${AUTHORIZATION}`, [], exchange)).toBe('*** ***');
	}
});

it('takes out the signature right behind other hexadecimal digits', () => {
	expect(redacted(`${TIMESTAMP}${SIG}${SIG}0`)).toBe(`${TIMESTAMP}******0`);
});

it('leaves other words if the Account SID is very short', () => {
	const short = parseCredential({
		accountSid: 'a',
		authToken: TOKEN,
		baseUrl: 'https://example.com',
	});
	const text = `said ${Buffer.from(`a:${TIMESTAMP}`).toString('base64')} twice`;
	expect(createRedactors(short)(AT_ONCE)({ text }).text).toBe('said *** twice');
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
	expect(createRedactors(ACCOUNT)(AT_ONCE, ['384512'])(answer)).toEqual(shown);
});

it.each([
	['the code of success', { statusCode: ' 000000 ' }, '000000'],
	['a known code of failure', { statusCode: '160042' }, '6004'],
	['the year of a date', { dateCreated: '2026-01-02 09:30:00' }, '2026'],
	['the digits of a date', { dateCreated: '20260102110405' }, '0102'],
	['the id of a call', { callSid: 'ab0102cd', orderid: '010200' }, '0102'],
	['the id of an SMS', { smsMessageSid: '010200' }, '0102'],
])('leaves %s, which a random code can be', (_what, answer, code) => {
	expect(createRedactors(ACCOUNT)(AT_ONCE, [code])(answer)).toEqual(answer);
});

it('leaves objects and lists alone', () => {
	const object = { inner: { text: TOKEN }, list: [TOKEN] };
	expect(createRedactors(ACCOUNT)(AT_ONCE)(object)).toEqual(object);
});
