import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { parseCredential } from '../../../nodes/Yuntongxun/client/credential';
import type { FoundRoute, ResultTarget } from '../../../nodes/Yuntongxun/waiting/resultTarget';
import { findResultRoutes } from '../../../nodes/Yuntongxun/waiting/routes';
import type { RoutedCall } from '../../../nodes/Yuntongxun/waiting/routes';
import type { WaitingRun } from '../../../nodes/Yuntongxun/waiting/waitingRun';
import { useFakeClock } from '../../support/fakeClock';
import { buildNode } from '../../support/fakeN8n';
import { openResumeAddress, openUrl } from '../../support/sealing';

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const ACCOUNT = parseCredential({
	accountSid: 'sid',
	authToken: 'made-up',
	baseUrl: 'https://example.com',
});
const OWN = { yuntongxunApi: { id: '1', name: 'Account' } };
const ANOTHERS = { yuntongxunApi: { id: '2', name: 'Other' } };
const KEY = { execution: '7?signature=' + 'ab'.repeat(32), waitId: 'MDEyMzQ1Njc4OWFiY2RlZg' };
const WAIT: ResultTarget = { kind: 'wait', event: 'voiceNotification', maxWaitMs: HOUR };
const START: ResultTarget = { kind: 'trigger', event: 'voiceNotification' };
const NOT_REGISTERED = {
	statusCode: 404,
	body: '{"code":404,"message":"The requested webhook \\"POST a/yuntongxun\\" is not registered."}',
};

useFakeClock(NOW);

const trigger = (id: string, changes: Partial<INode> = {}) =>
	buildNode({
		id,
		name: `Trigger ${id}`,
		type: 'x.yuntongxunTrigger',
		webhookId: id,
		credentials: OWN,
		...changes,
	});

const buildParts = () => ({
	triggers: [trigger('a')],
	active: true,
	base: 'https://n8n.example.com/webhook',
	awaitedCalls: 0,
	answer: async (): Promise<object> => await Promise.reject(new Error('no')),
});

/** The routes of calls, in production in an active workflow with a trigger, but for what is changed. */
async function find(calls: RoutedCall[], changes: Partial<ReturnType<typeof buildParts>> = {}) {
	const { triggers, active, base, awaitedCalls, answer } = { ...buildParts(), ...changes };
	const asked: unknown[] = [];
	const context = {
		getNode: () => buildNode({ credentials: OWN }),
		getWorkflow: () => ({ id: 'w', active }),
		workflow: { nodes: Object.fromEntries(triggers.map((each) => [each.name, each])) },
		additionalData: { webhookBaseUrl: base },
		helpers: {
			httpRequest: async ({ url, method, body }: Record<string, unknown>) => {
				asked.push([method, url, body]);
				return await answer();
			},
		},
	} as unknown as IExecuteFunctions;
	const run = { awaitedCalls, getResumeKey: () => KEY } as WaitingRun;
	const routes = await findResultRoutes(context, ACCOUNT, run, calls);
	const urls = routes.map((each) => (isFound(each) ? each.buildUrl() : each.message));
	const hints = routes.filter(isFound).flatMap((each) => each.hints);
	return { asked, routes, urls, hints };
}

const isFound = (route: object): route is FoundRoute => 'buildUrl' in route;
const real = (target: ResultTarget) => [{ target, isDryRun: false }];
const dry = (target: ResultTarget) => [{ target, isDryRun: true }];
const addressOf = (id: string) => `https://n8n.example.com/webhook/${id}/yuntongxun`;
const shown = (url: string) => url.replace(/\?yt=.*/, '');

it('a result that starts the workflow goes to its trigger, at an address that is good for a day', async () => {
	const { urls, routes, asked } = await find(real(START));
	expect(shown(urls[0])).toBe(addressOf('a'));
	const { purpose, expires, payload } = openUrl(urls[0], ACCOUNT);
	expect([purpose, expires * 1000, payload.length]).toEqual(['start', NOW + 24 * HOUR, 0]);
	expect(routes).toEqual([{ buildUrl: expect.any(Function) as unknown, hints: [] }]);
	expect(asked).toEqual([]);
});

it('an awaited result goes there too, with a token that can resume, good for a day longer', async () => {
	const { urls, routes } = await find(real(WAIT));
	expect(shown(urls[0])).toBe(addressOf('a'));
	const { purpose, expires } = openUrl(urls[0], ACCOUNT);
	expect([purpose, expires * 1000]).toEqual(['wait', NOW + 25 * HOUR]);
	expect(openResumeAddress(urls[0], ACCOUNT)).toBe(
		`7/yuntongxun-result?signature=${'ab'.repeat(32)}&ytWait=${KEY.waitId}`,
	);
	expect(routes).toMatchObject([{ maxWaitMs: HOUR, hints: [] }]);
});

const CODES = { events: ['voiceVerification'] };

