import { NodeHelpers } from 'n8n-workflow';
import type { IExecuteFunctions, INode } from 'n8n-workflow';

import type { ServiceAccount } from '../client/account';
import { fingerprintOf, registeredTriggers } from './registration';
import type { RegisteredTrigger } from './registration';

/** Path of the trigger's webhook, below n8n's own part of the address. */
export const TRIGGER_PATH = 'call-result';

const TRIGGER_TYPE = /\.yuntongxunTrigger$/;

/** What n8n's contexts hold, though their interface does not say so. */
type Insides = IExecuteFunctions & {
	workflow?: { nodes?: Record<string, INode> };
	additionalData?: { webhookBaseUrl?: string; hooks?: { workflowData: { active?: boolean } } };
};

/**
 * The active triggers in the workflow of a node that makes calls, by node id. Their addresses are
 * put together as n8n does it now: its public address may have changed since they registered.
 */
export class ActiveTriggers {
	/** Whether n8n tells which triggers are active. Otherwise they are as the editor has them. */
	readonly areKnown: boolean;

	private readonly found: Array<{ node: INode; registered?: RegisteredTrigger }>;

	constructor(private readonly context: Insides) {
		const registry = registeredTriggers(context.getWorkflowStaticData('global'));
		this.areKnown = Object.keys(registry).length > 0;
		const nodes = Object.values(context.workflow?.nodes ?? {}).filter(
			({ type, disabled }) => TRIGGER_TYPE.test(type) && !disabled,
		);
		this.found = nodes
			.map((node) => ({ node, registered: registry[node.id] }))
			.filter(({ node, registered }) =>
				this.areKnown
					? registered !== undefined && registered.webhookId === node.webhookId
					: mayBeActive(context),
			)
			.sort(({ node: one }, { node: other }) => (one.id < other.id ? -1 : 1));
	}

	/** Their production URLs. */
	urls(): string[] {
		return this.found.flatMap(({ node }) => this.urlOf(node) ?? []);
	}

	/**
	 * The production URL of the trigger that can relay results of an account: it has the same
	 * credential entry, or another one of the same account. Of several, the first by node id.
	 *
	 * @returns undefined if there is none
	 */
	relayUrl(account: ServiceAccount): string | undefined {
		const own = credentialOf(this.context.getNode());
		const relay = this.found.find(({ node, registered }) => {
			const credential = registered ? registered.credential : credentialOf(node);
			const isSameEntry = credential !== undefined && credential === own;
			return isSameEntry || registered?.account === fingerprintOf(account);
		});
		return relay && this.urlOf(relay.node);
	}

	private urlOf(node: INode): string | undefined {
		const base = this.context.additionalData?.webhookBaseUrl;
		const { id = '' } = this.context.getWorkflow();
		return base && NodeHelpers.getNodeWebhookUrl(base, id, node, TRIGGER_PATH);
	}
}

/**
 * Where n8n gives no static data: whether the workflow may be active. n8n's `active` is wrongly false
 * on a worker: only runs by hand and sub-workflows are believed, if n8n's own data has it, too.
 */
function mayBeActive(context: Insides): boolean {
	const { active } = context.getWorkflow();
	const stored = context.additionalData?.hooks?.workflowData;
	const isTold = stored === undefined || stored.active !== undefined;
	return active || !isTold || !['manual', 'integrated'].includes(context.getMode());
}

const credentialOf = (node: INode) => node.credentials?.yuntongxunApi?.id ?? undefined;
