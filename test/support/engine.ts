import 'reflect-metadata';
import './engineSettings';

import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { NodeConnectionTypes, Workflow } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	IConnections,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IRun,
	ITaskData,
	IWorkflowExecuteAdditionalData,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { YuntongxunApi } from '../../credentials/YuntongxunApi.credentials';
import { Yuntongxun } from '../../nodes/Yuntongxun/Yuntongxun.node';
import { YuntongxunTrigger } from '../../nodes/Yuntongxun/YuntongxunTrigger.node';
import { Agent, Start } from './neighbours';

const PACKAGE = 'n8n-nodes-yuntongxun';

/** Names of the node types that the engine tests know. */
export const TYPES = {
	action: `${PACKAGE}.yuntongxun`,
	tool: `${PACKAGE}.yuntongxunTool`,
	trigger: `${PACKAGE}.yuntongxunTrigger`,
	start: 'test.start',
	agent: 'test.agent',
} as const;

export const actionNode = new Yuntongxun();
const triggerNode = new YuntongxunTrigger();
const credentialType = new YuntongxunApi();

/** What n8n's loader makes of a node that is usable as a tool. */
function asTool(node: INodeType): INodeType {
	return Object.assign(Object.create(node) as INodeType, {
		description: {
			...node.description,
			name: `${node.description.name}Tool`,
			inputs: [],
			outputs: [NodeConnectionTypes.AiTool],
		},
	});
}

const NODE_TYPES: Record<string, INodeType> = {
	[TYPES.action]: actionNode,
	[TYPES.tool]: asTool(actionNode),
	[TYPES.trigger]: triggerNode,
	[TYPES.start]: new Start(),
	[TYPES.agent]: new Agent(),
};

export const nodeTypes: INodeTypes = {
	getByName: (name) => NODE_TYPES[name],
	getByNameAndVersion: (name) => NODE_TYPES[name],
	getKnownTypes: () => ({}),
};

const CREDENTIAL = { id: '1', name: 'Account' };

/** What n8n decrypts of a stored credential for a node. */
export type DecryptedCredential = ICredentialDataDecryptedObject;

/** Signs with the package's own credential, as n8n does: nothing of the package is imitated. */
function credentialsHelper(credential: DecryptedCredential): ICredentialsHelper {
	const helper: Pick<
		ICredentialsHelper,
		| 'getParentTypes'
		| 'isCredentialUsableByNode'
		| 'authenticate'
		| 'preAuthentication'
		| 'getDecrypted'
		| 'getCredentialsProperties'
	> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		authenticate: async (data, _type, options) =>
			typeof credentialType.authenticate === 'function'
				? await credentialType.authenticate(data, options as IHttpRequestOptions)
				: (options as IHttpRequestOptions),
		preAuthentication: async () => undefined,
		getDecrypted: async () => ({ ...credential }),
		getCredentialsProperties: () => credentialType.properties,
	};
	return helper as ICredentialsHelper;
}

export function additionalDataFor(
	workflow: Workflow,
	credential: DecryptedCredential,
	more: Partial<IWorkflowExecuteAdditionalData> = {},
): IWorkflowExecuteAdditionalData {
	const base = 'https://n8n.example.com';
	const workflowData = {
		id: workflow.id,
		name: 'Test',
		active: false,
		isArchived: false,
		activeVersionId: null,
		createdAt: new Date(),
		updatedAt: new Date(),
		nodes: Object.values(workflow.nodes),
		connections: workflow.connectionsBySourceNode,
	};
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: credentialsHelper(credential),
		hooks: new ExecutionLifecycleHooks('manual', '1', workflowData),
		executionId: '1',
		currentNodeExecutionIndex: 0,
		formWaitingBaseUrl: `${base}/form-waiting`,
		webhookBaseUrl: `${base}/webhook`,
		webhookWaitingBaseUrl: `${base}/webhook-waiting`,
		setExecutionStatus: () => {},
		logAiEvent: () => {},
		...more,
	};
	return data as IWorkflowExecuteAdditionalData;
}

