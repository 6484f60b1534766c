import {
	redactUrl,
	isSignedRelay,
	relayedAddress,
	resumeAddressIn,
	waitAddress,
	waitIdIn,
	correlationIdOf,
} from '../../../nodes/Yuntongxun/callbacks/callbackUrl';
import { signUrl } from '../../../nodes/Yuntongxun/callbacks/signedUrl';

const TOKEN = 'made-up-token';
const NOW = Date.UTC(2026, 0, 1);
const IN_AN_HOUR = NOW + 60 * 60 * 1000;
const RELAY = 'https://n8n.example.com/webhook/4f9c/call-result';
const N8N = 'http://n8n.internal:5678/webhook-waiting/231';
const RESUME = waitAddress(`${N8N}?signature=a%2Fb+c&x=%20`, 'w1');

const sign = (url: string, token = TOKEN, expiresAt = IN_AN_HOUR) => signUrl(url, token, expiresAt);

/** The address of a relay, its outer signature made or left out. */
const relayed = (inner: string, outer = sign, relay = RELAY) => relayedAddress(relay, inner, outer);
const unsigned = (url: string) => url;

describe('the address of a wait', () => {
	it.each([
		[N8N, `${N8N}/yuntongxun-result?ytWait=w1`],
		[`${N8N}?signature=abc`, `${N8N}/yuntongxun-result?signature=abc&ytWait=w1`],
		[`${N8N}?a=1%202#part`, `${N8N}/yuntongxun-result?a=1%202&ytWait=w1`],
	])('stands behind %s', (resumeUrl, address) => {
		expect(waitAddress(resumeUrl, 'w1')).toBe(address);
		expect(waitIdIn(sign(address))).toBe('w1');
	});

	it('has one key, whatever its expiry, and no other wait has it', () => {
		const key = correlationIdOf(sign(RESUME));
		expect(correlationIdOf(sign(RESUME, TOKEN, NOW))).toBe(key);
		expect(correlationIdOf(sign(waitAddress(`${N8N}?signature=a%2Fb+c&x=%20`, 'w2')))).not.toBe(
			key,
		);
		expect(waitIdIn(RELAY)).toBe('');
	});
});

describe('the address of a relay', () => {
	it.each([RELAY, `${RELAY}?a=1&b=%20x`, `${RELAY}#part`, `${RELAY}?a=1#part`])(
		'of %s carries the other one, byte for byte',
		(relay) => {
			const resume = sign(RESUME);
			const url = relayed(resume, sign, relay);
			expect(url.startsWith(relay.split('#')[0])).toBe(true);
			expect(resumeAddressIn(url)).toBe(resume);
			expect(resumeAddressIn(new URL(url).pathname + new URL(url).search)).toBe(resume);
		},
	);

	it.each([RELAY, `${RELAY}?a=1`, sign(RELAY), `${RELAY}?xytResume=1`])('%s is none', (url) => {
		expect(resumeAddressIn(url)).toBeUndefined();
	});
});

describe('an address that is shown', () => {
	it.each([
		['of a trigger', sign(`${RELAY}?a=1%202`), `${RELAY}?a=1%202`],
		['with a signature of somebody else', `${RELAY}?signature=abc`, `${RELAY}?signature=abc`],
		['of a wait', sign(RESUME), `${N8N}/yuntongxun-result?x=%20&ytWait=w1`],
		[
			'of a relay',
			relayed(sign(RESUME)),
			`${RELAY}?ytResume=${encodeURIComponent(`${N8N}/yuntongxun-result?x=%20&ytWait=w1`)}`,
		],
	])('%s holds no signature', (_, url, shown) => {
		expect(redactUrl(url)).toBe(shown);
	});
});

describe('a result may be relayed', () => {
	const may = (url: string) => isSignedRelay(url, TOKEN, NOW);
	const whole = relayed(sign(RESUME));

	it('if both addresses are signed', () => {
		expect(may(whole)).toBe(true);
	});

	it.each([
		['it carries no other address', sign(RELAY)],
		['only the inner one is signed', relayed(sign(RESUME), unsigned)],
		['only the outer one is signed', relayed(RESUME)],
		['neither is signed', relayed(RESUME, unsigned)],
		['the inner one is signed by another account', relayed(sign(RESUME, 'other'))],
		['the outer one is signed by another account', relayed(sign(RESUME), (url) => sign(url, 'x'))],
		['the outer one has expired', relayed(sign(RESUME), (url) => sign(url, TOKEN, NOW - 1000))],
		['the inner one has expired', relayed(sign(RESUME, TOKEN, NOW - 1000))],
		['the host of the inner one was changed', whole.replace('n8n.internal', 'evil.example.com')],
		['the wait of the inner one was changed', whole.replace('ytWait%3Dw1', 'ytWait%3Dw2')],
		[
			'another inner one was put in front',
			whole.replace('?', `?ytResume=${encodeURIComponent(sign(RESUME))}&`),
		],
		['the inner one is empty', sign(`${RELAY}?ytResume=`)],
	])('but not if %s', (_, url) => {
		expect(may(url)).toBe(false);
	});
});
