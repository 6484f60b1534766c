import type { INode, INodeParameters, IRun } from 'n8n-workflow';

import { RateLimiter } from '../../nodes/Yuntongxun/executor/rateLimiter';
import { Reservations } from '../../nodes/Yuntongxun/idempotency/reservations';
import { relay } from '../../nodes/Yuntongxun/waiting/relay/relay';
import type { AcceptedCall } from '../../simulator/index';
import { useDeduplication } from '../support/engine/deduplication';
import { connect, CONTINUE, execute, node, getRuns, TYPES } from '../support/engine/engine';
import type { NodeSettings } from '../support/engine/engine';
import { operation, readRows } from '../support/engine/expectations';
import { useOwnN8n } from '../support/engine/ownN8n';
import { useSimulator } from '../support/engine/simulator';
import { ParkedExecution } from '../support/engine/parkedExecution';
import { openResumeAddress } from '../support/sealing';

const service = useSimulator();
const store = useDeduplication();
const n8n = useOwnN8n();
let workflows = 0;

/** No result comes by itself for a call to a number that ends in 5. */
const phoneNumber = (at: number) => `138000000${at}5`;
const TRIGGER: INode = { ...node('Trigger', TYPES.trigger), webhookId: '4f9c' };

interface Test {
	options?: INodeParameters;
	/** The phone numbers, one an item; three good ones unless given. */
	numbers?: string[];
	settings?: NodeSettings;
	/** Whether the workflow has an active trigger. */
	hasTrigger?: boolean;
}

const NUMBERS = [1, 2, 3].map(phoneNumber);

/** Runs one node that makes a call for each item and waits for all of them. */
async function calling({
	options = {},
	numbers = NUMBERS,
	settings = {},
	hasTrigger = true,
}: Test = {}) {
	const items = numbers.map((to, order) => ({ to, order }));
	const form = { to: '={{ $json.to }}', mediaTxt: 'Hello', resultDelivery: 'wait' };
	const definition = {
		nodes: [
			node('Start', TYPES.start, { items: JSON.stringify(items) }),
			node('Yuntongxun', TYPES.action, operation('call', 'notify', form, options), settings),
			node('After', TYPES.start, { items: '[{"after":true}]' }),
		],
		connections: connect(['Start', 'Yuntongxun'], ['Yuntongxun', 'After']),
	};
	const credential = service.credential();
	const { nodes, connections } = definition;
	const workflowId = `many-${++workflows}`;
	if (hasTrigger) n8n.activate({ node: TRIGGER, workflowId, credential });
	const run = await execute(nodes, connections, credential, {
		n8nUrl: n8n.url,
		workflowId,
		triggers: hasTrigger ? [TRIGGER] : [],
	});
	return { run, parked: () => new ParkedExecution(run, definition, credential) };
}

const accepted = () =>
	service.simulator.accepted().filter((each): each is AcceptedCall => each.kind === 'call');
const callTo = (to: string) => {
	const call = accepted().find((each) => each.to === to);
	if (!call) throw new Error(`There is no call to ${to}`);
	return call;
};

/** The address at which the execution takes results, out of that of a relay. */
const resumeAddress = () =>
	`https://n8n.example.com/webhook-waiting/${openResumeAddress(accepted()[0].respUrl ?? '', service.simulator.credentials)}`;

const escape = (text: string) => text.replace(/[?.]/g, '\\$&');

const callResult = (to: string, state = '1') =>
	JSON.stringify({
		action: 'SellingCall',
		callSid: callTo(to).callSid,
		number: to,
		state,
		duration: state === '0' ? '30' : '0',
	});
/** What a trigger passes on. */
const envelope = (...bodies: string[]) =>
	JSON.stringify({ ytResults: bodies.map((body) => ({ receivedAt: Date.now(), body })) });

/** What the last run of a node gave; nothing where the execution did not resume. */
const lastOutput = (run: IRun | undefined, name = 'Yuntongxun') =>
	(run && getRuns(run, name).at(-1)?.outputs[0]) ?? [];
const outputJson = (run: IRun | undefined, name?: string) =>
	lastOutput(run, name).map(({ json }) => json);
const outcomes = (run: IRun | undefined) =>
	outputJson(run).map((json) => json.outcome ?? (json.error ? 'error' : 'none'));
const hasGoneOn = (run: IRun | undefined) =>
	run !== undefined && getRuns(run, 'After').length === 1;

/** Has the service refuse the next call. */
const refuse = () =>
	service.simulator.fail({ kind: 'statusCode', statusCode: '111142', accept: false });