it.each<[string, ResultTarget, INode[], string]>([
	['the first by node id', WAIT, [trigger('b'), trigger('a')], 'a'],
	['a Yuntongxun Trigger', WAIT, [trigger('0', { type: 'x.webhook' }), trigger('a')], 'a'],
	['one that is enabled', WAIT, [trigger('a', { disabled: true }), trigger('b')], 'b'],
	[
		'one with the same credential',
		WAIT,
		[trigger('a', { credentials: ANOTHERS }), trigger('b')],
		'b',
	],
	[
		'one that starts for the call, to be started',
		START,
		[trigger('a', { parameters: CODES }), trigger('b')],
		'b',
	],
	[
		'one whose events are an expression',
		START,
		[trigger('a', { parameters: { events: '={{ $json }}' } })],
		'a',
	],
	[
		'any, whatever it starts for, to wait',
		WAIT,
		[trigger('a', { parameters: CODES }), trigger('b')],
		'a',
	],
])('of several triggers it is %s', async (_, target, triggers, id) => {
	expect(shown((await find(real(target), { triggers })).urls[0])).toBe(addressOf(id));
});

const FOREIGN =
	/does not use the credential of this node, so .* Choose the same credential in both nodes/;

it.each<[string, ResultTarget, INode[], RegExp]>([
	[
		'no trigger',
		START,
		[],
		/has no Yuntongxun Trigger, so the call result cannot start this workflow\. Add/,
	],
	[
		'no trigger to wait with',
		WAIT,
		[],
		/has no Yuntongxun Trigger, so the call cannot wait for its result\. Add/,
	],
	['a disabled one', WAIT, [trigger('a', { disabled: true })], /has no Yuntongxun Trigger/],
	['one with another credential', WAIT, [trigger('a', { credentials: ANOTHERS })], FOREIGN],
	['one without a credential', WAIT, [trigger('a', { credentials: undefined })], FOREIGN],
	['one with none of this service', WAIT, [trigger('a', { credentials: {} })], FOREIGN],
	[
		'one for other events',
		START,
		[trigger('a', { parameters: CODES })],
		/does not start for Call Ended, so .* Choose Call Ended in the Events/,
	],
])(
	'a call is refused, dry run or not, in a workflow with %s',
	async (_, target, triggers, words) => {
		for (const calls of [real(target), dry(target)]) {
			const { urls, routes } = await find(calls, { triggers });
			expect([isFound(routes[0]), urls[0]]).toEqual([false, expect.stringMatching(words)]);
		}
	},
);

describe('if n8n does not say that the workflow is active', () => {
	it.each<[string, () => Promise<object>]>([
		[
			'answers as the trigger does',
			async () => ({ statusCode: 400, body: 'This address takes notifications' }),
		],
		[
			'shows the page of a proxy',
			async () => ({ statusCode: 404, body: '<html>Not found</html>' }),
		],
		['says so with another status', async () => ({ ...NOT_REGISTERED, statusCode: 500 })],
		['breaks', async () => await Promise.reject(new Error('no'))],
		['is silent', async () => await new Promise(() => {})],
	])('the calls go out if its address %s', async (_, answer) => {
		const calls = [...real(WAIT), ...real(START), ...real(WAIT)];
		const finding = find(calls, { active: false, answer });
		await jest.advanceTimersByTimeAsync(5000);
		const { asked, routes } = await finding;
		// One POST without a body for all of them.
		expect(asked).toEqual([['POST', addressOf('a'), undefined]]);
		expect(routes.map(isFound)).toEqual([true, true, true]);
	});

	it('the calls are refused if n8n itself says that nothing is registered there', async () => {
		const { urls } = await find(real(WAIT), { active: false, answer: async () => NOT_REGISTERED });
		expect(urls[0]).toMatch(
			/is not active, so the call cannot wait for its result\. Activate \(publish\) this/,
		);
	});

	it('one real call among dry runs is enough to ask', async () => {
		const { asked } = await find([...dry(WAIT), ...real(WAIT)], { active: false });
		expect(asked).toHaveLength(1);
	});

	it('a dry run asks nobody, and a hint says where results would come', async () => {
		const { asked, hints } = await find(dry(WAIT), { active: false });
		expect(asked).toEqual([]);
		expect(hints).toEqual([`Results would come through Trigger a at ${addressOf('a')}.`]);
	});
});

it('a public address that only this machine reaches gets a hint, which the wait keeps for the log', async () => {
	const { routes, hints } = await find(real(WAIT), { base: 'http://localhost:5678/webhook' });
	expect(hints).toEqual([
		expect.stringMatching(/localhost, which cannot be reached from the internet/),
	]);
	expect(routes[0]).toMatchObject({ maxWaitMs: HOUR, hints });
});

it('a run waits for up to 500 calls, those of earlier tries included', async () => {
	const calls = Array.from({ length: 400 }, () => real(WAIT)[0]);
	const started = real(START);
	const { routes } = await find([...calls, ...started], { awaitedCalls: 100 });
	expect(routes.every(isFound)).toBe(true);
	const { urls } = await find(calls, { awaitedCalls: 101 });
	expect(new Set(urls)).toEqual(
		new Set([
			'Wait for Result works for up to 500 calls at once, and this run would wait for 501. Put a Loop Over Items node with a batch size of up to 500 in front.',
		]),
	);
});
