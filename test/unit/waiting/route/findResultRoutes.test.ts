import type { IExecuteFunctions, IHttpRequestOptions, INode } from 'n8n-workflow';

import { unpackResumeKey } from '../../../../nodes/Yuntongxun/callbacks/callbackUrl';
import type { ResultWish, WaitWish } from '../../../../nodes/Yuntongxun/callbacks/wait';
import { parseCredential } from '../../../../nodes/Yuntongxun/client/credential';
import { findResultRoutes } from '../../../../nodes/Yuntongxun/waiting/route/findResultRoutes';
import type {
	ResultRoute,
	RoutedCall,
} from '../../../../nodes/Yuntongxun/waiting/route/findResultRoutes';
import { buildNode, nodeContext } from '../../../support/fakeN8n';
import { answerQuestion, openUrl } from '../../../support/sealing';
import { useFakeClock } from '../../../support/fakeClock';

const CREDENTIAL = {
	accountSid: 'made-up',
	authToken: 'made-up-token',
	baseUrl: 'https://example.com',
};
const ACCOUNT = parseCredential(CREDENTIAL);
const WISH: WaitWish = {
	kind: 'wait',
	event: 'voiceNotification',
	maxWaitMs: 600_000,
};

const KEY = { execution: '7', secret: Buffer.from('0123456789abcdef') };

const buildCalls = (count: number, isDryRun = false): RoutedCall[] =>
	Array.from({ length: count }, () => ({ wish: WISH, isDryRun }));

/** A route with the address that it builds now. */
const sealed = ({ ...route }: ResultRoute) =>
	route.ok ? { ...route, resultUrl: route.buildUrl() } : route;

/** Routes of the calls of one try, after so many of earlier tries that were accepted. */
async function findRoutes(
	calls: readonly RoutedCall[],
	acceptedCalls: number,
	changes: object = {},
	callsOfRun = calls.length,
	account = ACCOUNT,
) {
	const answerWith = async ({ url }: { url: string }) => {
		return { statusCode: 200, body: answerQuestion(url, ACCOUNT, { events: [] }) };
	};
	const context = {
		...nodeContext({}),
		getExecutionId: () => '7',
		helpers: { httpRequest: answerWith },
		logger: { warn: () => {} },
		...changes,
	};
	const run = {
		acceptedCalls,
		getResumeKey: () => KEY,
		buildAddress: () => 'https://n8n.example.com/webhook-waiting/7/x?ytWait=w',
	};
	return await findResultRoutes(
		context as unknown as IExecuteFunctions,
		account,
		run,
		calls,
		callsOfRun,
	);
}

const routesFor = async (...situation: Parameters<typeof findRoutes>) =>
	(await findRoutes(...situation)).map(sealed);

it.each([
	[500, 0, true],
	[501, 0, false],
	[1, 499, true],
	[1, 500, false],
])('Of %i calls after %i that wait already each gets a route: %s', async (count, placed, ok) => {
	const routes = await routesFor(buildCalls(count), placed);
	expect(routes).toMatchObject(Array(count).fill({ ok }));
});

it('A dry run is refused where the real run would be, in the same words', async () => {
	const real = await routesFor(buildCalls(600), 0);
	expect(await routesFor(buildCalls(600, true), 0)).toEqual(real);
	expect(real[0]).toEqual({
		ok: false,
		summary: 'Wait for Result works for up to 500 calls at once, and this run would wait for 600',
		remedy: 'Put a Loop Over Items node with a batch size of up to 500 in front.',
	});
});

it.each<[string, object, RegExp[]]>([
	['nothing where all is well', {}, []],
	[
		'that the address is private',
		{ additionalData: { webhookBaseUrl: 'http://localhost:5678/webhook' } },
		[/localhost, which cannot be reached/],
	],
	['that n8n does not show its address', { additionalData: undefined }, [/no Yuntongxun Trigger/]],
	['that n8n does not show the workflow', { workflow: undefined }, [/no Yuntongxun Trigger/]],
])('A wait knows why its result may not come: %s', async (_what, changes, reasons) => {
	const [route] = await routesFor(buildCalls(1), 0, changes);
	const hints = reasons.map((reason) => expect.stringMatching(reason) as string);
	expect(route).toMatchObject({ ok: true, hints, wait: { hints: hints } });
});

