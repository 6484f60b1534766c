import { NodeHelpers, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, IHookFunctions, INode } from 'n8n-workflow';

import { deriveKey, parseCredential } from '../client/credential';
import type { ApiCredential } from '../client/credential';
import { Inbox } from '../waiting/inbox';
import type { StaticContext } from '../waiting/inbox';
import { writeDuplicates } from './deduplication';

/** Path of the trigger's webhook, below n8n's own part of the address. */
export const TRIGGER_PATH = 'call-result';

/** Where active triggers register: in the static data of their workflow, in n8n's database. */
const REGISTRY = 'yuntongxunTriggers';

/** A trigger's webhook, its credential entry, and the fingerprint of the account in that. */
type Ids = { webhookId?: string; credential?: string; account?: string };

/** The active triggers by node id, as they were when they were published; a draft may differ. */
type Registry = Record<string, Ids>;

/** The registries of the workflows that this process has published, by workflow id. */
const registries = new Map<string, Registry>();

/**
 * Registers a trigger that n8n activates; n8n 1 does so when it starts, too.
 *
 * @throws NodeOperationError if it checks signatures without a credential; n8n does not activate it
 */
export async function register(context: IHookFunctions): Promise<void> {
	const node = context.getNode();
	const { requireSignedUrl } = context.getNodeParameter('options', {}) as IDataObject;
	if (requireSignedUrl && !node.credentials?.yuntongxunApi) {
		throw new NodeOperationError(
			node,
			'Require Signed URL needs a Yuntongxun API credential: choose the account that makes the calls',
		);
	}
	const account = await context
		.getCredentials('yuntongxunApi')
		.then((credential) => fingerprintOf(parseCredential(credential)))
		.catch(() => undefined);
	change(context, (registry) => (registry[node.id] = { ...idsOf(node), account }));
}

/** Removes a trigger that n8n deactivates. */
export function unregister(context: IHookFunctions): void {
	change(context, (registry) => delete registry[context.getNode().id]);
}

function change(context: IHookFunctions, apply: (registry: Registry) => unknown): void {
	// n8n listens for a test event, or stops.
	if (context.getMode() === 'manual') return;
	const workflow = String(context.getWorkflow().id);
	const registry = registries.get(workflow) ?? registryIn(context);
	registries.set(workflow, registry);
	apply(registry);
	// In queue mode another process takes the results, and has stored some meanwhile.
	Inbox.of(context).restore(context);
	Inbox.write(context);
	writeTriggerData(context);
}

/**
 * Has n8n write what is registered and was seen by then, as a long execution does late: static data
 * is written whole, so what has changed since n8n read it has to go along.
 */
export function writeTriggerData(context: StaticContext): void {
	const stored = registryIn(context);
	const toJSON = () => registries.get(String(context.getWorkflow().id)) ?? stored;
	context.getWorkflowStaticData('global')[REGISTRY] = { toJSON };
	writeDuplicates(context);
}

/** A copy of the active triggers; none where n8n gives no static data. */
function registryIn(context: StaticContext): Registry {
	const stored = context.getWorkflowStaticData('global')[REGISTRY] ?? {};
	return JSON.parse(JSON.stringify(stored)) as Registry;
}

/** Modes in which n8n runs inactive workflows, too. A retry is told of none that it is active. */
const RUN_INACTIVE = ['manual', 'integrated', 'error', 'cli', 'evaluation'];

/** What n8n's contexts hold, though their interface does not say so. */
type Insides = IExecuteFunctions & {
	workflow?: { nodes?: Record<string, INode> };
	additionalData?: { webhookBaseUrl?: string; hooks?: { workflowData: { active?: boolean } } };
};

/**
 * The active triggers in the workflow of a node that makes calls, by node id. Their production URLs
 * are put together as n8n does it now: its public address may have changed since they registered.
 * A trigger can relay if it has the node's credential entry, or another one of the same account.
 * Where n8n gives no static data (`isKnown` is false), they are as the editor has them.
 */
export function activeTriggers(context: Insides, account: ApiCredential) {
	const registry = registryIn(context);
	const isKnown = Object.keys(registry).length > 0;
	const { id = '', active } = context.getWorkflow();
	// On a worker n8n calls every workflow inactive, and does not have it in the data that it runs.
	const stored = context.additionalData?.hooks?.workflowData;
	const isTold = stored === undefined || stored.active !== undefined;
	const isDraft = !active && isTold && RUN_INACTIVE.includes(context.getMode());
	const base = context.additionalData?.webhookBaseUrl;
	if (!base || (isDraft && !isKnown)) return [];
	const own = idsOf(context.getNode()).credential;
	const fingerprint = fingerprintOf(account);
	return Object.values(context.workflow?.nodes ?? {})
		.filter(({ type, disabled }) => type.endsWith('.yuntongxunTrigger') && !disabled)
		.sort((one, other) => (one.id < other.id ? -1 : 1))
		.flatMap((node) => {
			const trigger = isKnown ? registry[node.id] : idsOf(node);
			// A draft that listens elsewhere is not the trigger that was published.
			if (!trigger || trigger.webhookId !== node.webhookId) return [];
			const { credential, account: theirs } = trigger;
			const canRelay = theirs === fingerprint || (own !== undefined && credential === own);
			const url = NodeHelpers.getNodeWebhookUrl(base, id, node, TRIGGER_PATH);
			return [{ url, canRelay, isKnown }];
		});
}

function idsOf({ webhookId, credentials }: INode): Ids {
	return { webhookId, credential: credentials?.yuntongxunApi?.id ?? undefined };
}

/** Tells accounts apart without telling anything about them. */
export function fingerprintOf(account: ApiCredential): string {
	return deriveKey(account, 'fingerprint').toString('base64url');
}
