import {
	addToken,
	buildStartUrl,
	findToken,
	isPlainTriggerUrl,
	openToken,
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

/** Webhook ids as n8n, its users, tools and models make them, and how they go out. */
const WEBHOOK_IDS: Array<[string, string]> = [
	[UUID, UUID],
	['webhook-001', 'webhook-001'],
	['call-results', 'call-results'],
	['通话结果', encodeURIComponent('通话结果')],
	['Ärger 1', '%C3%84rger%201'],
	['{{id}}', '%7B%7Bid%7D%7D'],
	['😀', encodeURIComponent('😀')],
	['a%2Fb', 'a%2Fb'],
	['100%', '100%'],
];

it.each(
	WEBHOOK_IDS.flatMap(([id, encoded]) => [
		[`https://n8n.example.com/webhook/${id}/yuntongxun`, `/webhook/${encoded}/yuntongxun`],
		[
			`https://n8n.example.com/n8n/webhook-test/${id}/yuntongxun/?a=1`,
			`/${encoded}/yuntongxun/?a=1`,
		],
		[`https://n8n.example.com/${id}/yuntongxun#?yt=start.x`, `/${encoded}/yuntongxun`],
	]),
)('adds a token to %s, which the trigger finds bound to its path', (url, path) => {
	expect(isPlainTriggerUrl(url)).toBe(true);
	const sent = buildStartUrl(url, ACCOUNT);
	expect(isPlainTriggerUrl(sent)).toBe(false);
	expect(redactUrl(sent)).toMatch(new RegExp(`${path.replace('?', '\\?')}$`));
	expect(sent).toMatch(/^[\x21-\x7e]+$/);

	const arrived = findToken(sent.replace('https://n8n.example.com', '/prefix'));
	expect(openToken(arrived!, ACCOUNT, Date.now())).toEqual(Buffer.alloc(0));
	const other = findToken(sent.replace('/yuntongxun', 'x/yuntongxun'));
	expect(openToken(other!, ACCOUNT, Date.now())).toBeUndefined();
});

it.each(['通话结果', encodeURIComponent('通话结果'), encodeURIComponent('通话结果').toLowerCase()])(
	'takes a token at its path in any spelling: %s',
	(spelling) => {
		const sent = buildStartUrl('https://n8n.example.com/webhook/通话结果/yuntongxun', ACCOUNT);
		const arrived = findToken(`/webhook/${spelling}/yuntongxun?${sent.split('?')[1]}`);
		expect(openToken(arrived!, ACCOUNT, Date.now())).toBeDefined();
	},
);

it.each([
	['https://n8n.example.com/yuntongxun', 'https://n8n.example.com/yuntongxun'],
	['https://例子.example.com/通/yuntongxun', 'https://例子.example.com/%E9%80%9A/yuntongxun'],
	['/通/https://b/c/yuntongxun', '/%E9%80%9A/https://b/c/yuntongxun'],
])('the token of %s opens from the path alone, without the host', (url, sent) => {
	const whole = buildStartUrl(url, ACCOUNT);
	expect(redactUrl(whole)).toBe(sent);
	const arrived = findToken(whole.replace(/^https:..[^/]+/, ''));
	expect(openToken(arrived!, ACCOUNT, Date.now())).toBeDefined();
});

it.each(['', 'yt=', 'yt=start', 'yt=wait.a&yt=wait.a', 'yt=code.a', 'YT=start.a'])(
	'the query %j has no token that opens',
	(query) => {
		const found = findToken(`${TRIGGER}?${query}`);
		expect(found?.sealed).toBe(query === 'yt=start' ? '' : undefined);
		if (found) expect(openToken(found, ACCOUNT, 0)).toBeUndefined();
	},
);

it.each([
	['yt=foo', ''],
	['yt', ''],
	['%79t=foo', ''],
	['', '?'],
	['yt=wait.a&yt=wait.b', ''],
	['a=1?yt=2&yt=foo&&my-yt=3&b=%20', '?a=1?yt=2&&my-yt=3&b=%20'],
])('an address with the query %j ends with one token, and the rest as it was', (query, left) => {
	const sent = buildStartUrl(`${TRIGGER}?${query}#there`, ACCOUNT);
	expect(sent.replace(/[?&]yt=start\.[\w-]+$/, '')).toBe(TRIGGER + left);
	expect(openToken(findToken(sent)!, ACCOUNT, Date.now())).toBeDefined();
});

it('a token is valid to the end of its last second, and never if it was cut', () => {
	const url = addToken(TRIGGER, 'start', Buffer.alloc(0), EXPIRES * 1000 + 1, ACCOUNT);
	const token = findToken(url)!;
	expect(openToken(token, ACCOUNT, EXPIRES * 1000 + 999)).toEqual(Buffer.alloc(0));
	expect(openToken(token, ACCOUNT, EXPIRES * 1000 + 1000)).toBeUndefined();
	expect(openToken(findToken(`${url}?`)!, ACCOUNT, 0)).toBeUndefined();
	const longer = findToken(addToken(TRIGGER, 'start', Buffer.alloc(9), EXPIRES * 1000, ACCOUNT))!;
	for (const { sealed } of [token, longer]) {
		for (let length = 0; length < sealed.length; length++) {
			const cut = { ...token, sealed: sealed.slice(0, length) };
			expect(openToken(cut, ACCOUNT, 0)).toBeUndefined();
		}
	}
});

it('a token is refused if a character or its purpose was changed, or by another account', () => {
	const url = addToken(TRIGGER, 'wait', Buffer.from('payload'), EXPIRES * 1000, ACCOUNT);
	const open = (from: string, account = ACCOUNT) => {
		const found = findToken(from);
		return found && openToken(found, account, 0);
	};
	expect(open(url)).toEqual(Buffer.from('payload'));
	expect(open(url, { ...ACCOUNT, authToken: 'another' })).toBeUndefined();
	expect(open(url.replace('yt=wait', 'yt=start'))).toBeUndefined();
	for (let at = url.indexOf('yt=wait.') + 8; at < url.length; at++) {
		for (const by of '0qZ-/.=%') {
			if (url[at] === by) continue;
			expect([at, open(url.slice(0, at) + by + url.slice(at + 1))]).toEqual([at, undefined]);
		}
	}
});

it.each([
	buildStartUrl(TRIGGER, ACCOUNT),
	`https://example.com/${UUID}/other`,
	'https://example.com/yuntongxun-result',
	`https://example.com/?to=/${UUID}/yuntongxun`,
	'https://yuntongxun/',
])('adds no token to %s', (url) => {
	expect(isPlainTriggerUrl(url)).toBe(false);
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