it('A call that starts the trigger is told of all that may keep its result away', async () => {
	const [route] = await routesFor([{ wish: TO_TRIGGER, isDryRun: false }], 0, {
		getWorkflow: () => ({ id: 'unreachable' }),
		additionalData: { webhookBaseUrl: 'http://localhost:5678/webhook' },
		helpers: { httpRequest: async () => await Promise.reject(UNREACHABLE) },
	});
	expect(route).toMatchObject({
		ok: true,
		hints: [
			expect.stringMatching(/localhost, which cannot be reached/),
			expect.stringMatching(/so the result may not start this workflow\./),
		],
	});
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2026, 0, 1);

/** Triggers by the last part of their path, with what n8n answers there. */
type Answers = Record<
	string,
	object | Error | typeof SILENT | { statusCode: number; body: string }
>;

const UNREACHABLE = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
/** Nothing answers. */
const SILENT = 'silence';
const INACTIVE = { statusCode: 404, body: '{"message":"This webhook is not registered"}' };
const UNREADABLE = { statusCode: 503, body: 'The result cannot be taken right now.' };
const LOG_IN = { statusCode: 401, body: 'Log in' };
const BLOCKED = Object.assign(new Error('x'), { name: 'SsrfBlockedIpError' });
const UNTRUSTED = Object.assign(new Error('x'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
const READY = { events: ['voiceNotification'], isAsked: true };
const FOREIGN = { ...READY, isAsked: false };
const OTHER_ACCOUNT = {
	statusCode: 403,
	body: 'This address is not from this account, or it has expired.',
};

let workflows = 0;

/** Routes in a workflow with these triggers, in the order of the canvas; their ids are as their names. */
async function routesWith(
	answers: Answers,
	wishes: readonly ResultWish[],
	{
		isDryRun = false,
		changes = {} as Partial<INode>,
		changesOf = {} as Record<string, Partial<INode>>,
		own = undefined as INode['credentials'],
		workflowId = `routes-${++workflows}`,
		account = ACCOUNT,
	} = {},
) {
	const asked: string[] = [];
	const log: string[] = [];
	const httpRequest = async ({ url }: IHttpRequestOptions) => {
		const name = new URL(url).pathname.split('/')[2];
		asked.push(name);
		const answer = answers[name];
		if (answer === SILENT) return await new Promise(() => {});
		if (answer instanceof Error) throw answer;
		if ('statusCode' in answer) return answer;
		return { statusCode: 200, body: answerQuestion(url, ACCOUNT, answer) };
	};
	const nodes = Object.keys(answers).map((name) =>
		buildNode({
			id: name,
			name,
			type: 'n8n-nodes-yuntongxun.yuntongxunTrigger',
			webhookId: name,
			...changes,
			...changesOf[name],
		}),
	);
	const routing = findRoutes(
		wishes.map((wish) => ({ wish, isDryRun })),
		0,
		{
			helpers: { httpRequest },
			logger: { warn: (line: string) => log.push(line) },
			getWorkflow: () => ({ id: workflowId }),
			getNode: () => buildNode({ credentials: own }),
			workflow: { nodes: Object.fromEntries(nodes.map((node) => [node.name, node])) },
		},
		wishes.length,
		account,
	);
	await jest.advanceTimersByTimeAsync(10_000);
	return { routes: (await routing).map(sealed), asked, log, workflowId };
}

const triggerUrl = (name: string) => `https://n8n.example.com/webhook/${name}/yuntongxun`;
const TO_TRIGGER: ResultWish = { kind: 'trigger', event: 'voiceNotification' };
const TO_BE_STARTED: RoutedCall = { wish: TO_TRIGGER, isDryRun: false };

describe('with triggers in the workflow', () => {
	useFakeClock(NOW);

	it('a call goes to a trigger that fits', async () => {
		const [route] = (await routesWith({ a: READY }, [TO_TRIGGER])).routes;
		if (!route.ok) throw new Error(route.summary);
		expect(route.hints).toEqual([]);
		expect(route.wait).toBeUndefined();
		expect(route.resultUrl.startsWith(`${triggerUrl('a')}?yt=start.`)).toBe(true);
		expect(openUrl(route.resultUrl, ACCOUNT).purpose).toBe('start');
	});

	it('waiting calls go through the trigger, which opens how to resume them', async () => {
		const { routes } = await routesWith({ a: READY }, [WISH, WISH]);
		for (const route of routes) {
			if (!route.ok) throw new Error(route.summary);
			expect(route.resultUrl.startsWith(`${triggerUrl('a')}?yt=wait.`)).toBe(true);
			expect(route.wait).toEqual({ ...WISH, isRelayed: true, hints: [] });
			const { purpose, payload } = openUrl(route.resultUrl, ACCOUNT);
			expect([purpose, unpackResumeKey(payload)]).toEqual(['wait', KEY]);
		}
		expect(routes).toHaveLength(2);
	});

	/** Ends of what follows from an obstacle; it begins with the reason, and the remedy comes behind. */
	const DIRECTLY = ', so the result goes directly to the waiting execution. A result that arrives';
	const STARTS_NOTHING = ', so the call result cannot start this workflow';
	const MAY_NOT_START = ', so the result may not start this workflow.';
	const SEVERAL = ', so this run cannot wait for the results of 2 calls at once';
	const like = (pattern: RegExp) => expect.stringMatching(pattern) as string;

	const CERTAIN: Array<Answers[string] | undefined> = [undefined, INACTIVE, FOREIGN, OTHER_ACCOUNT];

	describe.each<[string, Answers[string] | undefined, RegExp, RegExp]>([
		['is not there', undefined, /^This workflow has no Yuntong/, /^Add a Yuntongxun Trigger to/],
		['is not active', INACTIVE, /^This workflow's Yun.* is not active$/, /^Activate \(publish\)/],
		['is a copied one', FOREIGN, /^A trigger in another workflow receives/, /^Delete this/],
		['has another account', OTHER_ACCOUNT, /not use the account that/, /^Choose the same cred/],
		['cannot read its credential', UNREADABLE, / cannot read its cred/, /^Open the trigger's cred/],
		['is blocked by n8n', BLOCKED, /\(N8N_SSRF_PROT.*\)$/, /ALLOWED_HOSTNAMES.*ALLOWED_IP_/],
		['has a log-in in its place', LOG_IN, /, something other .* with HTTP 401$/, /N8N_WEBHOOK_URL/],
		['has a wrong certificate', UNTRUSTED, /^n8n does not accept the cert/, / reports DEPTH_ZERO/],
		['cannot be reached', UNREACHABLE, /^n8n cannot reach the Yun/, / reports ECONNREFUSED\.$/],
		['is silent', SILENT, /did not answer within 10 seconds at/, /N8N_WEBHOOK_URL/],
	])('a trigger that %s', (_what, answer, reason, remedy) => {
		const answers: Answers = answer === undefined ? {} : { a: answer };

		/** Holds that a text says why, then what follows, then what to do. */
		function expectTold(text: string, follows: string) {
			const at = text.indexOf(follows);
			expect(text.slice(0, at)).toMatch(reason);
			expect(text.slice(at)).toMatch(new RegExp(remedy.source.replace('^', ' ')));
		}

		it('has one call wait directly, with a hint', async () => {
			const [route] = (await routesWith(answers, [WISH])).routes;
			if (!route.ok) throw new Error(route.summary);
			const { hints, resultUrl, wait } = route;
			expect(resultUrl).toMatch(/^https:\/\/n8n\.example\.com\/webhook-waiting\/7\//);
			expect(wait).toEqual({ ...WISH, isRelayed: false, hints });
			expect(hints).toHaveLength(1);
			expectTold(hints[0], DIRECTLY);
		});

		it('has several waiting calls refused, in words that n8n shows', async () => {
			const { routes, log } = await routesWith(answers, [WISH, WISH]);
			const refused = { ok: false, summary: like(new RegExp(`${SEVERAL}$`)), remedy: like(remedy) };
			expect(routes).toEqual([refused, refused]);
			const [{ summary }] = routes as Array<{ summary: string }>;
			expect(summary.replace(SEVERAL, '')).toMatch(reason);
			// n8n replaces a message that holds such a code.
			expect(summary).not.toContain('ECONNREFUSED');
			expect(log).toEqual([]);
		});

		it('has a call refused that would start it, or a hint where nobody knows', async () => {
			const { routes, log } = await routesWith(answers, [TO_TRIGGER, TO_TRIGGER]);
			const [route] = routes;
			expect(route.ok).toBe(!CERTAIN.includes(answer));
			if (!route.ok) {
				expectTold(`${route.summary} ${route.remedy}`, STARTS_NOTHING);
				expect(log).toEqual([]);
				return;
			}
			expectTold(route.hints[0], MAY_NOT_START);
			expect(log).toEqual([`Yuntongxun: execution 7: ${route.hints.join()}`]);
		});

		it('tells a dry run in a hint, and refuses it without a trigger only', async () => {
			const wishes = [TO_TRIGGER, WISH, WISH];
			const { routes, asked } = await routesWith(answers, wishes, { isDryRun: true });
			const isThere = answer !== undefined;
			expect([routes[0].ok, asked.length > 0]).toEqual([isThere, isThere]);
			if (!isThere) return;
			for (const route of routes) {
				const { hints } = route as { hints: string[] };
				expect([hints.length, route]).toMatchObject([1, { ok: true }]);
				expectTold(hints[0], '. ');
			}
			expect(routes[1]).toMatchObject({ wait: { isRelayed: true } });
		});
	});

	it.each([
		['the only one of its run', 1, 10 * MINUTE],
		['one of several of its run', 2, 24 * HOUR],
	])('the address of %s is good from its call on', async (_what, callsOfRun, grace) => {
		const [route] = await findRoutes(buildCalls(1), 0, {}, callsOfRun);
		jest.setSystemTime(NOW + HOUR);
		if (!route.ok) throw new Error(route.summary);
		const { expires } = openUrl(route.buildUrl(), ACCOUNT);
		expect(expires * 1000).toBe(NOW + HOUR + 10 * MINUTE + grace);
	});

	it.each<[string, ResultWish, Answers[string]]>([
		['is for another event', TO_TRIGGER, { ...READY, events: [] }],
		['is of another account', WISH, OTHER_ACCOUNT],
		['is silent', WISH, SILENT],
	])(
		'a trigger that %s is asked again by the next run, and taken once it fits',
		async (_, ...rest) => {
			const [wish, answer] = rest;
			const { workflowId } = await routesWith({ a: answer }, [wish, wish]);
			const mended = await routesWith({ a: READY }, [wish, wish], { workflowId });
			expect(mended.asked).toEqual(['a']);
			expect(mended.routes).toMatchObject([
				{ ok: true, hints: [] },
				{ ok: true, hints: [] },
			]);
		},
	);

	describe('that a trigger fits', () => {
		const FITS = { ok: true, hints: [] };
		const ask = async (answer: Answers[string], workflowId?: string) =>
			await routesWith({ a: answer }, [WISH], { workflowId });

		it('holds for a minute', async () => {
			const { workflowId } = await ask(READY);
			jest.setSystemTime(NOW + 59_999);
			expect((await ask(INACTIVE, workflowId)).routes).toMatchObject([FITS]);
			jest.setSystemTime(NOW + 60_000);
			expect((await ask(INACTIVE, workflowId)).asked).toEqual(['a']);
		});

		it('holds no longer where the clock was set back', async () => {
			const { workflowId } = await ask(READY);
			jest.setSystemTime(NOW - HOUR);
			expect((await ask(INACTIVE, workflowId)).asked).toEqual(['a']);
		});

		it('outlives silence, however long ago it was, and holds for a minute more', async () => {
			const { workflowId } = await ask(READY);
			jest.setSystemTime(NOW + HOUR);
			expect((await ask(SILENT, workflowId)).routes).toMatchObject([FITS]);
			jest.setSystemTime(NOW + HOUR + 59_999);
			expect((await ask(SILENT, workflowId)).asked).toEqual([]);
			jest.setSystemTime(NOW + HOUR + 60_000);
			expect((await ask(SILENT, workflowId)).asked).toEqual(['a']);
		});

		it('is forgotten once it answers something else', async () => {
			const { workflowId } = await ask(READY);
			jest.setSystemTime(NOW + HOUR);
			await ask(OTHER_ACCOUNT, workflowId);
			expect((await ask(SILENT, workflowId)).routes).not.toMatchObject([FITS]);
		});

		it('says nothing of what another call wants of it', async () => {
			const answer = { ...READY, events: [] };
			const { workflowId } = await routesWith({ a: answer }, [WISH]);
			const { routes } = await routesWith({ a: answer }, [TO_TRIGGER], { workflowId });
			expect(routes).toMatchObject([{ ok: false }]);
		});

		it.each<[string, Parameters<typeof routesWith>[2]]>([
			['node', { changes: { id: 'copied' } }],
			['address', { changes: { webhookId: 'moved' } }],
			['account', { account: parseCredential({ ...CREDENTIAL, authToken: 'another' }) }],
		])('says nothing of another %s', async (_, changed) => {
			const { workflowId } = await ask(READY);
			const other = await routesWith({ a: INACTIVE }, [WISH], { workflowId, ...changed });
			expect(other.asked).toHaveLength(1);
		});
	});

	it('executions side by side share a question', async () => {
		const ask = async () =>
			await routesWith({ a: INACTIVE }, [WISH, WISH], { workflowId: 'side by side' });
		const both = await Promise.all([ask(), ask()]);
		expect(both.flatMap(({ asked }) => asked)).toEqual(['a']);
	});

	it.each<[string, RoutedCall[], number, boolean[]]>([
		['beside one that starts the trigger', [...buildCalls(1), TO_BE_STARTED], 0, [true, false]],
		['beside a dry run', [...buildCalls(1), ...buildCalls(1, true)], 0, [false, false]],
		['after one of an earlier try', buildCalls(1), 1, [false]],
	])(
		'without a trigger a call waits directly if it is the only one: %s',
		async (_, calls, ...rest) => {
			const [accepted, wanted] = rest;
			const routes = await routesFor(calls, accepted, { workflow: { nodes: {} } });
			expect(routes.map(({ ok }) => ok)).toEqual(wanted);
		},
	);

	it('a trigger takes waiting calls of either kind, whatever it starts for', async () => {
		const { routes } = await routesWith({ a: { ...READY, events: [] } }, [WISH]);
		expect(routes[0]).toMatchObject({ ok: true, hints: [] });
	});

	const credentials = (id: string) => ({ yuntongxunApi: { id, name: id } });
	const starts = (...events: string[]) => ({ parameters: { events } });
	const OWN = { credentials: credentials('own') };
	const ANY = { credentials: credentials('any') };

	it.each<[string, Record<string, Partial<INode>>, string, string]>([
		['the first by id', { b: {}, a: {}, c: {} }, 'a', 'a'],
		['the first with a credential before one without', { a: {}, b: ANY, c: ANY }, 'b', 'b'],
		['the first with its own credential before any other', { a: ANY, b: OWN, c: OWN }, 'b', 'b'],
		[
			'one that starts for it before one with its credential, if it shall start',
			{ a: { ...OWN, ...starts('smsReply') }, b: starts('smsReply', 'voiceNotification') },
			'a',
			'b',
		],
		['one whose events stand as they are at first', { a: starts('smsReply'), b: {} }, 'a', 'b'],
		[
			'one whose events an expression gives',
			{ a: starts('smsReply'), b: { parameters: { events: '={{ $env.EVENTS }}' } } },
			'a',
			'b',
		],
		[
			'any, where none starts for it',
			{ a: starts('smsReply'), b: { ...OWN, ...starts() } },
			'b',
			'b',
		],
	])('a call asks one of several triggers: %s', async (_what, triggers, forWait, forStart) => {
		const answers: Answers = Object.fromEntries(Object.keys(triggers).map((each) => [each, READY]));
		const situation = { changesOf: triggers, own: credentials('own') };
		const waiting = await routesWith(answers, [WISH, WISH], situation);
		expect(waiting.asked).toEqual([forWait]);
		const starting = await routesWith(answers, [TO_TRIGGER, TO_TRIGGER], situation);
		expect(starting.asked).toEqual([forStart]);
		expect(JSON.stringify(starting.routes[0])).toContain(`"${triggerUrl(forStart)}?yt=start.`);
	});

	it('what the published trigger starts for counts, not what stands in the workflow', async () => {
		const changes = starts('voiceNotification');
		const answer = { ...READY, events: ['smsReply'] };
		const { routes } = await routesWith({ a: answer }, [TO_TRIGGER], { changes });
		expect(routes[0]).toMatchObject({
			ok: false,
			summary: like(/does not start for Call Ended, so the call result cannot start/),
			remedy: like(/^Choose Call Ended in the Events of the trigger/),
		});
	});

	it.each<[string, Partial<INode>]>([
		['is disabled', { disabled: true }],
		['is of another kind', { type: 'n8n-nodes-base.webhook' }],
	])('a trigger that %s is none, and is not asked', async (_what, changes) => {
		const { routes, asked } = await routesWith({ a: READY }, [TO_TRIGGER], { changes });
		expect(routes[0]).toMatchObject({ ok: false });
		expect(asked).toEqual([]);
	});

	it('a dry run tells through which trigger its results would come', async () => {
		const { routes } = await routesWith({ a: READY }, [TO_TRIGGER, WISH], { isDryRun: true });
		const hints = [`Results would come through a at ${triggerUrl('a')}.`];
		expect(routes).toMatchObject([
			{ ok: true, hints },
			{ ok: true, hints, wait: { isRelayed: true } },
		]);
	});

	it('a dry run without a trigger is refused where the real run would be', async () => {
		const { routes } = await routesWith({}, [TO_TRIGGER, WISH], { isDryRun: true });
		expect(routes.map(({ ok }) => ok)).toEqual([false, true]);
	});
});
