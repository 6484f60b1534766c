import { createHmac } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { AcceptedCall } from '../simulator';
import { connect, execute, node, runNode, runsOf, TYPES } from './support/engine';
import type { Circumstances, NodeRun } from './support/engine';
import { itemsOf, jsonOf, operation, reportIn } from './support/expectations';
import { useSimulator } from './support/simulator';

const service = useSimulator();
const HOUR = 60 * 60;

/** No result ever comes for a call to a number that ends in 5. */
const NUMBER = '13800000005';
const TRIGGER = 'https://n8n.example.com/webhook/4f9c/call-result';
const RELAY = 'https://n8n.example.com/webhook/77aa/call-result';
const SIGNED = /[?&]ytExpires=(\d+)&ytSignature=([0-9a-f]{64})$/;

const notify = (parameters: INodeParameters, options: INodeParameters = {}) =>
	operation('call', 'notify', { to: NUMBER, mediaTxt: 'Hello', ...parameters }, options);
const verify = (parameters: INodeParameters, options: INodeParameters = {}) =>
	operation('call', 'verify', { to: NUMBER, verifyCode: '1234', ...parameters }, options);

type Run = (
	parameters: INodeParameters,
	more?: { items?: IDataObject[]; circumstances?: Circumstances; type?: string },
) => Promise<NodeRun>;
const run: Run = async (parameters, more = {}) =>
	await runNode({ parameters, credential: service.credential(), ...more });

/** What stopped the node. */
const refusal = async (...given: Parameters<Run>): Promise<string> =>
	(await run(...given)).error?.message ?? 'nothing stopped it';

/** A workflow in production whose active triggers have these webhook ids. */
const registered = (...webhookIds: string[]): Circumstances => ({
	mode: 'webhook',
	staticData: {
		yuntongxunTriggers: Object.fromEntries(webhookIds.map((id) => [id, { webhookId: id }])),
	},
	triggers: webhookIds.map((id) => ({ ...node(id, TYPES.trigger), webhookId: id })),
});

function onlyCall(): AcceptedCall {
	const calls = service.simulator.accepted().filter((each) => each.kind === 'call');
	if (calls.length !== 1) throw new Error(`Not one call but ${calls.length}`);
	return calls[0];
}

const respUrl = () => onlyCall().respUrl ?? 'none';

/** Checks a signed address against the contract, and gives it without expiry and signature. */
function unsigned(url: string, lifetimeSeconds: number): string {
	const [, expires = '', signature] = SIGNED.exec(url) ?? [];
	const lifetime = Number(expires) - Date.now() / 1000;
	expect(Math.abs(lifetime - lifetimeSeconds)).toBeLessThan(5 * 60);
	const bare = url.replace(SIGNED, '');
	const { pathname, searchParams } = new URL(bare);
	const path = `/${pathname.split('/').slice(-2).join('/')}`;
	const { authToken } = service.simulator.credentials;
	expect(signature).toBe(
		createHmac('sha256', authToken)
			.update(JSON.stringify(['result URL', expires, path, [...searchParams]]))
			.digest('hex'),
	);
	return bare;
}

