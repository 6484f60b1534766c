import { ExecuteContext } from 'n8n-core';
import { createEmptyRunExecutionData, Workflow } from 'n8n-workflow';
import type { IDataObject, INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';

import { actionNode, additionalDataFor, node, nodeTypes, TYPES } from '../support/engine';
import { EXAMPLE_NUMBER } from '../support/exampleForms';
import { operation } from '../support/expectations';
import { useSimulator } from '../support/simulator';

const service = useSimulator();

/** Where n8n runs a node: as n8n's own code makes workflow and context there. */
interface Place {
	workflow: { id?: string; name?: string };
	mode: WorkflowExecuteMode;
	executionId?: string;
}

const AS_ASSISTANT = `Execute node ${TYPES.action}`;

async function use(parameters: INodeParameters, place: Place): Promise<IDataObject[]> {
	const own = node('Target Node', TYPES.action, parameters);
	const about = { ...place.workflow, nodes: [own], connections: {}, active: false, nodeTypes };
	const workflow = new Workflow(about);
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

const call = (options: INodeParameters = {}) =>
	operation('call', 'notify', { to: EXAMPLE_NUMBER, mediaTxt: 'Hello' }, options);

describe.each<[string, Place]>([
	["n8n's Agents", { workflow: {}, mode: 'internal' }],
	['Chat Hub', { workflow: { id: 'chat', name: 'Chat' }, mode: 'chat', executionId: '7' }],
	[
		'the assistant',
		{ workflow: { id: 'passing', name: AS_ASSISTANT }, mode: 'manual', executionId: '7' },
	],
])('in %s, which creates the node anew for each use', (_name, place) => {
	it('what takes a memory is refused', async () => {
		await expect(use(call({ idempotencyKey: 'order-7' }), place)).rejects.toThrow(
			/recreates this node for every use/,
		);
		expect(service.simulator.record.requests).toEqual([]);
	});

	it('a call without these is placed, and the model sees no secrets of a sub-account', async () => {
		await expect(use(call(), place)).resolves.toMatchObject([{ to: EXAMPLE_NUMBER }]);
		expect(service.simulator.record.requests).toHaveLength(1);
		const create = operation('subAccount', 'create', { friendlyName: 'shop-42' });
		const [created] = await use(create, place);
		expect(Object.keys(created)).toContain('subAccountSid');
		expect(created).not.toHaveProperty('subToken');
		expect(created).not.toHaveProperty('voipPwd');
	});
});
