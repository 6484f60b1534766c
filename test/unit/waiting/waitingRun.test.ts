import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { parseResumeAddress } from '../../../nodes/Yuntongxun/callbacks/callbackUrl';
import { noteParked } from '../../../nodes/Yuntongxun/waiting/deliveries';
import {
	findParkedRun,
	removeWait,
	WaitingRun,
} from '../../../nodes/Yuntongxun/waiting/waitingRun';
import type { AwaitedCall } from '../../../nodes/Yuntongxun/callbacks/wait';
import { nodeOf } from '../../support/executeData';

jest.mock('../../../nodes/Yuntongxun/waiting/deliveries', () => ({
	...jest.requireActual<object>('../../../nodes/Yuntongxun/waiting/deliveries'),
	noteParked: jest.fn(),
}));

const NOW = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const RELAYED_TO = 'https://n8n.example.com/webhook-waiting/7/yuntongxun-result?ytWait=w1';

const WAIT: AwaitedCall = {
	kind: 'wait',
	event: 'voiceNotification',
	continueWhen: 'allResults',
	maxWaitMs: 10 * MINUTE,
	doubts: [],
};
const RELAYED: AwaitedCall = { ...WAIT, relayedTo: RELAYED_TO };
const FAILED = { json: { error: { message: 'refused' } } };
const itemOf = (callSid: string, item = 0) => ({ json: { callSid }, pairedItem: { item } });

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
		getNode: () => nodeOf(settings),
		evaluateExpression,
		putExecutionToWait,
	} as unknown as IExecuteFunctions;
	const begin = () => WaitingRun.begin(context);
	const stored = () =>
		findParkedRun({ runExecutionData: { executionData: { nodeExecutionStack: [executeData] } } });
	return { begin, context, evaluateExpression, executeData, putExecutionToWait, stored, warnings };
}

beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
	jest.mocked(noteParked).mockClear();
});
afterEach(() => {
	jest.useRealTimers();
});

