import {
	buildRelayUrl,
	buildResumeUrl,
	buildStartUrl,
	getExecutionId,
	hashSecret,
	holdsSecret,
	isPlainTriggerUrl,
	redactUrl,
	toResumeKey,
	unpackResumeKey,
} from '../../../nodes/Yuntongxun/callbacks/callbackUrl';
import { openUrl } from '../../support/sealing';

const ACCOUNT = { accountSid: 'made-up', authToken: 'made-up-token' };
const BASE = 'http://n8n.internal:5678/webhook-waiting';
const UUID = '3f6f5d58-8f2c-4f43-9a10-6e4ce1f2a001';
const TRIGGER = `https://n8n.example.com/webhook/${UUID}/yuntongxun`;
const SECRET = Buffer.from('0123456789abcdef');
const IN_URL = 'MDEyMzQ1Njc4OWFiY2RlZg';
const N8N_TOKEN = 'ab'.repeat(32);
const EXPIRES = 1_800_000_000;

describe('the address of a wait', () => {
	it.each([
		[`${BASE}/231`, `${BASE}/231/yuntongxun-result?ytWait=${IN_URL}`],
		[
			`${BASE}/231?signature=${N8N_TOKEN}`,
			`${BASE}/231/yuntongxun-result?signature=${N8N_TOKEN}&ytWait=${IN_URL}`,
		],
		[`${BASE}/231?a=1%202`, `${BASE}/231/yuntongxun-result?a=1%202&ytWait=${IN_URL}`],
	])('stands behind %s, and its key travels in a token', (resumeUrl, address) => {
		const key = toResumeKey(resumeUrl, SECRET);
		expect(buildResumeUrl(BASE, key)).toBe(address);
		expect(getExecutionId(address)).toBe('231');

		const relayed = buildRelayUrl(TRIGGER, key, EXPIRES * 1000, ACCOUNT);
		const { payload, ...rest } = openUrl(relayed, ACCOUNT);
		expect(rest).toEqual({ purpose: 'wait', expires: EXPIRES });
		expect(buildResumeUrl('https://other.example.com/w', unpackResumeKey(payload))).toBe(
			address.replace(BASE, 'https://other.example.com/w'),
		);
	});

	it('shows neither the execution nor a secret at the trigger, in at most 255 characters', () => {
		const trigger = `https://${'n'.repeat(30)}/webhook/${UUID}/yuntongxun`;
		const key = toResumeKey(`${BASE}/9876543210?signature=${N8N_TOKEN}`, SECRET);
		const url = buildRelayUrl(trigger, key, EXPIRES * 1000, ACCOUNT);
		expect(url.length).toBeLessThanOrEqual(255);
		expect(url).not.toMatch(/9876543210|abab|signature|MDEy/);
	});

	it('names an execution only if it has a path', () => {
		expect(getExecutionId('231')).toBe('');
	});

	it.each([
		['its secret', `/a?x=1&ytWait=${IN_URL}`, true],
		['another secret', '/a?ytWait=AAAAAAAAAAAAAAAAAAAAAA', false],
		['a part of it', `/a?ytWait=${IN_URL.slice(0, -3)}`, false],
		['the hash of it', `/a?ytWait=${hashSecret(SECRET)}`, false],
		['none', '/a', false],
	])('lets in who has its secret, of which only a hash is stored: %s', (_, url, expected) => {
		expect(holdsSecret(url, hashSecret(SECRET))).toBe(expected);
		expect(hashSecret(SECRET)).toHaveLength(43);
	});
});

it('the address that starts a trigger is good for a day', () => {
	jest.useFakeTimers({ now: (EXPIRES - 86_400) * 1000 });
	const { purpose, expires, payload } = openUrl(buildStartUrl(TRIGGER, ACCOUNT), ACCOUNT);
	jest.useRealTimers();
	expect([purpose, expires, payload.length]).toEqual(['start', EXPIRES, 0]);
});

it.each([
	[TRIGGER, true],
	[`${TRIGGER}/`, true],
	[`${TRIGGER}?a=1`, true],
	[TRIGGER.replace('/webhook/', '/n8n/webhook-test/'), true],
	[TRIGGER.replace(UUID, UUID.toUpperCase()), true],
	[buildStartUrl(TRIGGER, ACCOUNT), false],
	['https://example.com/results/yuntongxun', false],
	[`https://example.com/${UUID}/other`, false],
	[`https://example.com/?to=/${UUID}/yuntongxun`, false],
])('%s is the address of a trigger without a token: %s', (url, expected) => {
	expect(isPlainTriggerUrl(url)).toBe(expected);
});

it.each([
	['a trigger', buildStartUrl(`${TRIGGER}?a=1%202`, ACCOUNT), `${TRIGGER}?a=1%202`],
	['a trigger without parameters', buildStartUrl(TRIGGER, ACCOUNT), TRIGGER],
	['something else', `${TRIGGER}?my-signature=a&signature=b&c=d`, `${TRIGGER}?my-signature=a&c=d`],
	[
		'a wait',
		buildResumeUrl(BASE, toResumeKey(`${BASE}/231?signature=ab`, SECRET)),
		`${BASE}/231/yuntongxun-result`,
	],
])('shows no secret in the address of %s', (_, url, shown) => {
	expect(redactUrl(url)).toBe(shown);
});
