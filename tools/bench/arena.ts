import type { WorkflowNode } from '../../test/harness/n8nRest';
import { newestSupported } from '../../test/harness/versions';
import { node, START, to } from '../../test/harness/workflows';
import { CREDENTIAL_TYPE, openWorld, versionsToTest, type World } from '../../test/harness/world';

/** What the service takes to answer, in milliseconds. */
export const LATENCY_MS = 50;

const RUN_LIMIT_MS = 10 * 60_000;

/** Starts the newest supported n8n, or that of `N8N_VERSIONS`, with the tarball. */
export async function openArena(tarball: string): Promise<World> {
	const [version] = versionsToTest([newestSupported]);
	return await openWorld(version, { tarball });
}

/** Our node, making a notification call for each item. */
export const buildCalls = (options: Record<string, string>): WorkflowNode =>
	node('Yuntongxun', 'n8n-nodes-yuntongxun.yuntongxun', {
		resource: 'call',
		operation: 'notify',
		to: '={{ $json.to }}',
		content: 'text',
		mediaTxt: 'Your order is ready',
		options,
	});

/**
 * Makes a workflow of one node, which has sent nothing yet.
 *
 * @returns runs it over items, a request each; gives its time by n8n's own count, in milliseconds, and
 * throws if it failed or a request broke a rule of the service
 */
export async function prepareNode(
	{ n8n, simulator, credential }: World,
	contestant: WorkflowNode,
): Promise<(items: Array<Record<string, unknown>>, latencyMs?: number) => Promise<number>> {
	const workflow = await n8n.rest.createWorkflow({
		name: contestant.name,
		nodes: [
			node(START, 'n8n-nodes-base.manualTrigger'),
			{ ...contestant, credentials: { [CREDENTIAL_TYPE]: credential } },
		],
		connections: { [START]: { main: [to(contestant.name)] } },
	});
	return async (items, latencyMs = LATENCY_MS) => {
		simulator.reset();
		simulator.configure({ latencyMs });
		const pinData = { [START]: items.map((json) => ({ json })) };
		const id = await n8n.rest.runUnsaved({ ...workflow, pinData }, START);
		const execution = await n8n.rest.ended(id, RUN_LIMIT_MS);
		const wrong = execution.error?.message ?? simulator.violations().at(0)?.words;
		if (wrong !== undefined) throw new Error(`${contestant.name}: ${wrong}`);
		const { length: requests } = simulator.record.requests;
		if (requests !== items.length) throw new Error(`${contestant.name}: ${requests} requests`);
		return execution.getRuns(contestant.name)[0].executionTime ?? NaN;
	};
}
