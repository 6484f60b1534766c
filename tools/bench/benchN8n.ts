import type { WorkflowNode } from '../../test/harness/n8nRest';
import {
	CREDENTIAL_TYPE,
	startSetup,
	versionsToTest,
	type Setup,
	type Stoppable,
} from '../../test/harness/setup';
import { newestSupported } from '../../test/harness/versions';
import { node, START, to } from '../../test/harness/workflows';

/** What the service takes to answer, in milliseconds. */
export const LATENCY_MS = 50;

const RUN_LIMIT_MS = 10 * 60_000;

/** Starts the newest supported n8n, or that of `N8N_VERSIONS`, with the tarball. */
export async function startBenchN8n(tarball: string): Promise<Setup & Stoppable> {
	const [version] = versionsToTest([newestSupported]);
	return await startSetup(version, { tarball, service: { latencyMs: LATENCY_MS } });
}

/** The figures of one run of a node. */
export interface Run {
	/** The node's time by n8n's own count, in milliseconds. */
	ms: number;
	/** Requests that reached the service. */
	requests: number;
}

/**
 * Runs one node over items, against a service that has just started.
 *
 * @throws Error if the node failed or a request broke a rule of the service
 */
export async function runNode(
	{ n8n, simulator, credential }: Setup,
	measured: WorkflowNode,
	items: Array<Record<string, unknown>>,
): Promise<Run> {
	simulator.reset();
	const workflow = await n8n.rest.createWorkflow({
		name: measured.name,
		nodes: [
			node(START, 'n8n-nodes-base.manualTrigger'),
			{ ...measured, credentials: { [CREDENTIAL_TYPE]: credential } },
		],
		connections: { [START]: { main: [to(measured.name)] } },
		pinData: { [START]: items.map((json) => ({ json })) },
	});
	const execution = await n8n.rest.runToEnd(workflow, START, RUN_LIMIT_MS);
	const wrong = execution.error?.message ?? simulator.violations().at(0)?.words;
	if (wrong !== undefined) throw new Error(`${measured.name}: ${wrong}`);
	const { executionTime = NaN } = execution.getRuns(measured.name)[0];
	return { ms: executionTime, requests: simulator.record.requests.length };
}
