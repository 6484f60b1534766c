import {
	getExecutionId,
	parseCallbackAddress,
	parseResumeAddress,
	redactUrl,
	TRIGGER_PATH,
	buildRelayAddress,
	buildWaitAddress,
} from '../../../nodes/Yuntongxun/callbacks/callbackUrl';
import { signUrl } from '../../../nodes/Yuntongxun/callbacks/signedUrl';

const ACCOUNT = { accountSid: 'made-up', authToken: 'made-up-token' };
const NOW = Date.UTC(2026, 0, 1);
const IN_AN_HOUR = NOW + 60 * 60 * 1000;
const RELAY = 'https://n8n.example.com/webhook/4f9c/yuntongxun';
const N8N = 'http://n8n.internal:5678/webhook-waiting/231';
const RESUME = buildWaitAddress(`${N8N}?signature=a%2Fb+c&x=%20`, 'w1');

const sign = (url: string, expiresAt = IN_AN_HOUR) => signUrl(url, ACCOUNT, expiresAt);

const relayed = (inner: string, relay = RELAY) => sign(buildRelayAddress(relay, inner));

describe('the address of a wait', () => {
	it.each([
		[N8N, `${N8N}/yuntongxun-result?ytWait=w1`],
		[`${N8N}?signature=abc`, `${N8N}/yuntongxun-result?signature=abc&ytWait=w1`],
		[`${N8N}?a=1%202#part`, `${N8N}/yuntongxun-result?a=1%202&ytWait=w1`],
	])('stands behind %s', (resumeUrl, address) => {
		expect(buildWaitAddress(resumeUrl, 'w1')).toBe(address);
		const read = parseResumeAddress(sign(address));
		expect(read).toMatchObject({ waitId: 'w1', expiresAt: IN_AN_HOUR });
		expect(getExecutionId(read)).toBe('231');
	});

	it('tells which wait it belongs to, if any', () => {
		expect(parseResumeAddress(sign(RESUME, NOW)).waitId).toBe('w1');
		expect(parseResumeAddress(RELAY).waitId).toBe('');
	});

	it('names an execution only if it has a path', () => {
		expect(getExecutionId(parseResumeAddress('231'))).toBe('');
	});
});

describe('the address of a relay', () => {
	it.each([RELAY, `${RELAY}?a=1&b=%20x`, `${RELAY}#part`, `${RELAY}?a=1#part`])(
		'of %s carries the other one, byte for byte',
		(relay) => {
			const resume = sign(RESUME);
			const url = relayed(resume, relay);
			expect(url.startsWith(relay.split('#')[0])).toBe(true);
			expect(parseCallbackAddress(url).resume?.url).toBe(resume);
			expect(parseCallbackAddress(new URL(url).pathname + new URL(url).search).resume).toEqual(
				parseResumeAddress(resume),
			);
		},
	);

	it.each([RELAY, `${RELAY}?a=1`, sign(RELAY), `${RELAY}?xytResume=1`])('%s is none', (url) => {
		expect(parseCallbackAddress(url).resume).toBeUndefined();
	});
});

it.each([
	['a trigger', sign(`${RELAY}?a=1%202`), `${RELAY}?a=1%202`],
	['a trigger without parameters', sign(RELAY), RELAY],
	['something else', `${RELAY}?my-signature=a&signature=b&c=d`, `${RELAY}?my-signature=a&c=d`],
	['a wait', sign(RESUME), `${N8N}/yuntongxun-result?x=%20&ytWait=w1`],
	['a relay', relayed(sign(RESUME)), RELAY],
])('shows no signature in the address of %s', (_, url, shown) => {
	expect(redactUrl(url)).toBe(shown);
});

it('a trigger keeps its path, which is part of the address in the service’s console', () => {
	expect(TRIGGER_PATH).toBe('yuntongxun');
});
