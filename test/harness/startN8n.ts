import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InstalledN8n } from './install';
import { freePorts } from './loopback';
import { N8nRest } from './n8nRest';
import { lastLines, runCommand, startCommand, type RunningCommand } from './processes';
import { until } from './until';
import { isNewer } from './versions';

export interface StartOptions {
	n8n: InstalledN8n;
	/** Path of the packed community package. */
	tarball: string;
	/** Installs the package; by default as n8n's own installer does. */
	install?: typeof installCommunityPackage;
	/** Environment variables for n8n; they win over ours. `N8N_WEBHOOK_URL` is its public address, in any version. */
	env?: Record<string, string>;
	/** A certificate that n8n trusts besides the usual ones. */
	caFile?: string;
}

/** What each process of n8n, named like its command, prints when it is ready. */
const READY = {
	start: /Editor is now accessible via/,
	worker: /n8n worker is now ready/,
	webhook: /Webhook listener waiting for requests/,
} as const;

/** The main process, or one of the others that queue mode has. */
export type Role = keyof typeof READY;

/** The owner of an n8n started here. */
export const demoLogin = { email: 'demo@example.com', password: 'Yuntongxun-Demo-1' };

const START_LIMIT_MS = 300_000;

/** A process of n8n with our package installed: it can be stopped, killed and started again. */
export class RunningN8n {
	/** The address of its web server, without a trailing slash. */
	readonly url: string;
	readonly rest: N8nRest;
	private process: RunningCommand | undefined;

	/** Use {@link startN8n}. @param command one of n8n's own, with its flags */
	constructor(
		readonly n8n: InstalledN8n,
		private readonly command: [Role, ...string[]],
		/** Where it keeps its settings and community packages; goes with the process. */
		readonly userFolder: string,
		private readonly env: NodeJS.ProcessEnv,
	) {
		this.url = `http://127.0.0.1:${env.N8N_PORT}`;
		const { N8N_ENDPOINT_WEBHOOK = 'webhook' } = env;
		const publicUrl = env.N8N_WEBHOOK_URL ?? env.WEBHOOK_URL ?? this.url;
		const webhookBase = `${publicUrl.replace(/\/$/, '')}/${N8N_ENDPOINT_WEBHOOK}`;
		this.rest = new N8nRest(this.url, n8n.version.startsWith('1.'), webhookBase);
	}

	/** Everything it has printed since the last start. */
	get log(): string {
		return this.process?.output ?? '';
	}

	/**
	 * Starts the process and waits until it is ready.
	 *
	 * @throws Error with the end of its log if it ends or is not ready after five minutes
	 */
	async start(): Promise<void> {
		const { n8n, userFolder, env } = this;
		const [role, ...flags] = this.command;
		const options = { cwd: userFolder, env, removeIfAbandoned: userFolder };
		const running = startCommand(n8n.runtime.node, [n8n.program, role, ...flags], options);
		this.process = running;
		const isReady = () => READY[role].test(running.output);
		const isOver = () => isReady() || running.exitCode !== undefined || undefined;
		const waits = { timeoutMs: START_LIMIT_MS };
		await until(`n8n ${role} to start`, isOver, waits).catch(() => undefined);
		if (isReady()) return;
		await this.kill();
		throw new Error(
			`n8n ${n8n.version} (${role}) did not start:\n${lastLines(running.output, 25)}`,
		);
	}

	/** Stops it gracefully and removes its user folder. */
	async stop(): Promise<void> {
		await this.process?.stop();
		await rm(this.userFolder, { recursive: true, force: true, maxRetries: 5 });
	}

	/** Kills it like a crash; the user folder stays, so `start()` can follow. */
	async kill(): Promise<void> {
		await this.process?.kill();
	}
}

/**
 * Starts a process of a real n8n with our packed package installed as a user's n8n would install it, with a user
 * folder of its own, as on another machine. Sets up the owner of a main process, and logs in. It listens on the
 * loopback address only, and ends with this process.
 *
 * @param command the main process by default
 * @throws Error if n8n does not start, with the end of its log
 */
export async function startN8n(
	options: StartOptions,
	command: [Role, ...string[]] = ['start'],
): Promise<RunningN8n> {
	const { n8n, tarball, install = installCommunityPackage } = options;
	const userFolder = await mkdtemp(join(tmpdir(), 'n8n-under-test-'));
	const [port, brokerPort] = await freePorts(2);
	const env = buildEnvironment(options, userFolder, port, brokerPort);
	const running = new RunningN8n(n8n, command, userFolder, env);
	try {
		await install(tarball, userFolder, n8n.runtime.env);
		await running.start();
		if (command[0] === 'start') await running.rest.setUpOwner(demoLogin);
		return running;
	} catch (error) {
		await running.stop();
		throw error;
	}
}

/** The public address by the name that docs/running-n8n.md has for a version. */
function namePublicUrl(
	{ N8N_WEBHOOK_URL, ...env }: NodeJS.ProcessEnv,
	version: string,
): NodeJS.ProcessEnv {
	const name = isNewer('2.35.0', version) ? 'WEBHOOK_URL' : 'N8N_WEBHOOK_URL';
	return { ...env, [name]: N8N_WEBHOOK_URL };
}

/** The environment of a process: none of the developer's own settings, then ours, then the given ones. */
const buildEnvironment = (
	{ n8n, caFile, env }: StartOptions,
	userFolder: string,
	port: number,
	brokerPort: number,
): NodeJS.ProcessEnv => ({
	...n8n.runtime.env,
	// No telemetry, and an editor without banners and questions.
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
	N8N_USER_FOLDER: userFolder,
	N8N_PORT: String(port),
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_RUNNERS_BROKER_PORT: String(brokerPort),
	...(caFile ? { NODE_EXTRA_CA_CERTS: caFile } : {}),
	...namePublicUrl({ N8N_WEBHOOK_URL: `http://127.0.0.1:${port}/`, ...env }, n8n.version),
});

/** Flags of n8n's own installer: `downloadPackage` of its community-packages service, 1.123 and 2.41 alike. */
const INSTALL_ARGS = [
	'--audit=false',
	'--fund=false',
	'--bin-links=false',
	'--install-strategy=shallow',
	'--ignore-scripts=true',
	'--package-lock=false',
];

/**
 * Installs a packed community package the way n8n's own installer does: unpacked, stripped of development, peer and
 * optional dependencies, then npm without scripts. `n8n-workflow` is provided by n8n, so a package that lacks a
 * bundled module does not load here either.
 *
 * @param tarball path of the `npm pack` file
 * @param userFolder the folder given to n8n as `N8N_USER_FOLDER`
 * @param env environment to run npm in
 */
async function installCommunityPackage(
	tarball: string,
	userFolder: string,
	env: NodeJS.ProcessEnv,
): Promise<void> {
	const nodes = join(userFolder, '.n8n/nodes');
	const folder = join(nodes, 'node_modules/n8n-nodes-yuntongxun');
	await mkdir(folder, { recursive: true });
	await runCommand('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);

	const path = join(folder, 'package.json');
	const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
	for (const kind of ['dev', 'peer', 'optional']) delete manifest[`${kind}Dependencies`];
	await writeFile(path, JSON.stringify(manifest));
	await runCommand('npm', ['install', ...INSTALL_ARGS], { cwd: folder, env });

	const { name, version } = manifest as { name: string; version: string };
	const list = { name: 'installed-nodes', private: true, dependencies: { [name]: version } };
	await writeFile(join(nodes, 'package.json'), JSON.stringify(list));
}