/** Settings of a node that n8n offers for every node. */
export type NodeSettings = Pick<INode, 'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries'>;

export const CONTINUE: NodeSettings = { onError: 'continueRegularOutput' };
export const RETRY: NodeSettings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

export function node(
	name: string,
	type: string,
	parameters: INodeParameters = {},
	settings: NodeSettings = {},
): INode {
	return {
		id: `id of ${name}`,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { yuntongxunApi: CREDENTIAL },
		...settings,
	};
}

/** A new workflow each time, since nodes remember by workflow. */
let workflows = 0;

/** Which node follows which, by output. */
export function connect(
	...lines: Array<[from: string, to: string, output?: number]>
): IConnections {
	const connections: IConnections = {};
	for (const [from, to, output = 0] of lines) {
		connections[from] ??= { main: [] };
		const { main } = connections[from];
		while (main.length <= output) main.push([]);
		main[output]?.push({ node: to, type: NodeConnectionTypes.Main, index: 0 });
	}
	return connections;
}

/** How a workflow runs; by hand unless said otherwise. */
export interface Circumstances {
	mode?: WorkflowExecuteMode;
	/** Runs with the same ID are runs of one workflow; each run has its own without it. */
	workflowId?: string;
	/** Triggers that the workflow has besides. */
	triggers?: INode[];
}

/** Runs a workflow in n8n's own engine, from its node Start on. */
export async function execute(
	nodes: INode[],
	connections: IConnections,
	credential: DecryptedCredential,
	{ mode = 'manual', workflowId, triggers = [] }: Circumstances = {},
): Promise<IRun> {
	workflows += 1;
	const workflow = new Workflow({
		id: workflowId ?? `test-${workflows}`,
		nodes: [...nodes, ...triggers],
		connections,
		active: true,
		nodeTypes,
	});
	await workflow.expression.acquireIsolate();
	const engine = new WorkflowExecute(additionalDataFor(workflow, credential), mode);
	const startNode = workflow.getNode('Start') ?? undefined;
	return await engine.run({ workflow, startNode });
}

/** What came of one run of the node. */
export interface NodeRun {
	/** Items by output; the second one is the error output. */
	outputs: INodeExecutionData[][];
	/** What the node threw, as n8n keeps it. */
	error?: ITaskData['error'];
	hints: NodeExecutionHint[];
	/** Everything n8n kept of the execution. */
	run: IRun;
}

/** What came of the runs of a node, in their order. */
export function getRuns(run: IRun, name: string): NodeRun[] {
	return (run.data.resultData.runData[name] ?? []).map((task) => ({
		outputs: (task.data?.main ?? []).map((items) => items ?? []),
		error: task.error,
		hints: task.hints ?? [],
		run,
	}));
}

export interface NodeTest {
	parameters: INodeParameters;
	credential: DecryptedCredential;
	/** The json of each input item; one empty item without it. */
	items?: Array<INodeExecutionData['json']>;
	settings?: NodeSettings;
	/** Type of the node; the action node without it. */
	type?: string;
	circumstances?: Circumstances;
}

/** Runs the node once, behind a node that gives the items. */
export async function runNode(test: NodeTest): Promise<NodeRun> {
	const { parameters, credential, items = [{}], settings, circumstances } = test;
	const run = await execute(
		[
			node('Start', TYPES.start, { items: JSON.stringify(items) }),
			node('Yuntongxun', test.type ?? TYPES.action, parameters, settings),
		],
		connect(['Start', 'Yuntongxun']),
		credential,
		circumstances,
	);
	const [only, ...more] = getRuns(run, 'Yuntongxun');
	if (only === undefined || more.length > 0) {
		throw new Error(`The node ran ${more.length} times: ${JSON.stringify(run.data.resultData)}`);
	}
	return only;
}
