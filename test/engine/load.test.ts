import type { INodeParameters } from 'n8n-workflow';

import type { FaultRule } from '../simulator';
import { runNode } from './support/engine';
import type { NodeRun, NodeSettings } from './support/engine';
import { jsonOf, operation, reportIn } from './support/expectations';
import { useSimulator } from './support/simulator';

const service = useSimulator();
const NUMBER = '13800000005';
const CONTINUE: NodeSettings = { onError: 'continueRegularOutput' };

const calls = (options: INodeParameters = {}) =>
	operation('call', 'notify', { to: '={{ $json.to }}', mediaTxt: 'Hello' }, options);
const numbers = (count: number) =>
	Array.from({ length: count }, (_each, index) => String(13_800_000_005 + 10 * index));
const itemsFor = (all: string[]) => all.map((to) => ({ to }));

const callOne = async (): Promise<NodeRun> =>
	await runNode({
		parameters: calls(),
		items: [{ to: NUMBER }],
		settings: CONTINUE,
		credential: service.credential(),
	});
const requestCount = () => service.simulator.record.requests.length;

/** Pauses are as short as they may be. */
beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

describe('several items', () => {
	it.each([1, 3, 10])('no more than %i are under way at the same time', async (maxConcurrency) => {
		service.simulator.setLatency(80 * maxConcurrency);
		const all = numbers(24);
		const run = await runNode({
			parameters: calls({ maxConcurrency }),
			items: itemsFor(all),
			credential: service.credential(),
		});
		const { requests } = service.simulator.record;
		expect(Math.max(...requests.map(({ inProgress }) => inProgress))).toBe(maxConcurrency);
		expect(jsonOf(run).map(({ to }) => to)).toEqual(all);
		expect(run.outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(
			all.map((_to, item) => ({ item })),
		);
		expect(service.simulator.violations()).toEqual([]);
	});

	it('ten are under way at the same time where nothing is said, whatever later items say', async () => {
		service.simulator.setLatency(500);
		await runNode({
			parameters: calls({ requestsPerSecond: '={{ $itemIndex === 0 ? 0 : 1 }}' }),
			items: itemsFor(numbers(24)),
			credential: service.credential(),
		});
		const { requests } = service.simulator.record;
		expect(Math.max(...requests.map(({ inProgress }) => inProgress))).toBe(10);
	});

	it('go out at the pace that was asked for', async () => {
		await runNode({
			parameters: calls({ requestsPerSecond: 5 }),
			items: itemsFor(numbers(5)),
			credential: service.credential(),
		});
		const times = service.simulator.record.requests.map(({ at }) => Date.parse(at));
		// Four pauses of 200 ms, less what the arrival of the first may have been late.
		expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(400);
	});

	it('each one’s own pace is checked', async () => {
		const run = await runNode({
			parameters: calls({ maxConcurrency: '={{ $itemIndex === 1 ? 0 : 5 }}' }),
			items: itemsFor(numbers(3)),
			settings: CONTINUE,
			credential: service.credential(),
		});
		expect(jsonOf(run).map(({ error }) => error !== undefined)).toEqual([false, true, false]);
		expect(reportIn(jsonOf(run)[1]).message).toContain("'Max Concurrency'");
	});

	it('Stop: after a failure no further one goes out', async () => {
		const all = numbers(30);
		service.simulator.setLatency(20);
		service.simulator.fail({ kind: 'statusCode', statusCode: '160040', number: all[0] });
		const { error } = await runNode({
			parameters: calls({ maxConcurrency: 4 }),
			items: itemsFor(all),
			credential: service.credential(),
		});
		const context = error?.context as {
			accepted: Array<{ itemIndex: number }>;
			notAttempted: number[];
		};
		const sent = service.simulator.record.requests.map(({ fields }) => fields.to);
		expect(error?.message).toMatch(/\[item 0\]$/);
		expect(sent.length).toBeLessThan(10);
		expect(context.accepted.map(({ itemIndex }) => itemIndex)).toEqual(
			all.flatMap((to, index) => (index > 0 && sent.includes(to) ? [index] : [])),
		);
		expect(context.notAttempted).toEqual(
			all.flatMap((to, index) => (sent.includes(to) ? [] : [index])),
		);
	});
});

describe('a request that was refused for load', () => {
	it.each<[string, FaultRule]>([
		['111111', { kind: 'statusCode', statusCode: '111111' }],
		['160010', { kind: 'statusCode', statusCode: '160010' }],
		['161006', { kind: 'statusCode', statusCode: '161006' }],
		['HTTP 429', { kind: 'http', status: 429, body: 'Slow down' }],
		[
			'HTTP 503 with a code',
			{
				kind: 'http',
				status: 503,
				body: '{"statusCode":"111111","statusMsg":"并发数超限"}',
				contentType: 'application/json',
			},
		],
	])('%s: goes out again, and a hint tells', async (_what, fault) => {
		service.simulator.fail(fault);
		const run = await callOne();
		expect(jsonOf(run)).toEqual([expect.objectContaining({ statusCode: '000000', to: NUMBER })]);
		expect(requestCount()).toBe(2);
		expect(service.simulator.accepted()).toHaveLength(1);
		expect(run.hints.map(({ message }) => message)).toEqual([
			expect.stringContaining('refused 1 request because too much came at once'),
		]);
		expect(service.simulator.violations()).toEqual([]);
	});

	it.each<[string, FaultRule, string]>([
		['111111', { kind: 'statusCode', statusCode: '111111' }, '111111'],
		['HTTP 429', { kind: 'http', status: 429, body: 'Slow down' }, ''],
	])('%s again and again: is given up after four tries', async (_what, fault, statusCode) => {
		service.simulator.fail({ ...fault, times: Infinity });
		const run = await callOne();
		expect(reportIn(jsonOf(run)[0])).toMatchObject({ statusCode, accepted: 'no', to: NUMBER });
		expect(requestCount()).toBe(4);
		expect(service.simulator.accepted()).toEqual([]);
	});

	it.each<[string, FaultRule, string]>([
		['HTTP 503', { kind: 'http', status: 503, body: 'Busy' }, 'unknown'],
		['HTTP 502, accepted', { kind: 'http', status: 502, body: 'Bad', accept: true }, 'unknown'],
		['HTTP 504', { kind: 'http', status: 504, body: '' }, 'unknown'],
		['a reset', { kind: 'reset', accept: true }, 'unknown'],
		['160015', { kind: 'statusCode', statusCode: '160015' }, 'no'],
		['160038', { kind: 'statusCode', statusCode: '160038' }, 'no'],
		[
			'HTTP 429 with 160038',
			{
				kind: 'http',
				status: 429,
				body: '{"statusCode":"160038"}',
				contentType: 'application/json',
			},
			'no',
		],
	])('%s is not that: nothing goes out again', async (_what, fault, accepted) => {
		service.simulator.fail(fault);
		const run = await callOne();
		expect(reportIn(jsonOf(run)[0]).accepted).toBe(accepted);
		expect(requestCount()).toBe(1);
		expect(run.hints).toEqual([]);
	});

	it('in the middle of many: all arrive once', async () => {
		const all = numbers(30);
		service.simulator.setLatency(10);
		service.simulator.fail({ kind: 'statusCode', statusCode: '111111', nth: 5, times: 8 });
		const run = await runNode({
			parameters: calls({ maxConcurrency: 8 }),
			items: itemsFor(all),
			settings: CONTINUE,
			credential: service.credential(),
		});
		expect(jsonOf(run).map(({ to }) => to)).toEqual(all);
		const reached = service.simulator.accepted().map((one) => one.kind === 'call' && one.to);
		expect(reached.sort()).toEqual([...all].sort());
		expect(requestCount()).toBe(38);
	});

	it('also where the node only reads', async () => {
		service.simulator.seedSubAccounts(250);
		service.simulator.fail({ kind: 'statusCode', statusCode: '111111', nth: 2 });
		const run = await runNode({
			parameters: operation('subAccount', 'getAll', { returnAll: true }),
			credential: service.credential(),
		});
		expect(jsonOf(run)).toHaveLength(250);
		expect(requestCount()).toBe(4);
	});
});

describe('a hint recommends Continue', () => {
	const hintsOf = async (parameters: INodeParameters, settings: NodeSettings, count = 2) => {
		const run = await runNode({
			parameters,
			items: itemsFor(numbers(count)),
			settings,
			credential: service.credential(),
		});
		return run.hints.map(({ message }) => message);
	};

	it('once, where several items reach people and the node stops at failures', async () => {
		expect(await hintsOf(calls(), {}, 5)).toEqual([
			expect.stringContaining('Set On Error to Continue'),
		]);
	});

	it.each<[string, INodeParameters, NodeSettings, number]>([
		['one item', calls(), {}, 1],
		['Continue', calls(), CONTINUE, 2],
		['a dry run', calls({ dryRun: true }), {}, 2],
		['reading', operation('account', 'get'), {}, 2],
	])('not for %s', async (_what, parameters, settings, count) => {
		expect(await hintsOf(parameters, settings, count)).toEqual([]);
	});
});