describe('a run that waits', () => {
	it('takes results at one address over all of its tries, and each run at its own', () => {
		const { begin, evaluateExpression } = nodeRun();
		const address = begin().buildAddress();
		expect(address).toMatch(
			/^https:\/\/n8n\.example\.com\/webhook-waiting\/7\/yuntongxun-result\?signature=s&ytWait=[\w-]{12}$/,
		);
		expect(begin().buildAddress()).toBe(address);
		expect(evaluateExpression.mock.calls).toEqual([['{{ $execution.resumeUrl }}', 0]]);
		expect(nodeRun().begin().buildAddress()).not.toBe(address);
	});

	it('takes a result itself unless all of its calls have a relay', () => {
		const run = nodeRun().begin();
		run.noteAccepted(RELAYED, 'a');
		expect(run.hasUnrelayedWait).toBe(false);
		run.noteAccepted(WAIT, 'b');
		expect(run.hasUnrelayedWait).toBe(true);
	});

	it('counts the calls of all of its tries', () => {
		const { begin } = nodeRun();
		const run = begin();
		expect(run.acceptedCalls).toBe(0);
		run.noteAccepted(WAIT, 'c1');
		begin().noteAccepted(WAIT, 'c2');
		expect(begin().acceptedCalls).toBe(2);
		expect(nodeRun().begin().acceptedCalls).toBe(0);
	});

	it.each<[string, number[], number]>([
		['the first', [20, 10], 0],
		['the second', [10, 20], 1],
		['the one between', [10, 20, 10], 1],
		['the first of those with the same limit', [20, 20], 0],
	])('is parked for the longest limit of its calls: that of %s', async (_, limits, longest) => {
		const { begin, stored } = nodeRun();
		const run = begin();
		const addresses = limits.map((_limit, at) => `${RELAYED_TO}&ytExpires=${at}`);
		for (const [at, minutes] of limits.entries()) {
			const limit = { maxWaitMs: minutes * MINUTE, relayedTo: addresses[at] };
			run.noteAccepted({ ...RELAYED, ...limit }, `c${at}`);
		}
		await run.park(limits.map((_limit, at) => itemOf(`c${at}`, at)));
		expect(stored()?.wait.until).toBe(NOW + 20 * MINUTE);
		const [[, { url }]] = jest.mocked(noteParked).mock.calls;
		expect(url).toBe(addresses[longest]);
	});

	it('does not park if no item has an accepted call', async () => {
		const { begin, putExecutionToWait } = nodeRun();
		const items = [itemOf('c1'), FAILED];
		expect(await begin().park(items)).toBe(items);
		expect(putExecutionToWait).not.toHaveBeenCalled();
	});

	it('parks with the calls as its input, and leaves the items of other nodes alone', async () => {
		const { begin, context, executeData, stored, putExecutionToWait } = nodeRun();
		const run = begin();
		// The address of the call with the longest limit expires last.
		const short = { ...RELAYED, maxWaitMs: MINUTE, relayedTo: `${RELAYED_TO}&ytExpires=1` };
		run.noteAccepted(short, 'c1');
		jest.setSystemTime(NOW + 5000);
		run.noteAccepted({ ...RELAYED, continueWhen: 'firstAnswered' }, 'c2');
		const input = executeData.data.main;
		const items = [itemOf('c1'), FAILED, itemOf('c2', 2)];
		const shown = await run.park(items);

		const until = NOW + 5000 + 10 * MINUTE;
		const parked = [
			{ json: { callSid: 'c1', outcome: 'timeout', answered: false }, pairedItem: { item: 0 } },
			FAILED,
			{ json: { callSid: 'c2', outcome: 'timeout', answered: false }, pairedItem: { item: 2 } },
		];
		const resultIds = ['voiceNotification c1', null, 'voiceNotification c2'];
		const id = run.buildAddress().slice(-12);
		expect(stored()).toEqual({
			wait: { id, continueWhen: 'allResults', until, resultIds },
			items: parked,
		});
		const open = { outcome: 'pending', answered: false };
		expect(shown).toEqual(
			parked.map((item) =>
				'callSid' in item.json ? { ...item, json: { ...item.json, ...open } } : item,
			),
		);
		// n8n empties what a node returns.
		shown.length = 0;
		expect(stored()?.items).toHaveLength(3);
		expect(executeData.data.other).toEqual([[]]);
		expect([input, items]).toEqual([
			[[{ json: { order: 1 } }]],
			[itemOf('c1'), FAILED, itemOf('c2', 2)],
		]);
		expect(putExecutionToWait.mock.calls).toEqual([[new Date(until + 3 * MINUTE)]]);
		const missing = ['voiceNotification c1', 'voiceNotification c2'];
		expect(jest.mocked(noteParked).mock.calls).toEqual([
			[
				context,
				parseResumeAddress(RELAYED_TO),
				{ wait: 'waiting', missing, until, firstAnswered: false },
			],
		]);
	});

	it('parks until its limit without a relay', async () => {
		const { begin, putExecutionToWait } = nodeRun();
		const run = begin();
		run.noteAccepted(WAIT, 'c1');
		await run.park([itemOf('c1')]);
		expect(putExecutionToWait.mock.calls).toEqual([[new Date(NOW + 10 * MINUTE)]]);
		expect(noteParked).not.toHaveBeenCalled();
	});

	it("tells n8n's log once why results may not come, since n8n drops the hints of what has waited", async () => {
		const { begin, warnings } = nodeRun();
		const run = begin();
		run.noteAccepted({ ...WAIT, doubts: ['No way.', 'No trigger.'] }, 'c1');
		run.noteAccepted({ ...WAIT, doubts: ['No way.'] }, 'c2');
		await run.park([itemOf('c1'), itemOf('c2', 1)]);
		expect(warnings).toEqual([
			'Yuntongxun: execution 7 waits for a call result that may not come. No way.',
			'Yuntongxun: execution 7 waits for a call result that may not come. No trigger.',
		]);
	});

	it('tells the log nothing where nothing speaks against a result', async () => {
		const { begin, warnings } = nodeRun();
		const run = begin();
		run.noteAccepted(RELAYED, 'c1');
		await run.park([itemOf('c1'), FAILED]);
		expect(warnings).toEqual([]);
	});
});

describe('a run whose calls wish otherwise by expression', () => {
	const [all, first] = [WAIT, { ...WAIT, continueWhen: 'firstAnswered' } as const];
	it.each([
		['waits for all if a later call asks for it', [first, all], 'allResults'],
		['waits for all if the first call asks for it', [all, first], 'allResults'],
		['goes on at the first answer if no call asks for more', [first, first], 'firstAnswered'],
	])('%s', async (_, [one, other], continueWhen) => {
		const { begin, stored } = nodeRun();
		const run = begin();
		run.noteAccepted(one, 'c1');
		run.noteAccepted(other, 'c2');
		await run.park([FAILED, itemOf('c1', 1), itemOf('c2', 2)]);
		expect(stored()?.wait.continueWhen).toBe(continueWhen);
	});
});

describe('with Retry On Fail', () => {
	const failsFirst = [FAILED, itemOf('c1')];
	it.each<[string, Partial<INode>, INodeExecutionData[], number]>([
		['at once without it', { maxTries: 3 }, failsFirst, 1],
		['at once if the first item is fine', { retryOnFail: true }, [itemOf('c1'), FAILED], 1],
		['in the third try unless set', { retryOnFail: true }, failsFirst, 3],
		['in the second try at the earliest', { retryOnFail: true, maxTries: 1 }, failsFirst, 2],
		['in the fourth of four tries', { retryOnFail: true, maxTries: 4 }, failsFirst, 4],
		['in the fifth try at the latest', { retryOnFail: true, maxTries: 9 }, failsFirst, 5],
	])('a run parks %s', async (_, settings, items, expected) => {
		const { begin, putExecutionToWait } = nodeRun(settings);
		let tries = 0;
		while (putExecutionToWait.mock.calls.length === 0 && tries < 9) {
			const run = begin();
			run.noteAccepted(WAIT, 'c1');
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
		expect(() => removeWait({ runExecutionData })).not.toThrow();
	},
);
