import { numberEnding, type Calls } from './callResults';
import type { StoredWorkflow, WorkflowNode } from './n8nRest';
import { until } from './until';
import {
	beside,
	chain,
	hook,
	resultTrigger,
	splitPeople,
	Startable,
	tell,
	waitingCall,
} from './waitWorkflows';
import { node, START } from './workflows';
import type { World } from './world';

/** Ways in which n8n starts an execution, besides an active trigger, by n8n's names. */
export const MODES = ['error', 'retry', 'manual'] as const;
type Mode = (typeof MODES)[number];

const BEGINNINGS: Record<Mode, () => WorkflowNode> = {
	error: () => node('Error Trigger', 'n8n-nodes-base.errorTrigger'),
	retry: hook,
	manual: () => node(START, 'n8n-nodes-base.manualTrigger'),
};

/**
 * Starts two calls in a mode that wait for their results, told by the trigger of their own workflow.
 * Checks that each call is placed once and its result goes on once.
 */
export async function alarmTwo(world: World, calls: Calls, mode: Mode): Promise<void> {
	const { n8n, simulator } = world;
	const userData = calls.nextName();
	const definition = buildAlarm(world, BEGINNINGS[mode](), userData);
	simulator.configure({ callResultDelayMs: 300 });
	if (mode === 'retry') {
		const startable = await Startable.activate(world, definition);
		const fault = simulator.fail({ kind: 'statusCode', statusCode: '160040', times: 2 });
		const { id } = await n8n.rest.startBy(
			startable.workflow,
			async () => await startable.start({}),
		);
		expect((await n8n.rest.ended(id)).status).toBe('error');
		fault.remove();
		await n8n.rest.retryExecution(id);
	} else {
		const workflow = await n8n.rest.createWorkflow(definition);
		await n8n.rest.activate(workflow);
		if (mode === 'manual') await n8n.rest.run(workflow, START);
		else await failWith(world, workflow);
	}
	const placed = await until('two calls', () => {
		const made = calls.all().filter((call) => call.userData === userData);
		return made.length >= 2 ? made : undefined;
	});
	const told = await Promise.all(placed.map(async (call) => [call.to, await calls.told(call)]));
	expect(Object.fromEntries(told)).toEqual({
		[numberEnding('0')]: [`completed ${userData}`],
		[numberEnding('1')]: [`noAnswer ${userData}`],
	});
	expect(calls.all().filter((call) => call.userData === userData)).toHaveLength(2);
}

function buildAlarm({ credential }: World, beginning: WorkflowNode, userData: string) {
	const people = [numberEnding('0'), numberEnding('1')].map((to) => ({ to, userData }));
	const jsonOutput = JSON.stringify({ body: { people } });
	const list = node('List', 'n8n-nodes-base.set', { mode: 'raw', jsonOutput, options: {} }, 3.4);
	const call = waitingCall(credential, { from: '$json' });
	const definition = chain('Alarm', beginning, list, splitPeople(), call, tell(credential));
	return beside(definition, resultTrigger(credential));
}

/** Has another workflow fail whose error workflow this is. */
async function failWith(world: World, { id }: StoredWorkflow): Promise<void> {
	const fail = node('Fail', 'n8n-nodes-base.stopAndError', { errorMessage: 'Disk full' });
	const failing = await Startable.activate(world, {
		...chain('Failing', hook(), fail),
		settings: { errorWorkflow: id },
	});
	await failing.start({});
}
