import type { IExecuteFunctions } from 'n8n-workflow';

import {
	getNodeOutput,
	getWaitingBaseUrl,
	getWebhookBaseUrl,
	getWorkflowNodes,
	hasLastingPlace,
	identifyNode,
	isUsedByAgent,
} from '../../../nodes/Yuntongxun/util/n8nInternals';
import { buildNode } from '../../support/fakeN8n';

const TYPE = 'n8n-nodes-yuntongxun.yuntongxun';
const AS_ASSISTANT = `Execute node ${TYPE}`;

const contextIn = (
	workflow: { id?: string; name?: string },
	{ mode = 'manual', nodes = 1, type = TYPE } = {},
) =>
	({
		getMode: () => mode,
		getNode: () => buildNode({ id: 'n', type }),
		getWorkflow: () => workflow,
		workflow: { nodes: Object.fromEntries([...Array(nodes).keys()].map((at) => [at, {}])) },
	}) as unknown as IExecuteFunctions;

it.each([
	['a workflow', contextIn({ id: 'w', name: 'Execute node 7' }), true],
	[
		'one named like the assistant’s',
		contextIn({ id: 'w', name: AS_ASSISTANT }, { nodes: 2 }),
		true,
	],
	["n8n's Agents", contextIn({ name: 'Mine' }, { nodes: 2 }), false],
	['Chat Hub', contextIn({ id: 'w', name: 'Chat' }, { mode: 'chat', nodes: 2 }), false],
	['the assistant', contextIn({ id: 'w', name: AS_ASSISTANT }), false],
])('a node in %s is in the same place the next time: %s', (_where, context, isLasting) => {
	expect([hasLastingPlace(context), isUsedByAgent(context)]).toEqual([isLasting, !isLasting]);
});

it('an AI agent uses a tool, wherever it is', () => {
	expect(isUsedByAgent(contextIn({ id: 'w' }, { type: `${TYPE}Tool` }))).toBe(true);
});

it('a node is identified by workflow and id', () => {
	expect(identifyNode(contextIn({ id: 'w' }))).toBe('w/n');
});

it('what a context does not hold is empty', () => {
	const context = {} as IExecuteFunctions;
	expect([getWorkflowNodes(context), getNodeOutput(context, 'A')]).toEqual([[], []]);
	const cut = { runExecutionData: { resultData: { runData: { A: [{}] } } } };
	expect(['A', 'B'].map((name) => getNodeOutput(cut, name))).toEqual([[], []]);
	expect(getNodeOutput({ runExecutionData: {} }, 'A')).toEqual([]);
	expect([getWebhookBaseUrl(context), getWaitingBaseUrl(context)]).toEqual(['', '']);
});
