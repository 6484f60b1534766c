import { chmod, chown, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePorts } from '../../harness/freePorts';
import type { InstalledN8n } from '../../harness/installN8n';
import { cleanEnvironment, runCommand } from '../../harness/processes';
import { demoLogin, environment, RunningN8n } from '../../harness/startN8n';

const NODE_USER = 1000;

/** Programs of n8n's image, as short as they can be. */
const PROGRAMS: Readonly<Record<string, string>> = {
	n8n: 'exec node /usr/local/lib/node_modules/n8n/bin/n8n "$@"',
	tini: '[ "$1" = -- ] && shift; exec "$@"',
};

/** What the image starts in the end. */
const ENTRYPOINT = 'exec n8n "$@"';

/**
 * The folders and the user of n8n's image, with a real n8n in it: a container without Docker. It takes root.
 * How a command gets inside is in enter.sh.
 */
export class Container {
	private hasOwner = false;

	private constructor(
		private readonly folder: string,
		private readonly n8n: InstalledN8n,
	) {}

	/** @returns one in which n8n has never been started */
	static async create(n8n: InstalledN8n): Promise<Container> {
		const container = new Container(await mkdtemp(join(tmpdir(), 'n8n-container-')), n8n);
		await container.fill();
		return container;
	}

	private async fill(): Promise<void> {
		const { folder, n8n } = this;
		await chmod(folder, 0o755);
		await writeFile(join(folder, 'node'), dirname(dirname(n8n.runtime.node)));
		await writeFile(join(folder, 'modules'), join(n8n.program, '../../..'));
		for (const each of ['home/node/.n8n', 'opt', 'programs', 'root', 'tmp']) {
			await mkdir(this.path(each), { recursive: true });
		}
		await chmod(this.path('tmp'), 0o1777);
		for (const each of ['home/node', 'home/node/.n8n']) {
			await chown(this.path(each), NODE_USER, NODE_USER);
		}
		for (const [name, words] of Object.entries(PROGRAMS)) {
			await writeScript(this.path(join('programs', name)), words);
		}
		await writeScript(this.path('docker-entrypoint.sh'), ENTRYPOINT);
		const user = `node:x:${NODE_USER}`;
		await this.replaceLine('passwd', `${user}:${NODE_USER}::/home/node:/bin/sh`);
		await this.replaceLine('group', `${user}:`);
	}

	/** Copies a table of users or groups of this machine, with another 1000. */
	private async replaceLine(table: 'passwd' | 'group', line: string): Promise<void> {
		const lines = (await readFile(`/etc/${table}`, 'utf8')).split('\n');
		const others = lines.filter((each) => !/^(?:node:|[^:]*:[^:]*:1000:)/.test(each));
		await writeFile(this.path(table), [line, ...others].join('\n'));
	}

	/** Where a file of the container lies on this machine. */
	path(inside: string): string {
		return join(this.folder, 'root', inside);
	}

	/**
	 * Runs commands on the host, where `docker` is the stand-in of this container.
	 *
	 * @param cwd the folder of the package's file
	 * @throws CommandFailed
	 */
	async runOnHost(commands: string, cwd: string): Promise<string> {
		const env = cleanEnvironment(__dirname);
		return await runCommand('bash', ['-euc', commands], {
			cwd,
			env: { ...env, CONTAINER: this.folder },
		});
	}

	/** Runs a command in the container. */
	async run(user: 'node' | 'root', ...command: string[]): Promise<string> {
		return await runCommand(join(__dirname, 'enter.sh'), [this.folder, user, ...command]);
	}

	/** What happened to it as a whole: "up", "restart". */
	async events(): Promise<string[]> {
		return (await readFile(join(this.folder, 'events'), 'utf8')).trim().split('\n');
	}

	/** Puts a file into it, as a line `COPY` of a Dockerfile. */
	async copy(from: string, to: string): Promise<void> {
		await copyFile(from, this.path(to));
	}

	/**
	 * Starts its n8n.
	 *
	 * @param env what the container's settings are
	 * @param entrypoint of its image
	 * @throws Error if n8n does not start, with the end of its log
	 */
	async start(
		env: Record<string, string> = {},
		entrypoint = ['tini', '--', '/docker-entrypoint.sh'],
	): Promise<RunningN8n> {
		const program = join(this.folder, 'start');
		const words = [join(__dirname, 'enter.sh'), this.folder, 'node', ...entrypoint];
		await writeScript(program, `exec ${words.map((word) => `'${word}'`).join(' ')} "$@"`);
		const n8n = { ...this.n8n, program, runtime: { ...this.n8n.runtime, node: '/bin/sh' } };
		const [port, brokerPort] = await freePorts(2);
		const settings = environment({ n8n, env }, '/home/node', port, brokerPort);
		delete settings.N8N_USER_FOLDER;
		const running = new RunningN8n({ n8n, env: settings, userFolder: this.folder }, port);
		await running.start();
		if (this.hasOwner) await running.rest.logIn(demoLogin);
		else await running.rest.setUpOwner(demoLogin);
		this.hasOwner = true;
		return running;
	}

	async remove(): Promise<void> {
		await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

async function writeScript(path: string, words: string): Promise<void> {
	await writeFile(path, `#!/bin/sh\n${words}\n`);
	await chmod(path, 0o755);
}
