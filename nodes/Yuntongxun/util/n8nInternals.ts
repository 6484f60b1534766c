import type {
	IAllExecuteFunctions,
	IDataObject,
	IExecuteFunctions,
	INode,
	IRunExecutionData,
	ITaskDataConnections,
} from 'n8n-workflow';

/*
 * What n8n does not promise and this package relies on
 *
 * Each was seen in n8n 1.123.0 and 2.41.1. The test beside it, in real n8n of both versions unless it is an engine
 * test, fails when it changes. One has no such test: look at n8n's code for it with each new version.
 *
 * - A node's type ends in `Tool` where an agent uses it: test/browser/editor.test.ts
 * - An Agent of n8n has no workflow, Chat Hub runs its own in mode `chat`, and the assistant makes one for each
 *   use, called `Execute node <type>`: no test, since test/engine/lastingPlace.test.ts imitates the three
 * - All tries of Retry On Fail get one record of the run, and an agent's tool gets the agent's:
 *   test/engine/retry.test.ts, test/engine/tool.test.ts
 * - Max Tries is clamped to 2 to 5: test/engine/resultDelivery.test.ts
 * - n8n stores what is in that record when a node parks, continues with it when its own timer ends the wait,
 *   and gives it to the node as input when the execution is retried: test/n8n/wait.test.ts
 * - A webhook of the node finds it in `runExecutionData`, which n8n stores when it resumes:
 *   test/n8n/wait.test.ts
 * - Contexts hold the workflow's nodes and the bases of webhook addresses: test/n8n/wait.test.ts
 * - A context's `runExecutionData` holds what the nodes before have given: test/engine/resultDelivery.test.ts
 * - The words that n8n answers with at the address of a webhook: test/n8n/wait.test.ts
 */

/** Identifies a node of this n8n across its executions: workflow id and node id. */
export function identifyNode(
	context: Pick<IAllExecuteFunctions, 'getWorkflow' | 'getNode'>,
): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}

/**
 * Whether n8n runs the node in the same place the next time, so that it can remember something. n8n's Agents,
 * Chat Hub and the assistant make node and workflow anew for each use.
 */
export function hasLastingPlace(context: IExecuteFunctions): boolean {
	const { id, name } = context.getWorkflow();
	if (!id || context.getMode() === 'chat') return false;
	const isMadeForOneUse = name === `Execute node ${context.getNode().type}`;
	return !isMadeForOneUse || getWorkflowNodes(context).length > 1;
}

/** Whether an AI agent uses the node, and reads what it gives. */
export function isUsedByAgent(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool') || !hasLastingPlace(context);
}

/**
 * The object that all tries of one run of a node share, and nothing else. An agent's tool gets the
 * record of the agent's run, which outlives many calls of the tool; its arguments are new with each
 * call and stay the same over the tries of that call.
 */
export function getRunIdentity(context: IExecuteFunctions): object {
	const executeData = context.getExecuteData();
	const hasAgentsRecord = executeData.node.name !== context.getNode().name;
	return hasAgentsRecord ? context.getInputData()[0].json : executeData;
}

/** How often n8n tries a node with Retry On Fail: 2 to 5 times, and 3 unless set. */
export function getMaxTries({ maxTries }: INode): number {
	return Math.min(5, Math.max(2, maxTries || 3));
}

/**
 * Makes data the input of a node that parks: n8n stores it with the execution, and continues with
 * its member `main` when its own timer ends the wait.
 */
export function replaceInput(context: IExecuteFunctions, data: ITaskDataConnections): void {
	const executeData = context.getExecuteData();
	executeData.data = { ...executeData.data, ...data };
}

/** The input of the node that is parked, as it is stored; undefined if nothing is parked. */
export function findParkedInput(context: object): ITaskDataConnections | undefined {
	const { runExecutionData } = context as { runExecutionData?: IRunExecutionData };
	return runExecutionData?.executionData?.nodeExecutionStack[0]?.data;
}

/** What a node has given in this execution so far, on its first output. */
export function getNodeOutput(context: object, name: string): IDataObject[] {
	const { runExecutionData } = context as { runExecutionData?: IRunExecutionData };
	const runs = runExecutionData?.resultData?.runData[name] ?? [];
	return runs.flatMap(({ data }) => data?.main[0] ?? []).map(({ json }) => json);
}

type ContextWithWorkflow = IExecuteFunctions & {
	workflow?: { nodes?: Record<string, INode> };
	additionalData?: { webhookBaseUrl?: string; webhookWaitingBaseUrl?: string };
};

/** All nodes of the workflow, disabled ones too. */
export function getWorkflowNodes(context: IExecuteFunctions): INode[] {
	return Object.values((context as ContextWithWorkflow).workflow?.nodes ?? {});
}

/** What the production URLs of webhooks begin with, as n8n's public address is now; empty if unknown. */
export function getWebhookBaseUrl(context: IExecuteFunctions): string {
	return (context as ContextWithWorkflow).additionalData?.webhookBaseUrl ?? '';
}

/** What the addresses of executions that wait begin with, as n8n's public address is now. */
export function getWaitingBaseUrl(context: object): string {
	return (context as ContextWithWorkflow).additionalData?.webhookWaitingBaseUrl ?? '';
}

/**
 * What n8n itself answers at the address of a webhook: words that are the same in 1.123 and 2.41,
 * unless noted.
 */
export const N8N_SAYS = {
	/**
	 * At an address that nothing listens at, or not with this method; also where n8n still has a webhook
	 * of a workflow that was deactivated on the command line, or deleted.
	 */
	notRegistered:
		/"message":\s*"(?:(?:The requested|This) webhook .*not registered|(?:Active|Published) version not found|Could not find workflow with id)/,
	// The next four: at the address of an execution that waits, or has waited.
	noExecution: /execution .*does not exist/,
	isFinished: /finished/,
	isRunning: /running already/,
	waitsElsewhere: /does not contain a waiting webhook/,
};
