import type { IDataObject, IHookFunctions } from 'n8n-workflow';

/**
 * Where the triggers of a workflow leave their production addresses for the nodes that make calls:
 * in the workflow's static data, which n8n stores in its database.
 */
const REGISTRY = 'yuntongxunTriggers';

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

/** The addresses that a workflow's static data holds. */
export function registeredUrls(staticData: IDataObject): string[] {
	return Object.values((staticData[REGISTRY] ?? {}) as IDataObject).map(String);
}

function registryOf(context: IHookFunctions): IDataObject {
	return (context.getWorkflowStaticData('global')[REGISTRY] ?? {}) as IDataObject;
}

function storeRegistry(context: IHookFunctions, registry: IDataObject): void {
	context.getWorkflowStaticData('global')[REGISTRY] = registry;
}

const isTest = (context: IHookFunctions) =>
	/\/webhook-test\//.test(context.getNodeWebhookUrl('default') ?? '');
