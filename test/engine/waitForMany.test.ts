import type { INode, INodeParameters, IRun } from 'n8n-workflow';

import type { AcceptedCall } from '../../simulator/index';
import { until } from '../harness/until';
import { connect, CONTINUE, execute, getRuns, node, TYPES } from '../support/engine';
import type { NodeSettings } from '../support/engine';
import { operation } from '../support/expectations';
import { useOwnN8n } from '../support/ownN8n';
import { ParkedExecution } from '../support/parkedExecution';
import { useSimulator } from '../support/simulator';

const service = useSimulator();
const n8n = useOwnN8n();
let workflows = 0;

const TRIGGER: INode = { ...node('Trigger', TYPES.trigger), webhookId: '4f9c' };

/** No result comes by itself for a call to a number that ends in 5. */
const NUMBERS = [1, 2, 3].map((at) => `138000000${at}5`);

/** Runs one node that makes a call for each number and waits for all of them. */
async function calling(
	numbers = NUMBERS,
	settings: NodeSettings = {},
	options: INodeParameters = {},
) {
	const items = numbers.map((to, order) => ({ to, order }));
	const form = { to: '={{ $json.to }}', mediaTxt: 'Hello', resultDelivery: 'wait' };
	const nodes = [
		node('Start', TYPES.start, { items: JSON.stringify(items) }),
		node('Yuntongxun', TYPES.action, operation('call', 'notify', form, options), settings),
		node('After', TYPES.start, { items: '[{"after":true}]' }),
	];
	const connections = connect(['Start', 'Yuntongxun'], ['Yuntongxun', 'After']);
	const credential = service.credential();
	const workflowId = `many-${++workflows}`;
	n8n.activate({ node: TRIGGER, workflowId, credential });
	const circumstances = { n8nUrl: n8n.url, workflowId, triggers: [TRIGGER] };
	const run = await execute(nodes, connections, credential, circumstances);
	return { run, parked: () => new ParkedExecution(run, { nodes, connections }, credential) };
}

const accepted = () =>
	service.simulator.accepted().filter((each): each is AcceptedCall => each.kind === 'call');

/** Reports how the call to a number ended, at the address that the service was given. */
async function report(to: string, state = '1'): Promise<void> {
	const { callSid, respUrl = '' } = accepted().find((each) => each.to === to) ?? {};
	const duration = state === '0' ? '30' : '0';
	const body = JSON.stringify({ action: 'SellingCall', callSid, number: to, state, duration });
	expect((await fetch(respUrl, { method: 'POST', body })).status).toBe(200);
}

/** Lets all results come to an execution that n8n has parked. @returns what becomes of it */
async function resumed(execution: ParkedExecution): Promise<IRun> {
	n8n.park(execution);
	for (const to of NUMBERS) await report(to);
	return await until('the resume', () => execution.runs[0]);
}

/** What the last run of a node gave. */
const lastOutput = (run: IRun, name = 'Yuntongxun') => getRuns(run, name).at(-1)?.outputs[0] ?? [];
const outputJson = (run: IRun, name?: string) => lastOutput(run, name).map(({ json }) => json);
const outcomes = (run: IRun) =>
	outputJson(run).map((json) => json.outcome ?? (json.error ? 'error' : 'none'));

/** Has the service refuse the next call. */
const refuse = () =>
	service.simulator.fail({ kind: 'statusCode', statusCode: '111142', accept: false });

it('calls of one run are placed at once, park once, and resume once with their results in input order', async () => {
	const { run, parked } = await calling();
	expect([run.status, outcomes(run)]).toEqual(['waiting', ['pending', 'pending', 'pending']]);
	expect(accepted()).toHaveLength(3);
	expect(getRuns(run, 'After')).toEqual([]);
	// What parks with the node's input leaves the output of the node before it alone.
	expect(outputJson(run, 'Start')).toEqual(NUMBERS.map((to, order) => ({ to, order })));

	// Two come before n8n has parked it, and one of them again.
	await report(NUMBERS[2], '2');
	await report(NUMBERS[1], '0');
	const execution = parked();
	const whole = await resumed(execution);
	expect(outcomes(whole)).toEqual(['noAnswer', 'completed', 'failed']);
	expect(outputJson(whole).map((json) => json.to)).toEqual(NUMBERS);
	const paired = lastOutput(whole).map(({ pairedItem }) => pairedItem);
	expect(paired).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
	expect(getRuns(whole, 'After')).toHaveLength(1);
	expect(execution.runs).toHaveLength(1);
	expect(service.simulator.violations()).toEqual([]);
});

it('calls of one run continue at the limit with what n8n has parked', async () => {
	const { parked } = await calling();
	const run = await parked().timeOut();
	expect(outcomes(run)).toEqual(['timeout', 'timeout', 'timeout']);
	expect(outputJson(run).map((json) => json.callSid)).toEqual(
		NUMBERS.map((to) => accepted().find((call) => call.to === to)?.callSid),
	);
	expect(getRuns(run, 'After')).toHaveLength(1);
	// Only the node's items, and nothing that the wait has stored with them.
	expect(JSON.stringify(run.data.resultData)).not.toContain('yuntongxunWait');
});

// n8n crashed in what follows the wait: n8n runs the waiting node anew.
it('an execution that is retried after its wait gives on the results that came, and calls nobody', async () => {
	const { parked } = await calling();
	const execution = parked();
	await resumed(execution);
	const again = await execution.retry();
	expect([again.status, outcomes(again)]).toEqual([
		'success',
		['noAnswer', 'noAnswer', 'noAnswer'],
	]);
	expect(getRuns(again, 'After')).toHaveLength(1);
	expect(accepted()).toHaveLength(3);
});

it('a call that is refused ends the run without Continue, and nothing waits', async () => {
	refuse();
	const { run } = await calling();
	expect([run.status, Boolean(run.waitTill)]).toEqual(['error', false]);
});

it.each([2, 3, 5])(
	'with Retry On Fail and Continue the last of %i tries parks, though the first item failed',
	async (maxTries) => {
		refuse();
		const settings = { ...CONTINUE, retryOnFail: true, maxTries, waitBetweenTries: 1 };
		const numbers = ['nonsense', ...NUMBERS];
		const { run, parked } = await calling(numbers, settings, { requestsPerSecond: 10 });
		expect(run.status).toBe('waiting');
		// The one that the service refused is placed by the second try; nothing is placed twice.
		expect(accepted().map(({ to }) => to)).toEqual([NUMBERS[1], NUMBERS[2], NUMBERS[0]]);
		const whole = await resumed(parked());
		expect(outcomes(whole)).toEqual(['error', 'noAnswer', 'noAnswer', 'noAnswer']);
		expect(outputJson(whole).map((json) => json.to)).toEqual([undefined, ...NUMBERS]);
	},
);
