import { randomUUID } from 'node:crypto';
import type { StoredWorkflow, WorkflowDefinition } from '../harness/n8nRest';
import { Calls, numberEnding } from '../harness/callResults';
import { CALL, chain, ours, beside, resultTrigger, findTrigger } from '../harness/waitWorkflows';
import { node, START } from '../harness/workflows';
import { describeOnEachN8n } from '../harness/world';
import './support/retry';

const INACTIVE = /This workflow's Yuntongxun Trigger is not active/;
const FOREIGN = /A trigger in another workflow receives what is sent/;

// What the node does with each answer is decided by test/unit/waiting and test/engine: here is how n8n
// comes to have no trigger at the address of a call, and how a result comes back to the call.
describeOnEachN8n('A call whose result is to start a trigger', (world, version) => {
	const calls = new Calls(world);

	/** A call by hand whose result goes to the trigger of its workflow; its user data is its name. */
	function reporting(userData: string, number = numberEnding('0')): WorkflowDefinition {
		const { credential } = world();
		const call = ours(CALL, credential, {
			resource: 'call',
			operation: 'notify',
			to: number,
			content: 'text',
			mediaTxt: 'Hello',
			resultDelivery: 'trigger',
			options: { userData },
		});
		const definition = chain('Reports', node(START, 'n8n-nodes-base.manualTrigger'), call);
		return beside(definition, resultTrigger(credential));
	}

	async function expectRefusal(execution: string, reason: RegExp, userData: string) {
		const { status, error } = await world().n8n.rest.ended(execution);
		expect(`${status}: ${error?.message}`).toMatch(reason);
		expect(calls.all().filter((call) => call.userData === userData)).toEqual([]);
	}

	/** The same, stored and active. */
	async function activeReporting(userData: string): Promise<StoredWorkflow> {
		const { rest } = world().n8n;
		const workflow = await rest.createWorkflow(reporting(userData));
		await rest.activate(workflow);
		return workflow;
	}

	test('is not placed while its trigger is not active', async () => {
		const { rest } = world().n8n;
		const userData = calls.nextName();
		const workflow = await rest.createWorkflow(reporting(userData));
		await expectRefusal(await rest.run(workflow, START), INACTIVE, userData);
	});

	test('is not placed by a copy over the public API, whose original takes its results', async () => {
		const { rest } = world().n8n;
		const userData = calls.nextName();
		const original = await activeReporting(userData);
		const copy = await rest.copyOverPublicApi(original);
		expect(findTrigger(copy).webhookId).toBe(findTrigger(original).webhookId);
		await expectRefusal(await rest.run(copy, START), FOREIGN, userData);

		expect((await rest.runToEnd(original, START)).error).toBeUndefined();
	});

	test('is not placed while its trigger is new, though the workflow is active', async () => {
		const { rest } = world().n8n;
		const userData = calls.nextName();
		const workflow = await activeReporting(userData);
		const others = workflow.nodes.filter((each) => each !== findTrigger(workflow));
		const trigger = { ...findTrigger(workflow), id: randomUUID(), webhookId: randomUUID() };
		const stored = await rest.workflow(workflow.id);
		const changed = { ...stored, nodes: [...others, trigger] };
		if (version.startsWith('1.')) {
			// n8n 1 activates what is saved, and runs what the editor shows.
			await expectRefusal(await rest.runUnsaved(changed, START), INACTIVE, userData);
		} else {
			// n8n 2 activates what is published, and runs what is saved.
			await rest.updateNodes(stored, changed.nodes);
			await expectRefusal(await rest.run(workflow, START), INACTIVE, userData);
		}
	});
});
