import { startSimulator } from '../../../simulator/index';
import { installN8n } from '../../harness/installN8n';
import { findTarball } from '../../harness/pack';
import { Progress } from '../../harness/progress';
import { PublicAddress } from '../../harness/publicAddress';
import { startN8n } from '../../harness/startN8n';
import { startRole, type Role, type RoleProcess } from '../../harness/startRole';
import { storeCredential, type World } from '../../harness/world';
import { startStores, type Stores } from './stores';

/** How many executions a worker has under way at the same time: n8n's own default. */
export const WORKER_CONCURRENCY = 10;

/** Settings of n8n's queue, shorter than n8n's own so that a dead worker is noticed in time. */
const QUICK_QUEUE = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/** An n8n in queue mode: `n8n` is its main process, which takes no production webhooks. */
export interface Fleet extends World {
	workers: RoleProcess[];
	/** Does something while two webhook processes take turns. */
	withTwoWebhooks(work: () => Promise<void>): Promise<void>;
	/** Starts one more worker. */
	addWorker(): Promise<RoleProcess>;
}

/** What every process of it has to know. @param stores those of Redis and PostgreSQL */
const buildEnvironment = (version: string, stores: Stores, url: string) => ({
	...stores.env,
	...QUICK_QUEUE,
	// n8n 1 runs again what a dead worker had under way, unless told not to; n8n 2 never.
	QUEUE_WORKER_MAX_STALLED_COUNT: '0',
	// With n8n's own two connections a hundred results at once make n8n 2 believe that its
	// database is gone, and it answers HTTP 503.
	DB_POSTGRESDB_POOL_SIZE: '20',
	EXECUTIONS_MODE: 'queue',
	// n8n 1 would begin a manual run that waits anew.
	...(!version.startsWith('1.') && { OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' }),
	N8N_ENCRYPTION_KEY: 'made-up-for-the-queue',
	WEBHOOK_URL: url,
	N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
});

interface Stoppable {
	stop(): Promise<void>;
}

/** Remembers something that is to be stopped. */
type Keep = <T extends Stoppable>(started: T) => T;

/**
 * Starts Redis, PostgreSQL, the simulator, and n8n's main process, one webhook process behind a public
 * address and two workers, each with a user folder and an installed package of its own.
 *
 * @param version of n8n
 */
export async function startFleet(version: string): Promise<Fleet> {
	const begun: Stoppable[] = [];
	const stop = async (): Promise<void> => {
		// The newest first: n8n's processes still need the stores when they end.
		for (const each of begun.splice(0).reverse()) await each.stop();
	};
	try {
		const started = await startAll(version, (each) => {
			begun.push(each);
			return each;
		});
		return { ...started, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

async function startAll(version: string, keep: Keep): Promise<Omit<Fleet, 'stop'>> {
	const n8n = await installN8n(version, new Progress(process.stderr));
	const tarball = await findTarball();
	const simulator = keep(await startSimulator());
	const stores = keep(await startStores());
	const address = keep(await PublicAddress.start());
	const env = buildEnvironment(version, stores, address.url);
	const shared = { n8n, tarball, caFile: simulator.caFile, env };
	const start = async (role: Role, flags: string[] = []): Promise<RoleProcess> =>
		keep(await startRole(role, { ...shared, flags }));
	const addWorker = async (): Promise<RoleProcess> =>
		await start('worker', [`--concurrency=${WORKER_CONCURRENCY}`]);
	const takeTurns = (...processes: RoleProcess[]): void => {
		address.targets = processes.map(({ port }) => `http://127.0.0.1:${port}`);
	};

	// The main process makes the tables that the others look for.
	const main = keep(await startN8n(shared));
	const [webhook, ...workers] = await Promise.all([start('webhook'), addWorker(), addWorker()]);
	takeTurns(webhook);
	const withTwoWebhooks = async (work: () => Promise<void>): Promise<void> => {
		const second = await start('webhook');
		takeTurns(webhook, second);
		try {
			await work();
		} finally {
			takeTurns(webhook);
			await second.stop();
		}
	};
	const credential = await storeCredential({ n8n: main, simulator });
	return { n8n: main, simulator, credential, workers, withTwoWebhooks, addWorker };
}
