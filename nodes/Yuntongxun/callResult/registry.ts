import { NodeHelpers } from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	INode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

/**
 * Where the triggers of a workflow leave their production addresses for the nodes that make calls:
 * in the workflow's static data, which n8n stores in its database.
 */
const REGISTRY = 'yuntongxunTriggers';

/** Path of the trigger's webhook, below n8n's own part of the address. */
export const TRIGGER_PATH = 'call-result';

/** Modes of executions that only an active workflow has. */
const STARTED_BY_ACTIVE: WorkflowExecuteMode[] = ['trigger', 'webhook'];

const TRIGGER_TYPE = /\.yuntongxunTrigger$/;

/** Whether the trigger's address is registered already; n8n asks before it activates a workflow. */
export function isRegistered(context: IHookFunctions): boolean {
	return registryOf(context)[context.getNode().id] === context.getNodeWebhookUrl('default');
}

/** Registers the trigger's address, unless n8n listens for a test event only. */
export function register(context: IHookFunctions): void {
	if (isTest(context)) return;
	storeRegistry(context, {
		...registryOf(context),
		[context.getNode().id]: context.getNodeWebhookUrl('default'),
	});
}

/** Removes the trigger's address, unless it is the end of listening for a test event. */
export function unregister(context: IHookFunctions): void {
	if (isTest(context)) return;
	const { [context.getNode().id]: own, ...others } = registryOf(context);
	if (own !== undefined) storeRegistry(context, others);
}

/** The production addresses of the active triggers in the workflow of a node that makes calls. */
export function triggerUrlsFor(context: IExecuteFunctions): string[] {
	const registry = context.getWorkflowStaticData('global')[REGISTRY];
	const registered = Object.values((registry ?? {}) as IDataObject).map(String);
	return registered.length > 0 ? registered : urlsByNodes(context);
}

/** What n8n's contexts hold, though their interface does not say so. */
type WithWorkflow = IExecuteFunctions & { workflow?: { nodes?: Record<string, INode> } };

/**
 * In queue mode n8n 2 hands no static data to a worker, so the addresses are put together from the
 * triggers' own ids, as n8n itself does.
 */
function urlsByNodes(context: WithWorkflow): string[] {
	const { id = '', active } = context.getWorkflow();
	const resumeUrl = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
	const [base, ...others] = resumeUrl.split('-waiting/');
	// A worker is not told either whether the workflow is active; what started it tells.
	const isActive = active || STARTED_BY_ACTIVE.includes(context.getMode());
	if (!isActive || others.length === 0) return [];
	return Object.values(context.workflow?.nodes ?? {})
		.filter((node) => TRIGGER_TYPE.test(node.type) && !node.disabled)
		.map((node) => NodeHelpers.getNodeWebhookUrl(base, id, node, TRIGGER_PATH));
}

function registryOf(context: IHookFunctions): IDataObject {
	return (context.getWorkflowStaticData('global')[REGISTRY] ?? {}) as IDataObject;
}

function storeRegistry(context: IHookFunctions, registry: IDataObject): void {
	context.getWorkflowStaticData('global')[REGISTRY] = registry;
}

const isTest = (context: IHookFunctions) =>
	/\/webhook-test\//.test(context.getNodeWebhookUrl('default') ?? '');
