import { randomUUID } from 'node:crypto';
import { postJson } from './http';
import type { StoredWorkflow, WorkflowDefinition, WorkflowNode } from './n8nRest';
import { CREDENTIAL_TYPE, type Setup, type StoredCredential } from './setup';

/** Names of the nodes in the workflows below. */
export const START = 'Start';
export const ACTION = 'Yuntongxun';
export const TRIGGER = 'Yuntongxun Trigger';
export const AFTER = 'Afterwards';
export const HOOK = 'Webhook';
export const CALL = 'Call';
export const TELL = 'Tell';

/** Reports a result: the call, and what the workflow got of it. */
const TOLD = '={{ [$json.outcome, $json.userData].filter(Boolean).join(" ") }}';

/** A node of a workflow under test. */
export const node = (
	name: string,
	type: string,
	parameters: Record<string, unknown> = {},
	typeVersion = 1,
): WorkflowNode => ({ name, type, typeVersion, position: [0, 0], parameters });

/** n8n's manual trigger. */
export const manual = (): WorkflowNode => node(START, 'n8n-nodes-base.manualTrigger');

/** The package's action node. */
export const ours = (
	name: string,
	credential: StoredCredential,
	parameters: Record<string, unknown>,
): WorkflowNode => ({
	...node(name, 'n8n-nodes-yuntongxun.yuntongxun', parameters),
	credentials: { [CREDENTIAL_TYPE]: credential },
});

/** Our trigger, with the account of the calls that report to it; without one it takes results from anybody. */
export const resultTrigger = (credential?: StoredCredential): WorkflowNode => ({
	...node(TRIGGER, 'n8n-nodes-yuntongxun.yuntongxunTrigger', { options: {} }),
	...(credential && { credentials: { [CREDENTIAL_TYPE]: credential } }),
	webhookId: randomUUID(),
});

/** n8n's own Webhook node, at a path of its own. */
export function hook(): WorkflowNode {
	const path = randomUUID();
	const parameters = { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} };
	return { ...node(HOOK, 'n8n-nodes-base.webhook', parameters, 2), webhookId: path };
}

/** Makes an item for each of the people that a {@link hook} got. */
export const splitPeople = (): WorkflowNode =>
	node('Split', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.people', options: {} });

/**
 * A notification call that waits for its result, called for by a node before it.
 *
 * @param from the field of an item that holds the number to call, the user data and perhaps the limit in
 *   minutes (an hour without it)
 */
export const waitingCall = (credential: StoredCredential, from = '$json'): WorkflowNode =>
	ours(CALL, credential, {
		resource: 'call',
		operation: 'notify',
		to: `={{ ${from}.to }}`,
		content: 'text',
		mediaTxt: 'Hello',
		resultDelivery: 'wait',
		waitLimit: `={{ ${from}.limit ?? 60 }}`,
		options: { userData: `={{ ${from}.userData }}` },
	});

/** An SMS with the id and the outcome of a call. */
export const tell = (credential: StoredCredential, what = TOLD): WorkflowNode =>
	ours(TELL, credential, {
		resource: 'sms',
		operation: 'send',
		to: '13800000009',
		templateId: '100002',
		datas: ['={{ $json.callSid }}', what],
		options: {},
	});

/**
 * n8n's own HTTP Request node, which our credential signs for.
 *
 * @param more of the node's parameters
 */
export const httpRequestNode = (url: string, more: Record<string, unknown> = {}): WorkflowNode => {
	const request = {
		url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: CREDENTIAL_TYPE,
		options: {},
		...more,
	};
	return node('HTTP Request', 'n8n-nodes-base.httpRequest', request, 4.2);
};

/** A connection to the first input of a node. */
export const to = (name: string): Array<{ node: string; type: string; index: number }> => [
	{ node: name, type: 'main', index: 0 },
];

/** A workflow of nodes in a row; our trigger, unless it comes first, stands beside them. */
export function chain(name: string, ...nodes: WorkflowNode[]): WorkflowDefinition {
	const row = nodes.filter((each, at) => at === 0 || each.name !== TRIGGER);
	const pairs = row.slice(1).map((next, at) => [row[at].name, { main: [to(next.name)] }]);
	const connections = Object.fromEntries(pairs) as WorkflowDefinition['connections'];
	return { name, nodes, connections };
}

/**
 * A manual trigger, our action node, and a node behind it.
 *
 * @param parameters of the action node, which gets one empty item
 */
export const actionWorkflow = (
	credential: StoredCredential,
	parameters: Record<string, unknown>,
): WorkflowDefinition =>
	chain(
		'Action under test',
		manual(),
		ours(ACTION, credential, parameters),
		node(AFTER, 'n8n-nodes-base.noOp'),
	);

/** A webhook, a call that waits for its result, an SMS that tells it, and a trigger beside them. */
export const waitAndTell = (credential: StoredCredential): WorkflowDefinition =>
	chain(
		'Wait',
		hook(),
		waitingCall(credential, '$json.body'),
		tell(credential),
		resultTrigger(credential),
	);

/** An active workflow that begins with n8n's Webhook node. */
export class Startable {
	private constructor(
		readonly workflow: StoredWorkflow,
		private readonly url: string,
	) {}

	static async activate(
		{ n8n: { rest } }: Pick<Setup, 'n8n'>,
		definition: WorkflowDefinition,
	): Promise<Startable> {
		const workflow = await rest.createWorkflow(definition);
		await rest.activate(workflow);
		return new Startable(workflow, `${rest.webhookBase}/${workflow.nodes[0].webhookId}`);
	}

	/** Starts an execution. */
	async start(what: Record<string, unknown>): Promise<void> {
		const { status } = await postJson(this.url, what);
		if (status !== 200) throw new Error(`n8n did not start: HTTP ${status}`);
	}
}
