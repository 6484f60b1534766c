import type { INode, INodeParameters, IRun } from 'n8n-workflow';

import type { AcceptedCall } from '../../simulator/index';
import { connect, CONTINUE, execute, getRuns, node, TYPES } from '../support/engine';
import type { Circumstances, NodeSettings } from '../support/engine';
import { operation } from '../support/expectations';
import { useSimulator } from '../support/simulator';

// How it goes on: test/unit/waiting, and test/n8n/wait.test.ts with what n8n stores.

const service = useSimulator();

const TRIGGER: INode = { ...node('Trigger', TYPES.trigger), webhookId: '4f9c' };
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
	const circumstances: Circumstances = { mode: 'webhook', triggers: [TRIGGER] };
	return await execute(nodes, connections, service.credential(), circumstances);
}

const accepted = () =>
	service.simulator
		.accepted()
		.filter((each): each is AcceptedCall => each.kind === 'call')
		.map(({ to }) => to);

/** What the last run of a node gave. */
const outputJson = (run: IRun, name = 'Yuntongxun') =>
	(getRuns(run, name).at(-1)?.outputs[0] ?? []).map(({ json }) => json);

/** Has the service refuse the next call. */
const refuse = () =>
	service.simulator.fail({ kind: 'statusCode', statusCode: '111142', accept: false });

it('calls of one run are placed at once, and park the execution once', async () => {
	const run = await calling();
	expect(run.status).toBe('waiting');
	expect(outputJson(run)).toMatchObject(NUMBERS.map((to) => ({ to, outcome: 'pending' })));
	expect(accepted().sort()).toEqual(NUMBERS);
	expect(getRuns(run, 'After')).toEqual([]);
	// What parks with the node's input leaves the output of the node before it alone.
	expect(outputJson(run, 'Start')).toEqual(NUMBERS.map((to, order) => ({ to, order })));
	expect(service.simulator.violations()).toEqual([]);
});

it('without Continue, a refused call ends the run, and nothing waits', async () => {
	refuse();
	const run = await calling();
	expect([run.status, Boolean(run.waitTill)]).toEqual(['error', false]);
});

it.each([2, 3, 5])(
	'with Retry On Fail and Continue, the last of %i tries parks even if the first item failed',
	async (maxTries) => {
		refuse();
		const settings = { ...CONTINUE, retryOnFail: true, maxTries, waitBetweenTries: 1 };
		const numbers = ['nonsense', ...NUMBERS];
		const run = await calling(numbers, settings, { requestsPerSecond: 10 });
		expect(run.status).toBe('waiting');
		const pending = NUMBERS.map((to) => ({ to, outcome: 'pending' }));
		expect(outputJson(run)).toMatchObject([{ error: {} }, ...pending]);
		// The one that the service refused is placed by the second try; nothing is placed twice.
		expect(accepted()).toEqual([NUMBERS[1], NUMBERS[2], NUMBERS[0]]);
	},
);