describe('calls of one run', () => {
	it('are placed at once, park once, and resume once with their results in input order', async () => {
		const { run, parked } = await calling();
		expect(run.status).toBe('waiting');
		expect(accepted()).toHaveLength(3);
		expect(getRuns(run, 'After')).toEqual([]);
		// What parks with the node's input leaves the output of the node before it alone.
		expect(outputJson(run, 'Start')).toEqual(NUMBERS.map((to, order) => ({ to, order })));
		const execution = parked();
		const first = await execution.deliver(resumeAddress(), envelope(callResult(NUMBERS[2])));
		expect(first.run).toBeUndefined();
		expect(JSON.parse(first.answer.body ?? '')).toMatchObject({ wait: 'waiting' });
		const rest = envelope(callResult(NUMBERS[1], '0'), callResult(NUMBERS[0], '2'));
		const { run: whole } = await execution.deliver(resumeAddress(), rest);
		expect(outcomes(whole)).toEqual(['failed', 'completed', 'noAnswer']);
		expect(hasGoneOn(whole)).toBe(true);
		const paired = lastOutput(whole).map(({ pairedItem }) => pairedItem);
		expect(paired).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(outputJson(whole).map((json) => json.to)).toEqual(NUMBERS);
		expect(service.simulator.violations()).toEqual([]);
	});

	it('end their pace and their records, and tell the relay what has parked', async () => {
		const spies = [
			jest.spyOn(RateLimiter.prototype, 'close'),
			jest.spyOn(Reservations.prototype, 'close'),
		];
		const noteParked = jest.spyOn(relay, 'noteParked');
		await calling();
		for (const spy of spies) expect(spy).toHaveBeenCalledTimes(1);
		const address = openResumeAddress(accepted()[0].respUrl ?? '', service.simulator.credentials);
		const inTenMinutes = expect.closeTo(Date.now() + 10 * 60_000, -5) as number;
		expect(noteParked.mock.calls).toEqual([
			[expect.anything(), expect.stringMatching(new RegExp(`/${escape(address)}$`)), inTenMinutes],
		]);
		for (const spy of [...spies, noteParked]) spy.mockRestore();
	});

	it('continue at the limit with what n8n has parked', async () => {
		const { parked } = await calling();
		const run = await parked().timeOut();
		expect(outcomes(run)).toEqual(['timeout', 'timeout', 'timeout']);
		expect(outputJson(run).map((json) => json.callSid)).toEqual(
			NUMBERS.map((to) => callTo(to).callSid),
		);
		expect(hasGoneOn(run)).toBe(true);
		// Only the node's items, and nothing that the wait has stored with them.
		expect(JSON.stringify(run.data.resultData)).not.toContain('yuntongxunWait');
	});
});

it('a call that takes its result itself parks before its records are checked', async () => {
	const release = store.holdAfter(1);
	const options = { idempotencyKey: 'one' };
	const { run } = await calling({ numbers: [NUMBERS[0]], options, hasTrigger: false });
	release();
	expect(run.status).toBe('waiting');
	expect(accepted()).toHaveLength(1);
});

it('a call that is refused ends the run without Continue, and nothing waits', async () => {
	refuse();
	const { run } = await calling({ options: { maxConcurrency: 2 } });
	expect(run.status).toBe('error');
	expect(run.waitTill).toBeFalsy();
	const rows = readRows(run.data.resultData.error as { context?: unknown });
	expect(rows.filter((row) => 'callSid' in row)).toHaveLength(accepted().length);
});

describe('with Retry On Fail and Continue', () => {
	const retrying = (maxTries: number): NodeSettings => ({
		...CONTINUE,
		retryOnFail: true,
		maxTries,
		waitBetweenTries: 1,
	});
	const options = { maxConcurrency: 1 };

	it.each([2, 3, 5])('the last of %i tries parks, though the first item failed', async (tries) => {
		refuse();
		const numbers = ['nonsense', ...NUMBERS];
		const { run, parked } = await calling({ numbers, options, settings: retrying(tries) });
		expect(run.status).toBe('waiting');
		// The one that the service refused is placed by the second try; nothing is placed twice.
		expect(accepted().map(({ to }) => to)).toEqual([NUMBERS[1], NUMBERS[2], NUMBERS[0]]);
		const results = NUMBERS.map((to) => callResult(to));
		const { run: whole } = await parked().deliver(resumeAddress(), envelope(...results));
		expect(outcomes(whole)).toEqual(['error', 'noAnswer', 'noAnswer', 'noAnswer']);
		expect(outputJson(whole).map((json) => json.to)).toEqual([undefined, ...NUMBERS]);
	});

	it('a placed call waits directly, though a further try refuses the item before it', async () => {
		const numbers = ['nonsense', NUMBERS[0]];
		const { run } = await calling({ numbers, settings: retrying(2), hasTrigger: false });
		expect([run.status, outcomes(run)]).toEqual(['waiting', ['error', 'pending']]);
		expect(accepted()).toHaveLength(1);
	});
});
