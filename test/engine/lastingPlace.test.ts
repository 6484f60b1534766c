import { ExecuteContext } from 'n8n-core';
import { createEmptyRunExecutionData, Workflow } from 'n8n-workflow';
import type { IDataObject, INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';

import { useDeduplication } from '../support/deduplication';
import { actionNode, additionalDataFor, node, nodeTypes, TYPES } from '../support/engine';
import { operation } from '../support/expectations';
import { useSimulator } from '../support/simulator';

const service = useSimulator();
useDeduplication();

/** Where n8n runs a node: as n8n's own code makes workflow and context there. */
interface Place {
	workflow: { id?: string; name?: string };
	mode: WorkflowExecuteMode;
	executionId?: string;
	/** Whether the workflow has a second node. */
	isShared?: boolean;
}

const MADE_ANEW: Array<[string, Place]> = [
	["n8n's Agents", { workflow: {}, mode: 'internal' }],
	['Chat Hub', { workflow: { id: 'chat', name: 'Chat' }, mode: 'chat', executionId: '7' }],
	[
		'the assistant',
		{
			workflow: { id: 'passing', name: `Execute node ${TYPES.action}` },
			mode: 'manual',
			executionId: '7',
		},
	],
];

async function use(parameters: INodeParameters, place: Place): Promise<IDataObject[]> {
	const own = node('Target Node', TYPES.action, parameters);
	const others = place.isShared === true ? [node('Start', TYPES.start)] : [];
	const workflow = new Workflow({
		...place.workflow,
		nodes: [own, ...others],
		connections: {},
		active: false,
		nodeTypes,
	});
	await workflow.expression.acquireIsolate();
	const items = [{ json: {} }];
	const data = { main: [items] };
	const context = new ExecuteContext(
		workflow,
		own,
		additionalDataFor(workflow, service.credential(), { executionId: place.executionId }),
		place.mode,
		createEmptyRunExecutionData(),
		0,
		items,
		data,
		{ node: own, data, source: null },
		[],
	);
	const [output] = await actionNode.execute.call(context);
	return output.map(({ json }) => json);
}

const call = (options: INodeParameters = {}, more: INodeParameters = {}) =>
	operation('call', 'notify', { to: '13800000005', mediaTxt: 'Hello', ...more }, options);

const NEEDS_MEMORY: Array<[string, INodeParameters]> = [
	['Limits', call({ limits: { rule: [{ by: 'total', max: 1, per: 'day' }] } })],
	['Send Once per ID', call({ idempotencyKey: 'order-7' })],
	['a pace', call({ requestsPerSecond: 1 })],
	['a trigger', call({}, { resultDelivery: 'trigger' })],
	['a wait', call({}, { resultDelivery: 'wait' })],
	['a limit that is rehearsed', call({ dryRun: true, idempotencyKey: 'order-7' })],
	['Check', operation('verificationCode', 'check', { verificationToken: 'v1', code: '1234' })],
];

describe.each(MADE_ANEW)('in %s, where n8n makes the node anew for each use', (_name, place) => {
	it.each(NEEDS_MEMORY)('%s is refused, with where to put the node', async (_what, parameters) => {
		await expect(use(parameters, place)).rejects.toThrow(
			/anew for each use.*Put the node into a workflow, and give the agent that workflow/s,
		);
		expect(service.simulator.record.requests).toEqual([]);
	});

	it('a call without them is placed', async () => {
		await expect(use(call(), place)).resolves.toMatchObject([{ to: '13800000005' }]);
		expect(service.simulator.record.requests).toHaveLength(1);
	});

	it('Allowed Recipients and Dry Run hold', async () => {
		await expect(use(call({ allowedRecipients: '139*' }), place)).rejects.toThrow('Allowed');
		await expect(use(call({ dryRun: true }), place)).resolves.toMatchObject([{ dryRun: true }]);
		expect(service.simulator.record.requests).toEqual([]);
	});

	it('the model sees no secrets of a sub-account', async () => {
		const create = operation('subAccount', 'create', { friendlyName: 'shop-42' });
		const [created] = await use(create, place);
		expect(Object.keys(created)).toContain('subAccountSid');
		expect(created).not.toHaveProperty('subToken');
		expect(created).not.toHaveProperty('voipPwd');
	});
});

it.each<[string, Place]>([
	[
		'with a name like those of the assistant and a second node',
		{
			workflow: { id: 'own', name: `Execute node ${TYPES.action}` },
			mode: 'manual',
			executionId: '7',
			isShared: true,
		},
	],
	[
		'of one node with a name of its own',
		{ workflow: { id: 'other', name: 'Execute node 7' }, mode: 'manual', executionId: '7' },
	],
])('a workflow %s keeps what its node remembers', async (_what, place) => {
	const once = call({ idempotencyKey: 'order-7' });
	await use(once, place);
	await expect(use(once, place)).resolves.toMatchObject([{ duplicate: true }]);
	expect(service.simulator.record.requests).toHaveLength(1);
});
