import { createHmac } from 'crypto';
import { NodeHelpers } from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	INode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { parseAccount } from '../client/account';
import type { ServiceAccount } from '../client/account';

/**
 * Where the triggers of a workflow register for the nodes that make calls: in the static data of
 * the workflow, which n8n keeps in its database. One entry for each trigger, by its node id.
 */
const REGISTRY = 'yuntongxunTriggers';

/** An active trigger. */
interface Registered {
	/** Production URL. */
	url: string;
	/** Fingerprint of its account; undefined without a credential. */
	account?: string;
}

/** Path of the trigger's webhook, below n8n's own part of the address. */
export const TRIGGER_PATH = 'call-result';

/** Modes of executions that only an active workflow has. */
const STARTED_BY_ACTIVE: WorkflowExecuteMode[] = ['trigger', 'webhook'];

const TRIGGER_TYPE = /\.yuntongxunTrigger$/;

/** Whether the trigger is registered already; n8n asks before it activates a workflow. */
export async function isRegistered(context: IHookFunctions): Promise<boolean> {
	const stored = registryOf(context)[context.getNode().id];
	return JSON.stringify(stored) === JSON.stringify(await entryOf(context));
}

/** Registers the trigger, unless n8n only listens for a test event. */
export async function register(context: IHookFunctions): Promise<void> {
	if (isTest(context)) return;
	const entry = await entryOf(context);
	storeRegistry(context, { ...registryOf(context), [context.getNode().id]: { ...entry } });
}

/** Removes the trigger, unless n8n only stops listening for a test event. */
export function unregister(context: IHookFunctions): void {
	if (isTest(context)) return;
	const { [context.getNode().id]: own, ...others } = registryOf(context);
	if (own !== undefined) storeRegistry(context, others);
}

/** The production URLs of the active triggers in the workflow of a node that makes calls. */
export function triggerUrlsFor(context: IExecuteFunctions): string[] {
	return [...activeTriggers(context).values()].map(({ url }) => url);
}

/**
 * The production URL of the active trigger that can relay results of an account: it has the same
 * credential entry, or another one of the same account. Of several, the first by node id.
 *
 * @returns undefined if there is none
 */
export function relayUrlFor(
	context: IExecuteFunctions,
	account: ServiceAccount,
): string | undefined {
	const own = credentialOf(context.getNode());
	const nodes = new Map(nodesOf(context).map((node) => [node.id, node]));
	return [...activeTriggers(context)]
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.find(([id, trigger]) => {
			const entry = credentialOf(nodes.get(id));
			return (entry !== undefined && entry === own) || trigger.account === fingerprintOf(account);
		})?.[1].url;
}

/** The active triggers of the workflow, by node id. */
function activeTriggers(context: IExecuteFunctions): Map<string, Registered> {
	const registry = context.getWorkflowStaticData('global')[REGISTRY];
	// Version 1.0.0 registered the address alone.
	const registered = Object.entries((registry ?? {}) as Record<string, Registered | string>).map(
		([id, entry]): [string, Registered] => [id, typeof entry === 'string' ? { url: entry } : entry],
	);
	return new Map(registered.length > 0 ? registered : triggersByNodes(context));
}

/** What n8n's contexts hold, though their interface does not say so. */
type Insides = IExecuteFunctions & {
	workflow?: { nodes?: Record<string, INode> };
	additionalData?: { webhookBaseUrl?: string };
};

const nodesOf = (context: Insides) => Object.values(context.workflow?.nodes ?? {});

const credentialOf = (node: INode | undefined) => node?.credentials?.yuntongxunApi?.id ?? undefined;

/**
 * In queue mode n8n 2 gives a worker no static data, so the addresses are put together from the
 * triggers' own ids, as n8n does.
 */
function triggersByNodes(context: Insides): Array<[string, Registered]> {
	const { id = '', active } = context.getWorkflow();
	const base = context.additionalData?.webhookBaseUrl;
	// A worker is not told either whether the workflow is active; what started it tells.
	const isActive = active || STARTED_BY_ACTIVE.includes(context.getMode());
	if (!isActive || base === undefined) return [];
	return nodesOf(context)
		.filter((node) => TRIGGER_TYPE.test(node.type) && !node.disabled)
		.map((node) => [node.id, { url: NodeHelpers.getNodeWebhookUrl(base, id, node, TRIGGER_PATH) }]);
}

async function entryOf(context: IHookFunctions): Promise<Registered> {
	const url = context.getNodeWebhookUrl('default') ?? '';
	try {
		const account = parseAccount(await context.getCredentials('yuntongxunApi'));
		return { url, account: fingerprintOf(account) };
	} catch {
		return { url };
	}
}

/** Tells accounts apart without telling anything about them. */
function fingerprintOf({ accountSid, authToken }: ServiceAccount): string {
	return createHmac('sha256', authToken)
		.update(JSON.stringify(['trigger of the account', accountSid]))
		.digest('base64url');
}

function registryOf(context: IHookFunctions): IDataObject {
	return (context.getWorkflowStaticData('global')[REGISTRY] ?? {}) as IDataObject;
}

function storeRegistry(context: IHookFunctions, registry: IDataObject): void {
	context.getWorkflowStaticData('global')[REGISTRY] = registry;
}

/** n8n listens for a test event by hand, whatever its addresses are called. */
const isTest = (context: IHookFunctions) => context.getMode() === 'manual';
