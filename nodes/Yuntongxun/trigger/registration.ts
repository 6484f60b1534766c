import { createHmac } from 'crypto';
import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { parseAccount } from '../client/account';
import type { ServiceAccount } from '../client/account';
import { Inbox } from '../relay/inbox';

/**
 * Where the active triggers of a workflow register for the nodes that make calls: in the static
 * data of the workflow, which n8n keeps in its database. One entry for each, by its node id.
 */
const REGISTRY = 'yuntongxunTriggers';

/** An active trigger, as it was when it was published; a draft may differ. */
export interface RegisteredTrigger {
	webhookId?: string;
	/** Id of its credential entry; undefined without one. */
	credential?: string;
	/** Fingerprint of its account; undefined without a usable credential. */
	account?: string;
}

/** The active triggers by node id; none where n8n gives no static data. */
export function registeredTriggers(staticData: IDataObject): Record<string, RegisteredTrigger> {
	return (staticData[REGISTRY] ?? {}) as Record<string, RegisteredTrigger>;
}

/** Whether the trigger is registered as it is now; n8n asks before it activates a workflow. */
export async function isRegistered(context: IHookFunctions): Promise<boolean> {
	const stored = registryOf(context)[context.getNode().id];
	return JSON.stringify(stored) === JSON.stringify(await entryOf(context));
}

/** Registers the trigger, unless n8n only listens for a test event. */
export async function register(context: IHookFunctions): Promise<void> {
	if (isTest(context)) return;
	const entry = await entryOf(context);
	storeRegistry(context, { ...registryOf(context), [context.getNode().id]: entry });
}

/** Removes the trigger, unless n8n only stops listening for a test event. */
export function unregister(context: IHookFunctions): void {
	if (isTest(context)) return;
	const { [context.getNode().id]: own, ...others } = registryOf(context);
	if (own !== undefined) storeRegistry(context, others);
}

/** Tells accounts apart without telling anything about them. */
export function fingerprintOf({ accountSid, authToken }: ServiceAccount): string {
	return createHmac('sha256', authToken)
		.update(JSON.stringify(['trigger of the account', accountSid]))
		.digest('base64url');
}

async function entryOf(context: IHookFunctions): Promise<RegisteredTrigger> {
	const { webhookId, credentials } = context.getNode();
	const credential = credentials?.yuntongxunApi?.id ?? undefined;
	try {
		const account = parseAccount(await context.getCredentials('yuntongxunApi'));
		return { webhookId, credential, account: fingerprintOf(account) };
	} catch {
		return { webhookId, credential };
	}
}

function registryOf(context: IHookFunctions): Record<string, RegisteredTrigger> {
	return registeredTriggers(context.getWorkflowStaticData('global'));
}

/** What this process registered last, by workflow id. */
const latest = new Map<string, IDataObject>();

/** Writes what is registered now into static data that n8n read earlier. */
export function writeRegistry(context: IWebhookFunctions | IExecuteFunctions): void {
	const registry = latest.get(String(context.getWorkflow().id));
	if (registry) context.getWorkflowStaticData('global')[REGISTRY] = registry;
}

function storeRegistry(context: IHookFunctions, registry: Record<string, RegisteredTrigger>): void {
	latest.set(String(context.getWorkflow().id), registry as IDataObject);
	context.getWorkflowStaticData('global')[REGISTRY] = registry as IDataObject;
	// Static data is written whole, so what has come since n8n read it goes along.
	Inbox.write(context);
}

/** n8n listens for a test event by hand, whatever its addresses are called. */
const isTest = (context: IHookFunctions) => context.getMode() === 'manual';
