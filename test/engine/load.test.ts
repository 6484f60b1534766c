import type { INodeParameters } from 'n8n-workflow';

import type { FaultRule } from '../../simulator/index';
import { runNode } from '../support/engine/engine';
import type { NodeRun, NodeSettings } from '../support/engine/engine';
import { getJson, operation } from '../support/engine/expectations';
import { useSimulator } from '../support/engine/simulator';

const service = useSimulator();
const CONTINUE: NodeSettings = { onError: 'continueRegularOutput' };

const calls = (options: INodeParameters = {}) =>
	operation('call', 'notify', { to: '={{ $json.to }}', mediaTxt: 'Hello' }, options);
const numbers = (count: number) =>
	Array.from({ length: count }, (_each, index) => String(13_800_000_005 + 10 * index));
const itemsFor = (all: string[]) => all.map((to) => ({ to }));

const requestCount = () => service.simulator.record.requests.length;

/** The shortest pauses. */
beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

describe('several items', () => {
	it('are under way at the same time, as many as the first one says', async () => {
		service.simulator.setLatency(500);
		const all = numbers(7);
		const run = await runNode({
			parameters: calls({ maxConcurrency: '={{ $itemIndex === 0 ? 3 : 200 }}' }),
			items: itemsFor(all),
			credential: service.credential(),
		});
		const most = Math.max(...service.simulator.record.requests.map(({ inProgress }) => inProgress));
		// On a busy machine the third may come when the first is through.
		expect([2, 3]).toContain(most);
		expect(getJson(run).map(({ to }) => to)).toEqual(all);
		expect(run.outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(
			all.map((_to, item) => ({ item })),
		);
		expect(service.simulator.violations()).toEqual([]);
	});
});

describe('a request that was refused for load', () => {
	const json = (status: number, body: string): FaultRule => ({
		kind: 'http',
		status,
		body,
		contentType: 'application/json',
	});
	/** Calls one number for each fault. */
	const callsThatMeet = async (faults: FaultRule[], times: number): Promise<NodeRun> => {
		const all = numbers(faults.length);
		for (const [row, fault] of faults.entries()) {
			service.simulator.fail({ ...fault, number: all[row], times });
		}
		return await runNode({
			parameters: calls(),
			items: itemsFor(all),
			settings: CONTINUE,
			credential: service.credential(),
		});
	};

	it('goes out again, and a hint tells', async () => {
		const faults: FaultRule[] = [
			{ kind: 'statusCode', statusCode: '111111' },
			{ kind: 'statusCode', statusCode: '160010' },
			{ kind: 'statusCode', statusCode: '161006' },
			{ kind: 'http', status: 429, body: 'Slow down' },
			json(503, '{"statusCode":"111111","statusMsg":"并发数超限"}'),
		];
		const run = await callsThatMeet(faults, 1);
		expect(getJson(run).map(({ statusCode, to }) => [statusCode, to])).toEqual(
			numbers(5).map((to) => ['000000', to]),
		);
		expect([requestCount(), service.simulator.accepted().length]).toEqual([10, 5]);
		expect(run.hints.map(({ message }) => message)).toEqual([
			expect.stringContaining('refused requests 5 times because too much came at once'),
		]);
		expect(service.simulator.violations()).toEqual([]);
	});
});
