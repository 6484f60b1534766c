import { installN8n } from '../../harness/installN8n';
import { findTarball } from '../../harness/pack';
import { PublicAddress } from '../../harness/publicAddress';
import { showProgress } from '../../harness/progress';
import { startN8n } from '../../harness/startN8n';
import { startRole, type Role, type RoleOptions, type RoleProcess } from '../../harness/startRole';
import { credentialData, CREDENTIAL_TYPE, type World } from '../../harness/world';
import { startSimulator } from '../../../simulator/index';
import { findPrograms } from './programs';
import { startStores } from './stores';

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
	webhook: RoleProcess;
	/** Does something while two webhook processes take turns. */
	withTwoWebhooks(work: () => Promise<void>): Promise<void>;
	/** Starts one more worker. */
	addWorker(): Promise<RoleProcess>;
	stop(): Promise<void>;
}

/**
 * Starts Redis, PostgreSQL, the simulator, and n8n's main process, one webhook process behind a public
 * address and two workers, each with a user folder and an installed package of its own.
 *
 * @param version of n8n
 */
export async function startFleet(version: string): Promise<Fleet> {
	const n8n = await installN8n(version, showProgress(process.stderr));
	const tarball = await findTarball();
	const begun: Array<{ stop(): Promise<void> }> = [];
	const stop = async (): Promise<void> => {
		// The newest first: n8n's processes still need the stores when they end.
		for (const each of begun.splice(0).reverse()) await each.stop();
	};
	const keep = <T extends { stop(): Promise<void> }>(started: T): T => {
		begun.push(started);
		return started;
	};
	try {
		const simulator = keep(await startSimulator({ checkAcknowledgements: false }));
		const stores = keep(await startStores(findPrograms()));
		const address = keep(await PublicAddress.start('', 0));
		const shared = {
			n8n,
			tarball,
			caFile: simulator.caFile,
			env: {
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
				WEBHOOK_URL: address.url,
				N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
			},
		};
		const start = async (role: Role, more: Partial<RoleOptions> = {}): Promise<RoleProcess> =>
			keep(await startRole(role, { ...shared, ...more }));
		const addWorker = async (): Promise<RoleProcess> =>
			await start('worker', { flags: [`--concurrency=${WORKER_CONCURRENCY}`] });

		// The main process makes the tables that the others look for.
		const main = keep(await startN8n(shared));
		const [webhook, ...workers] = await Promise.all([start('webhook'), addWorker(), addWorker()]);
		const webhookProcessUrl = ({ port }: RoleProcess): string => `http://127.0.0.1:${port}`;
		address.targets = [webhookProcessUrl(webhook)];
		const withTwoWebhooks = async (work: () => Promise<void>): Promise<void> => {
			const second = await start('webhook');
			address.targets = [webhookProcessUrl(webhook), webhookProcessUrl(second)];
			try {
				await work();
			} finally {
				address.targets = [webhookProcessUrl(webhook)];
				await second.stop();
			}
		};
		const name = 'The simulator';
		const id = await main.rest.createCredential(CREDENTIAL_TYPE, name, credentialData(simulator));
		const credential = { id, name };
		return {
			n8n: main,
			simulator,
			credential,
			webhook,
			workers,
			withTwoWebhooks,
			addWorker,
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}
