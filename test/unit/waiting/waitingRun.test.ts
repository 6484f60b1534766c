import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import {
	findEarlierOutput,
	findParkedRun,
	clearParkedWait,
} from '../../../nodes/Yuntongxun/waiting/parkedWait';
import type { FoundRoute } from '../../../nodes/Yuntongxun/waiting/resultTarget';
import { WaitingRun } from '../../../nodes/Yuntongxun/waiting/waitingRun';
import { useFakeClock } from '../../support/fakeClock';
import { buildNode } from '../../support/fakeN8n';

const NOW = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

const ROUTE: FoundRoute = { buildUrl: () => '', hints: [] };
const WAIT: FoundRoute = { ...ROUTE, maxWaitMs: 10 * MINUTE };
const FAILED = { json: { error: { message: 'refused' } } };
const placedItem = (callSid: string, item = 0) => ({ json: { callSid }, pairedItem: { item } });

/** One run of a node, as n8n shows it to each of its tries. */
function nodeRun(settings: Partial<INode> = {}) {
	const executeData: { data: Record<string, INodeExecutionData[][]> } = {
		data: { main: [[{ json: { order: 1 } }]], other: [[]] },
	};
	const evaluateExpression = jest.fn(() => 'https://n8n.example.com/webhook-waiting/7?signature=s');
	const putExecutionToWait = jest.fn(async () => {});
	const warnings: string[] = [];
	const context = {
		logger: { warn: (line: string) => void warnings.push(line) },
		getExecutionId: () => '7',
		getExecuteData: () => executeData,
		getNode: () => buildNode(settings),
		evaluateExpression,
		putExecutionToWait,
	} as unknown as IExecuteFunctions;
	const begin = () => WaitingRun.begin(context);
	const stored = () =>
		findParkedRun({ runExecutionData: { executionData: { nodeExecutionStack: [executeData] } } });
	return { begin, context, evaluateExpression, executeData, putExecutionToWait, stored, warnings };
}

useFakeClock(NOW);

