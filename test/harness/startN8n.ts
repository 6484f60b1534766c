import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installCommunityPackage } from './communityPackage';
import { freePorts, isFree } from './freePorts';
import type { InstalledN8n } from './installN8n';
import { N8nProcess, type ProcessPlan } from './n8nProcess';
import { N8nRest, type Login } from './n8nRest';

export interface StartOptions {
	n8n: InstalledN8n;
	/** Path of the packed community package. */
	tarball: string;
	/** Installs the package; by default as n8n's own installer does. */
	install?: (tarball: string, userFolder: string, env: NodeJS.ProcessEnv) => Promise<void>;
	/** Port of the editor if it is free; otherwise, and by default, any free one. */
	preferredPort?: number;
	/** Environment variables for n8n; they win over ours. */
	env?: Record<string, string>;
	/** A certificate that n8n trusts besides the usual ones. */
	caFile?: string;
}

/** The owner of an n8n started here. */
export const demoLogin: Login = { email: 'demo@example.com', password: 'Yuntongxun-Demo-1' };

const MOST_ATTEMPTS = 3;

/** A running n8n with our package installed. */
export class RunningN8n extends N8nProcess {
	/** The editor's address, without a trailing slash. */
	readonly url: string;
	readonly rest: N8nRest;

	/** Use {@link startN8n}. */
	constructor(plan: Omit<ProcessPlan, 'command'>, port: number) {
		super({ ...plan, command: ['start'] });
		this.url = `http://127.0.0.1:${port}`;
		const { WEBHOOK_URL = this.url, N8N_ENDPOINT_WEBHOOK = 'webhook' } = plan.env;
		const webhookBase = `${WEBHOOK_URL.replace(/\/$/, '')}/${N8N_ENDPOINT_WEBHOOK}`;
		this.rest = new N8nRest(this.url, Number(plan.n8n.version.split('.')[0]), webhookBase);
	}

	protected async isReady(): Promise<boolean> {
		return await this.rest.isReady();
	}
}

/**
 * Starts a real n8n with our packed package installed as a user's n8n would install it, sets up
 * its owner and logs in. It listens on the loopback address only, and ends with this process.
 *
 * @throws Error if n8n does not start, with the end of its log
 */
export async function startN8n(options: StartOptions): Promise<RunningN8n> {
	const { n8n, tarball, install = installCommunityPackage } = options;
	const userFolder = await mkdtemp(join(tmpdir(), 'n8n-under-test-'));
	try {
		await install(tarball, userFolder, n8n.runtime.env);
		const running = await startOnPorts(options, userFolder);
		await running.rest.setUpOwner(demoLogin).catch(async (error: unknown) => {
			await running.kill();
			throw error;
		});
		return running;
	} catch (error) {
		await rm(userFolder, { recursive: true, force: true, maxRetries: 5 });
		throw error;
	}
}

/** Tries once more if another program takes a port between our check and n8n's start. */
async function startOnPorts(options: StartOptions, userFolder: string): Promise<RunningN8n> {
	const { n8n } = options;
	for (let attempt = 1; ; attempt++) {
		const [freePort, brokerPort] = await freePorts(2);
		const port = (await preferred(options.preferredPort)) ?? freePort;
		const env = environment(options, userFolder, port, brokerPort);
		const running = new RunningN8n({ n8n, env, userFolder }, port);
		try {
			await running.start();
			return running;
		} catch (error) {
			if (attempt === MOST_ATTEMPTS || !/port \d+ is already in use/.test(running.log)) throw error;
		}
	}
}

async function preferred(port: number | undefined): Promise<number | undefined> {
	return port !== undefined && (await isFree(port)) ? port : undefined;
}

/**
 * The environment of an n8n process: none of the developer's own settings, then ours, then the given
 * ones.
 *
 * @param port of its web server
 * @param brokerPort port for its task runner
 */
export function environment(
	{ n8n, caFile, env }: Pick<StartOptions, 'n8n' | 'caFile' | 'env'>,
	userFolder: string,
	port: number,
	brokerPort: number,
): NodeJS.ProcessEnv {
	return {
		...n8n.runtime.env,
		...quietSettings,
		N8N_USER_FOLDER: userFolder,
		N8N_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		WEBHOOK_URL: `http://127.0.0.1:${port}/`,
		...(caFile ? { NODE_EXTRA_CA_CERTS: caFile } : {}),
		...env,
	};
}

/** No telemetry, and an editor without banners and questions. */
const quietSettings = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_SECURE_COOKIE: 'false',
	N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	// n8n 2 refuses every request while its database takes more than five seconds to answer a ping, and
	// on a machine that several n8n share it does.
	DB_PING_TIMEOUT_MS: '60000',
};
