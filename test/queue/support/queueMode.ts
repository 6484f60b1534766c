import { request as forward } from 'node:http';
import { startSimulator } from '../../../simulator/index';
import { installN8n } from '../../harness/install';
import { startLoopback } from '../../harness/loopback';
import { findTarball } from '../../harness/pack';
import { storeCredential, type Setup, type Stoppable } from '../../harness/setup';
import { startN8n, type RunningN8n } from '../../harness/startN8n';
import { startStores } from './stores';

/** How many executions a worker has under way at the same time: n8n's own default. */
export const WORKER_CONCURRENCY = 10;

/** An n8n in queue mode: `n8n` is its main process, which takes no production webhooks. */
export interface QueueMode extends Setup {
	workers: RunningN8n[];
	/** Does something while two webhook processes take turns. */
	withTwoWebhooks(work: () => Promise<void>): Promise<void>;
	/** Starts one more worker. */
	addWorker(): Promise<RunningN8n>;
}

/** What every process of it has to know. */
const buildEnvironment = (version: string, stores: Record<string, string>, url: string) => ({
	...stores,
	// Shorter than n8n's own, so that a dead worker is noticed in time.
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
	// n8n 1 runs again what a dead worker had under way, unless told not to; n8n 2 never.
	QUEUE_WORKER_MAX_STALLED_COUNT: '0',
	// With n8n's own two connections a hundred results at once make n8n 2 believe that its
	// database is gone, and it answers HTTP 503.
	DB_POSTGRESDB_POOL_SIZE: '20',
	EXECUTIONS_MODE: 'queue',
	// n8n 1 would begin a manual run that waits anew.
	...(!version.startsWith('1.') && { OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' }),
	N8N_ENCRYPTION_KEY: 'made-up-for-the-queue',
	N8N_WEBHOOK_URL: `${url}/`,
	N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
});

/** An address behind which several processes take turns. */
async function startTurns() {
	const targets: string[] = [];
	let turns = 0;
	const server = await startLoopback((request, response) => {
		const { url = '', method, headers } = request;
		const target = targets[turns % targets.length];
		turns += 1;
		const inner = forward(`${target}${url}`, { method, headers });
		inner.on('response', (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		inner.on('error', () => response.destroy());
		response.on('close', () => inner.destroy());
		request.pipe(inner);
	});
	return { ...server, targets };
}

/**
 * Starts Redis, PostgreSQL, the simulator, and n8n's main process, one webhook process behind a public
 * address and two workers, each with a user folder and an installed package of its own.
 *
 * @param begun is given what is to be stopped in the end, the newest first: n8n's processes still need the stores
 */
export async function startQueueMode(version: string, begun: Stoppable[]): Promise<QueueMode> {
	const keep = <T extends Stoppable>(started: T): T => {
		begun.unshift(started);
		return started;
	};
	const installed = await installN8n(version);
	const tarball = await findTarball();
	const simulator = keep(await startSimulator());
	const stores = keep(await startStores());
	const address = keep(await startTurns());
	const env = buildEnvironment(version, stores.env, address.url);
	const options = { n8n: installed, tarball, caFile: simulator.caFile, env };
	const addWebhook = async () => keep(await startN8n(options, ['webhook']));
	const addWorker = async () =>
		keep(await startN8n(options, ['worker', `--concurrency=${WORKER_CONCURRENCY}`]));

	// The main process makes the tables that the others look for.
	const n8n = keep(await startN8n(options));
	const [webhook, ...workers] = await Promise.all([addWebhook(), addWorker(), addWorker()]);
	address.targets.push(webhook.url);
	const withTwoWebhooks = async (work: () => Promise<void>): Promise<void> => {
		const second = await addWebhook();
		address.targets.push(second.url);
		await work().finally(() => address.targets.pop());
		await second.stop();
	};
	const credential = await storeCredential({ n8n, simulator });
	return { n8n, simulator, credential, workers, withTwoWebhooks, addWorker };
}
