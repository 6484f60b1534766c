import { randomUUID } from 'node:crypto';
import { postJson } from './http';
import type { StoredWorkflow, WorkflowDefinition, WorkflowNode } from './n8nRest';
import { node, to, TRIGGER } from './workflows';
import { CREDENTIAL_TYPE, type StoredCredential, type World } from './world';

/** Names of the nodes in the workflows below. */
export const HOOK = 'Webhook';
export const CALL = 'Call';
export const TELL = 'Tell';

/** Tells what follows a result: the call, and what the workflow got of it. */
const TOLD = '={{ [$json.outcome, $json.userData].filter(Boolean).join(" ") }}';

/** n8n's own Webhook node, at a path of its own. */
export function hook(parameters: Record<string, unknown> = {}): WorkflowNode {
	const path = randomUUID();
	return {
		...node(
			HOOK,
			'n8n-nodes-base.webhook',
			{ httpMethod: 'POST', path, responseMode: 'onReceived', options: {}, ...parameters },
			2,
		),
		webhookId: path,
	};
}

/**
 * A notification call that waits for its result, called for by a node before it.
 *
 * @param from the field of an item that holds the number to call, the user data and perhaps the limit in
 *   minutes (an hour without it)
 */
export function waitingCall(
	credential: StoredCredential,
	{ from = '$json.body' } = {},
): WorkflowNode {
	return ours(CALL, credential, {
		resource: 'call',
		operation: 'notify',
		to: `={{ ${from}.to }}`,
		content: 'text',
		mediaTxt: 'Hello',
		resultDelivery: 'wait',
		waitLimit: `={{ ${from}.limit ?? 60 }}`,
		options: { userData: `={{ ${from}.userData }}` },
	});
}

/** An SMS with the id and the outcome of a call. */
export function tell(credential: StoredCredential, what = TOLD): WorkflowNode {
	return ours(TELL, credential, {
		resource: 'sms',
		operation: 'send',
		to: '13800000009',
		templateId: '100002',
		datas: ['={{ $json.callSid }}', what],
		options: {},
	});
}

/** Our trigger, with the account of the calls that report to it; without one it takes results from anybody. */
export function resultTrigger(credential?: StoredCredential): WorkflowNode {
	return {
		...node(TRIGGER, 'n8n-nodes-yuntongxun.yuntongxunTrigger', { options: {} }),
		...(credential && { credentials: { [CREDENTIAL_TYPE]: credential } }),
		webhookId: randomUUID(),
	};
}

/** Makes an item of each of the people that a {@link hook} was given. */
export const splitPeople = (): WorkflowNode =>
	node('Split', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.people', options: {} });

/** The same workflow with a node beside it to which nothing leads, such as a trigger. */
export const beside = (
	definition: WorkflowDefinition,
	...nodes: WorkflowNode[]
): WorkflowDefinition => ({ ...definition, nodes: [...definition.nodes, ...nodes] });

/** A webhook, a call that waits for its result, an SMS that tells it, and a trigger beside them. */
export function waitAndTell(credential: StoredCredential): WorkflowDefinition {
	const definition = chain('Wait', hook(), waitingCall(credential), tell(credential));
	return beside(definition, resultTrigger(credential));
}

/** One of the package's action nodes. */
export function ours(
	name: string,
	credential: StoredCredential,
	parameters: Record<string, unknown>,
): WorkflowNode {
	return {
		...node(name, 'n8n-nodes-yuntongxun.yuntongxun', parameters),
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
}

/** A workflow of nodes one after the other. */
export function chain(name: string, ...nodes: WorkflowNode[]): WorkflowDefinition {
	const pairs = nodes.slice(1).map((next, at) => [nodes[at].name, { main: [to(next.name)] }]);
	return {
		name,
		nodes,
		connections: Object.fromEntries(pairs) as WorkflowDefinition['connections'],
	};
}

/** An active workflow that begins with n8n's Webhook node. */
export class Startable {
	private constructor(
		readonly workflow: StoredWorkflow,
		private readonly url: string,
	) {}

	static async activate({ n8n }: World, definition: WorkflowDefinition): Promise<Startable> {
		const workflow = await n8n.rest.createWorkflow(definition);
		await n8n.rest.activate(workflow);
		const start = workflow.nodes.find(({ name }) => name === HOOK);
		if (!start) throw new Error(`The workflow "${workflow.name}" has no node "${HOOK}"`);
		return new Startable(workflow, n8n.rest.webhookUrl(start));
	}

	/** Starts an execution. */
	async start(what: Record<string, unknown>): Promise<Response> {
		const response = await postJson(this.url, what);
		if (!response.ok) throw new Error(`n8n did not start: HTTP ${response.status}`);
		return response;
	}
}
