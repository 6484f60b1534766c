import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { startSimulator } from '../../simulator/index';
import { installN8n } from '../../test/harness/installN8n';
import type { WorkflowNode } from '../../test/harness/n8nRest';
import { showProgress } from '../../test/harness/progress';
import { startN8n } from '../../test/harness/startN8n';
import { until } from '../../test/harness/until';
import { newestSupported } from '../../test/harness/versions';
import { node, START, to } from '../../test/harness/workflows';
import {
	credentialData,
	CREDENTIAL_TYPE,
	versionsToTest,
	type World,
} from '../../test/harness/world';

/** What the service takes to answer, in milliseconds. */
export const LATENCY_MS = 50;

/** How many requests the simulator remembers, to see that none broke a rule. */
const RECORD_LIMIT = 12_000;

const RUN_LIMIT_MS = 10 * 60_000;

/** A real n8n with our package and the bare nodes, and the service at {@link LATENCY_MS}. */
export interface Arena extends World {
	close(): Promise<void>;
}

/** Starts the newest supported n8n, or that of `N8N_VERSIONS`, with the tarball and the nodes to compare with. */
export async function openArena(tarball: string): Promise<Arena> {
	const [version] = versionsToTest([newestSupported]);
	const installed = await installN8n(version, showProgress(process.stderr));
	const simulator = await startSimulator({ latencyMs: LATENCY_MS, recordLimit: RECORD_LIMIT });
	const extensions = await mkdtemp(join(tmpdir(), 'bench-nodes-'));
	const cleanUp = async () => {
		await simulator.stop();
		await rm(extensions, { recursive: true, force: true });
	};
	try {
		await build({
			entryPoints: ['BareTrigger', 'BareWait'].map((name) =>
				resolve(__dirname, `neighbours/${name}.node.ts`),
			),
			outdir: extensions,
			platform: 'node',
			format: 'cjs',
		});
		const n8n = await startN8n({
			n8n: installed,
			tarball,
			caFile: simulator.caFile,
			env: { N8N_CUSTOM_EXTENSIONS: extensions },
		});
		const name = 'The simulator';
		const id = await n8n.rest.createCredential(CREDENTIAL_TYPE, name, credentialData(simulator));
		const close = async () => {
			await n8n.stop();
			await cleanUp();
		};
		return { n8n, simulator, credential: { id, name }, close };
	} catch (error) {
		await cleanUp();
		throw error;
	}
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
	{ n8n, simulator, credential }: Arena,
	contestant: WorkflowNode,
	items: Array<Record<string, unknown>>,
): Promise<Run> {
	simulator.reset();
	const workflow = await n8n.rest.createWorkflow({
		name: contestant.name,
		nodes: [
			node(START, 'n8n-nodes-base.manualTrigger'),
			{ ...contestant, credentials: { [CREDENTIAL_TYPE]: credential } },
		],
		connections: { [START]: { main: [to(contestant.name)] } },
		pinData: { [START]: items.map((json) => ({ json })) },
	});
	const execution = await n8n.rest.runToEnd(workflow, START, RUN_LIMIT_MS);
	const wrong = execution.error?.message ?? simulator.violations().at(0)?.words;
	if (wrong !== undefined) throw new Error(`${contestant.name}: ${wrong}`);
	const { executionTime = NaN } = execution.getRuns(contestant.name)[0];
	return {
		ms: executionTime,
		requests: simulator.record.requests.length,
	};
}

/** Waits until n8n takes what is posted to a trigger. */
export async function listening(url: string): Promise<void> {
	await until(`n8n to listen at ${url}`, async () => {
		const response = await fetch(url);
		return /make a POST request/.test(await response.text()) || undefined;
	});
}