describe('a run that waits', () => {
	it('has one key for all of its tries, and another run has another', () => {
		const { begin, evaluateExpression } = nodeRun();
		const key = begin().getResumeKey();
		expect(key).toEqual({
			execution: '7?signature=s',
			waitId: expect.stringMatching(/^[\w-]{22}$/) as string,
		});
		expect(begin().getResumeKey()).toBe(key);
		expect(evaluateExpression.mock.calls).toEqual([['{{ $execution.resumeUrl }}', 0]]);
		expect(nodeRun().begin().getResumeKey().waitId).not.toBe(key.waitId);
	});

	it('counts the calls of all of its tries', () => {
		const { begin } = nodeRun();
		const run = begin();
		expect(run.awaitedCalls).toBe(0);
		run.recordPlacedCall('c1', WAIT);
		begin().recordPlacedCall('c2', WAIT);
		expect(begin().awaitedCalls).toBe(2);
		expect(nodeRun().begin().awaitedCalls).toBe(0);
	});

	it('is parked for the longest limit of its calls', async () => {
		const { begin, stored } = nodeRun();
		const run = begin();
		const limits = [10, 20, 10];
		for (const [at, minutes] of limits.entries()) {
			run.recordPlacedCall(`c${at}`, { ...WAIT, maxWaitMs: minutes * MINUTE });
		}
		await run.park(limits.map((_limit, at) => placedItem(`c${at}`, at)));
		expect(stored()?.wait.until).toBe(NOW + 20 * MINUTE);
	});

	it('counts its limit from the last call of the run, whether that waits or not', async () => {
		const { begin, stored } = nodeRun();
		const run = begin();
		run.recordPlacedCall('c1', WAIT);
		jest.setSystemTime(NOW + 3 * MINUTE);
		run.recordPlacedCall('c2', undefined);
		await run.park([placedItem('c1'), placedItem('c2', 1)]);
		expect(stored()?.wait).toMatchObject({
			until: NOW + 13 * MINUTE,
			callSids: ['c1', null],
		});
	});

	it('does not park if no item has a call to wait for', async () => {
		const { begin, putExecutionToWait } = nodeRun();
		const items = [placedItem('c1'), FAILED];
		const run = begin();
		run.recordPlacedCall('c1', ROUTE);
		expect(await run.park(items)).toBe(items);
		expect(putExecutionToWait).not.toHaveBeenCalled();
	});

	it('parks with the calls as its input, and leaves the items of other nodes alone', async () => {
		const { begin, context, executeData, stored, putExecutionToWait } = nodeRun();
		expect(findEarlierOutput(context)).toBeUndefined();
		const run = begin();
		run.recordPlacedCall('c1', WAIT);
		jest.setSystemTime(NOW + 5000);
		run.recordPlacedCall('c2', WAIT);
		const input = executeData.data.main;
		const items = [placedItem('c1'), FAILED, placedItem('c2', 2)];
		const shown = await run.park(items);

		const until = NOW + 5000 + 10 * MINUTE;
		const parked = [
			{ json: { callSid: 'c1', outcome: 'timeout', answered: false }, pairedItem: { item: 0 } },
			FAILED,
			{ json: { callSid: 'c2', outcome: 'timeout', answered: false }, pairedItem: { item: 2 } },
		];
		// n8n's own timer stands two and a half minutes behind the limit; it arms it 70 seconds ahead.
		const timer = until + 2.5 * MINUTE;
		const resumableUntil = timer - 80_000;
		expect(stored()).toEqual({
			wait: {
				id: run.getResumeKey().waitId,
				until,
				resumableUntil,
				callSids: ['c1', null, 'c2'],
			},
			items: parked,
		});
		expect(putExecutionToWait.mock.calls).toEqual([[new Date(timer)]]);
		// It is not answered yet, and nobody may read that it was not.
		const open = (callSid: string, item: number) => ({
			json: { callSid, outcome: 'pending' },
			pairedItem: { item },
		});
		expect(shown).toEqual([open('c1', 0), FAILED, open('c2', 2)]);
		// n8n empties what a node returns.
		shown.length = 0;
		expect(stored()?.items).toHaveLength(3);
		clearParkedWait({ runExecutionData: { executionData: { nodeExecutionStack: [executeData] } } });
		expect(stored()).toBeUndefined();
		expect(findEarlierOutput(context)).toEqual(parked);
		expect(executeData.data.other).toEqual([[]]);
		expect([input, items]).toEqual([
			[[{ json: { order: 1 } }]],
			[placedItem('c1'), FAILED, placedItem('c2', 2)],
		]);
	});

	it("tells n8n's log once why results may not come, since n8n drops the hints of what has waited", async () => {
		const { begin, warnings } = nodeRun();
		const run = begin();
		run.recordPlacedCall('c1', { ...WAIT, hints: ['No way.', 'No trigger.'] });
		run.recordPlacedCall('c2', { ...WAIT, hints: ['No way.'] });
		await run.park([placedItem('c1'), placedItem('c2', 1)]);
		expect(warnings).toEqual([
			'Yuntongxun: execution 7 waits for a call result that may not come. No way.',
			'Yuntongxun: execution 7 waits for a call result that may not come. No trigger.',
		]);
	});
});

describe('with Retry On Fail', () => {
	const failsFirst = [FAILED, placedItem('c1')];
	it.each<[string, Partial<INode>, INodeExecutionData[], number]>([
		['at once without it', { maxTries: 3 }, failsFirst, 1],
		['at once if the first item is fine', { retryOnFail: true }, [placedItem('c1'), FAILED], 1],
		['in the third try unless set', { retryOnFail: true }, failsFirst, 3],
		['in the second try at the earliest', { retryOnFail: true, maxTries: 1 }, failsFirst, 2],
		['in the fourth of four tries', { retryOnFail: true, maxTries: 4 }, failsFirst, 4],
		['in the fifth try at the latest', { retryOnFail: true, maxTries: 9 }, failsFirst, 5],
	])('a run parks %s', async (_, settings, items, expected) => {
		const { begin, putExecutionToWait } = nodeRun(settings);
		let tries = 0;
		while (putExecutionToWait.mock.calls.length === 0 && tries < 9) {
			const run = begin();
			run.recordPlacedCall('c1', WAIT);
			await run.park(items);
			tries++;
		}
		expect(tries).toBe(expected);
	});
});

it.each([undefined, {}, { executionData: { nodeExecutionStack: [] } }])(
	'an execution that holds %j has no wait',
	(runExecutionData) => {
		expect(findParkedRun({ runExecutionData })).toBeUndefined();
		expect(() => clearParkedWait({ runExecutionData })).not.toThrow();
	},
);