describe('a call that waits for its result', () => {
	it.each<[string, INodeParameters, number]>([
		['ten minutes, as it is at first', {}, 600],
		['90 seconds', { waitLimit: 90, waitLimitUnit: 'seconds' }, 90],
		['2 hours', { waitLimit: 2, waitLimitUnit: 'hours' }, 7200],
		['as long as an expression says', { waitLimit: '={{ 5 }}', waitLimitUnit: 'minutes' }, 300],
	])('parks the execution for %s, and signs the address for ten more', async (_, limit, wait) => {
		const { run: whole, error } = await run(notify({ resultDelivery: 'wait', ...limit }));
		expect(error).toBeUndefined();
		expect(whole.status).toBe('waiting');
		const until = new Date(whole.waitTill ?? 0).getTime();
		expect(Math.abs(until - Date.now() - wait * 1000)).toBeLessThan(60_000);
		expect(unsigned(respUrl(), wait + 600)).toMatch(
			/^https:\/\/n8n\.example\.com\/webhook-waiting\/1\/yuntongxun-result\?(?:signature=[^&]+&)?ytWait=[\w-]{12}$/,
		);
		expect(service.simulator.violations()).toEqual([]);
	});

	it('leaves what n8n itself has put into the address as it is', async () => {
		const { run: whole } = await run(notify({ resultDelivery: 'wait' }));
		const { resumeToken } = whole.data as { resumeToken?: string };
		const bare = unsigned(respUrl(), 1200);
		// Only the newer generation has a token of its own.
		const [address] = bare.split(/[?&]ytWait=/);
		expect(address).toBe(
			resumeToken === undefined
				? 'https://n8n.example.com/webhook-waiting/1/yuntongxun-result'
				: `https://n8n.example.com/webhook-waiting/1/yuntongxun-result?signature=${resumeToken}`,
		);
	});

	it.each([
		['notify', notify],
		['verify', verify],
	])('%s: shows the call meanwhile, and leaves the input of others alone', async (_, form) => {
		const execution = await execute(
			[
				node('Start', TYPES.start, { items: JSON.stringify([{ order: 42 }]) }),
				node('Yuntongxun', TYPES.action, form({ resultDelivery: 'wait' })),
			],
			connect(['Start', 'Yuntongxun']),
			service.credential(),
		);
		const [{ outputs }] = runsOf(execution, 'Yuntongxun');
		expect(outputs[0]?.map(({ json }) => json)).toEqual([
			expect.objectContaining({
				statusCode: '000000',
				callSid: onlyCall().callSid,
				to: NUMBER,
				outcome: 'timeout',
				answered: false,
			}),
		]);
		const [start] = runsOf(execution, 'Start');
		expect(start.outputs[0]?.map(({ json }) => json)).toEqual([{ order: 42 }]);
		// What n8n continues with once the limit has passed.
		const [parked] = execution.data.executionData?.nodeExecutionStack ?? [];
		expect(parked?.data.main?.[0]?.map(({ json }) => json)).toEqual([
			expect.objectContaining({ callSid: onlyCall().callSid, outcome: 'timeout' }),
		]);
	});

	it('goes through a relay with both addresses signed', async () => {
		await run(notify({ resultDelivery: 'wait' }, { relayUrl: `${RELAY}?a=1%202` }));
		const outer = unsigned(respUrl(), 1200);
		expect(outer.startsWith(`${RELAY}?a=1%202&ytResume=`)).toBe(true);
		const inner = new URL(outer).searchParams.get('ytResume') ?? '';
		expect(unsigned(inner, 1200)).toMatch(
			/^https:\/\/n8n\.example\.com\/webhook-waiting\/1\/yuntongxun-result\?/,
		);
	});

	const ADVICE =
		/wait for the results of 2 calls at once, add a Yuntongxun Trigger .*activate \(publish\)/;

	it('is refused for several items without a relay, before any call', async () => {
		const message = await refusal(notify({ resultDelivery: 'wait' }), { items: [{}, {}] });
		expect(message).toMatch(ADVICE);
		expect(service.simulator.record.requests).toEqual([]);
	});

	it('is refused for each of several items if the node continues', async () => {
		const result = await runNode({
			parameters: notify({ resultDelivery: 'wait' }),
			credential: service.credential(),
			items: [{}, {}],
			settings: { onError: 'continueRegularOutput' },
		});
		expect(jsonOf(result).map((json) => reportIn(json).message)).toEqual([
			expect.stringMatching(ADVICE),
			expect.stringMatching(ADVICE),
		]);
		expect(result.run.waitTill).toBeFalsy();
		expect(service.simulator.record.requests).toEqual([]);
	});

	it('is refused for more than 500 items, before any call', async () => {
		const items = Array.from({ length: 501 }, () => ({ to: NUMBER }));
		const call = { to: '={{ $json.to }}', resultDelivery: 'wait' };
		const parameters = notify(call, { relayUrl: RELAY });
		expect(await refusal(parameters, { items })).toMatch(/up to 500 calls.*501.*Loop Over Items/);
		expect(service.simulator.record.requests).toEqual([]);
	});

	it('is refused for a node that an agent uses, before any call', async () => {
		const message = await refusal(notify({ resultDelivery: 'wait' }), { type: TYPES.tool });
		expect(message).toMatch(/AI agent/);
		expect(service.simulator.record.requests).toEqual([]);
	});

	it('parks nothing where the call was refused', async () => {
		service.simulator.fail({ kind: 'statusCode', statusCode: '111142', accept: false });
		const result = await runNode({
			parameters: notify({ resultDelivery: 'wait' }),
			credential: service.credential(),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(reportIn(jsonOf(result)[0])).toMatchObject({ statusCode: '111142', accepted: 'no' });
		expect(result.run.waitTill).toBeFalsy();
	});

	it.each<[string, INodeParameters, string]>([
		['directly', {}, 'https://n8n.example.com/webhook-waiting/1/yuntongxun-result?ytWait='],
		['through a relay', { relayUrl: RELAY }, RELAY],
	])('parks nothing in a dry run, which shows no signature: %s', async (_, options, address) => {
		const result = await run(notify({ resultDelivery: 'wait' }, { dryRun: true, ...options }));
		expect(result.run.waitTill).toBeFalsy();
		const [{ request }] = jsonOf(result) as Array<{ request: { respUrl: string } }>;
		expect(request.respUrl.startsWith(address)).toBe(true);
		expect(request.respUrl).not.toMatch(/signature/i);
		expect(service.simulator.record.requests).toEqual([]);
	});

	it('is refused for longer than a year', async () => {
		const parameters = notify({
			resultDelivery: 'wait',
			waitLimit: 366 * 24,
			waitLimitUnit: 'hours',
		});
		expect(await refusal(parameters)).toMatch(/'Max Wait Time' must be a year/);
		expect(service.simulator.record.requests).toEqual([]);
	});
});

describe('a call that reports to the trigger of its workflow', () => {
	const parameters = notify({ resultDelivery: 'trigger' });

	it('sends the address of the one that is active, unsigned unless asked', async () => {
		const { error } = await run(parameters, { circumstances: registered('4f9c') });
		expect(error).toBeUndefined();
		expect(respUrl()).toBe(TRIGGER);
	});

	it('serves several items', async () => {
		const items = [{}, {}];
		const result = await run(parameters, { items, circumstances: registered('4f9c') });
		expect(itemsOf(result)).toHaveLength(2);
		expect(
			service.simulator.accepted().map((each) => each.kind === 'call' && each.respUrl),
		).toEqual([TRIGGER, TRIGGER]);
	});

	it.each<[string, Circumstances, RegExp]>([
		['none is active', {}, /no active one.*add a Yuntongxun Trigger.*activate/],
		['none is left', registered(), /no active one/],
		['there are two', registered('4f9c', '77aa'), /it has 2.*leave one/],
	])('is refused where %s, before any call', async (_, circumstances, words) => {
		expect(await refusal(parameters, { circumstances })).toMatch(words);
		expect(service.simulator.record.requests).toEqual([]);
	});

	it('ignores a URL that was entered before', async () => {
		const form = notify({ resultDelivery: 'trigger', respUrl: 'https://left-over.example.com' });
		await run(form, { circumstances: registered('4f9c') });
		expect(respUrl()).toBe(TRIGGER);
	});
});

describe('a signed address', () => {
	it.each<[string, INodeParameters, INodeParameters, string, number]>([
		[
			'of a URL',
			{ resultDelivery: 'url', respUrl: `${TRIGGER}?a=1%202&b=c+d` },
			{ signRespUrl: true },
			`${TRIGGER}?a=1%202&b=c+d`,
			24 * HOUR,
		],
		[
			'of a URL, for an hour',
			{ resultDelivery: 'url', respUrl: TRIGGER },
			{ signRespUrl: true, signedUrlLifetime: 1 },
			TRIGGER,
			HOUR,
		],
		['of the trigger', { resultDelivery: 'trigger' }, { signRespUrl: true }, TRIGGER, 24 * HOUR],
		[
			'of the trigger, for a year',
			{ resultDelivery: 'trigger' },
			{ signRespUrl: true, signedUrlLifetime: 8760 },
			TRIGGER,
			8760 * HOUR,
		],
	])('%s', async (_, parameters, options, bare, lifetime) => {
		const { error } = await run(notify(parameters, options), {
			circumstances: registered('4f9c'),
		});
		expect(error).toBeUndefined();
		expect(unsigned(respUrl(), lifetime)).toBe(bare);
		expect(service.simulator.violations()).toEqual([]);
	});

	it.each<[INodeParameters]>([[{}], [{ signRespUrl: false }], [{ signedUrlLifetime: 1 }]])(
		'is none with the options %j',
		async (options) => {
			await run(notify({ resultDelivery: 'url', respUrl: TRIGGER }, options));
			expect(respUrl()).toBe(TRIGGER);
		},
	);

	it('is left out with the rest where nobody is to be told', async () => {
		const options = { signRespUrl: true, signedUrlLifetime: 0, relayUrl: 'nonsense' };
		const { error } = await run(notify({ resultDelivery: 'none' }, options));
		expect(error).toBeUndefined();
		expect(respUrl()).toBe('none');
	});
});

describe('a hint, and the call all the same', () => {
	const NOT_REACHED = /cannot be reached from the internet.*WEBHOOK_URL/;
	const TEST_URL = 'https://n8n.example.com/webhook-test/4f9c/call-result';

	const WAIT = { resultDelivery: 'wait' };
	const TO_TRIGGER = { resultDelivery: 'trigger' };
	const toUrl = (respUrl: string) => ({ resultDelivery: 'url', respUrl });
	const BY_RELAY = { relayUrl: RELAY };
	const PRODUCTION: Circumstances = { mode: 'webhook' };
	const ON_WORKER = { isOnWorker: true, triggers: registered('4f9c').triggers };
	const LOCAL = 'http://localhost:5678/webhook/1/call-result';
	const MAY_BE_INACTIVE = /has not told whether.*Activate \(publish\)/;

	it.each<[string, INodeParameters, INodeParameters, Circumstances, RegExp | null]>([
		['a URL of this machine', toUrl(LOCAL), {}, {}, NOT_REACHED],
		['an n8n on this machine', WAIT, {}, { n8nUrl: 'http://localhost:5678' }, NOT_REACHED],
		[
			'a trigger on this machine',
			TO_TRIGGER,
			{},
			{ ...registered('4f9c'), n8nUrl: 'http://127.0.0.1:5678' },
			NOT_REACHED,
		],
		['a relay on this machine', WAIT, { relayUrl: LOCAL }, {}, NOT_REACHED],
		['a test URL in production', toUrl(TEST_URL), {}, PRODUCTION, /test address.*Production URL/],
		['a wait in production without a relay', WAIT, {}, PRODUCTION, /is lost.*Add a Yuntongxun/],
		[
			'a short wait without a relay',
			{ ...WAIT, waitLimit: 179, waitLimitUnit: 'seconds' },
			{},
			{},
			/Add a Yuntongxun Trigger.*short waits on time/,
		],
		['a trigger, by hand on a worker', TO_TRIGGER, {}, ON_WORKER, MAY_BE_INACTIVE],
		['a relay, by hand on a worker', WAIT, {}, ON_WORKER, MAY_BE_INACTIVE],
		['a URL, by hand on a worker', toUrl(TRIGGER), {}, ON_WORKER, null],
		['a relay elsewhere, by hand on a worker', WAIT, BY_RELAY, ON_WORKER, null],
		['a public URL', toUrl(TRIGGER), {}, PRODUCTION, null],
		['a test URL while testing', toUrl(TEST_URL), {}, {}, null],
		['a public n8n', WAIT, {}, {}, null],
		['a wait of three minutes', { ...WAIT, waitLimit: 3 }, {}, {}, null],
		['a public trigger', TO_TRIGGER, {}, registered('4f9c'), null],
		['a wait in production with a relay', WAIT, BY_RELAY, PRODUCTION, null],
		['a public relay of a private n8n', WAIT, BY_RELAY, { n8nUrl: 'http://localhost:5678' }, null],
		['a private URL left behind', { resultDelivery: 'none', respUrl: 'http://n8n' }, {}, {}, null],
	])('where it is needed: %s', async (_, parameters, options, circumstances, words) => {
		const { hints, error } = await run(notify(parameters, options), { circumstances });
		expect(error).toBeUndefined();
		const wanted = words === null ? [] : [expect.stringMatching(words) as string];
		expect(hints.map(({ message }) => message)).toEqual(wanted);
		expect(onlyCall().to).toBe(NUMBER);
	});

	it('once for several items', async () => {
		const { hints } = await run(
			notify({ resultDelivery: 'url', respUrl: 'http://localhost/webhook/1/call-result' }),
			{ items: [{}, {}, {}] },
		);
		expect(hints.filter(({ message }) => message.includes('localhost'))).toHaveLength(1);
	});
});
