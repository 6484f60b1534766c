import {
	buildStartUrl,
	isPlainTriggerUrl,
	redactUrl,
} from '../../../nodes/Yuntongxun/callbacks/callbackUrl';
import { openUrl } from '../../support/sealing';

const ACCOUNT = { accountSid: 'made-up', authToken: 'made-up-token' };
const UUID = '3f6f5d58-8f2c-4f43-9a10-6e4ce1f2a001';
const TRIGGER = `https://n8n.example.com/webhook/${UUID}/yuntongxun`;
const EXPIRES = 1_800_000_000;

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
		'https://n8n.example.com/webhook-waiting/231/yuntongxun-result?signature=ab&ytWait=cd',
		'https://n8n.example.com/webhook-waiting/231/yuntongxun-result',
	],
])('shows no secret in the address of %s', (_, url, shown) => {
	expect(redactUrl(url)).toBe(shown);
});
