import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { projectFolder } from './paths';

export interface CommandOptions {
	cwd?: string;
	/** The whole environment of the command; by default {@link cleanEnvironment}. */
	env?: NodeJS.ProcessEnv;
	/** Folders to delete if this process ends without stopping the command. */
	removeIfAbandoned?: string[];
}

/** A command that failed; the message has the end of its output. */
export class CommandFailed extends Error {
	override readonly name = 'CommandFailed';

	constructor(
		readonly command: string,
		readonly exitCode: number,
		readonly output: string,
	) {
		super(`"${command}" ended with exit code ${exitCode}:\n${lastLines(output, 25)}`);
	}
}

/** The last `count` lines of a text. */
export function lastLines(text: string, count: number): string {
	return text.trimEnd().split('\n').slice(-count).join('\n');
}

/**
 * The environment for the commands we start: this process's own, without the developer's npm, Jest
 * and n8n settings. Registry and proxy settings stay.
 *
 * @param nodeBinFolder put first on `PATH`, so that npm and n8n run on that Node.js
 */
export function cleanEnvironment(nodeBinFolder?: string): NodeJS.ProcessEnv {
	const unwanted =
		/^(npm_(package|lifecycle|node|command|execpath|config_(ignore_scripts|legacy_peer_deps|local_prefix|prefix|node_gyp|global_prefix|omit|include|allow_scripts))|N8N_|DB_|EXECUTIONS_|QUEUE_|JEST_|NODE_ENV$|NODE_OPTIONS$|NODE_EXTRA_CA_CERTS$)/;
	const kept = Object.entries(process.env).filter(([name]) => !unwanted.test(name));
	const env: NodeJS.ProcessEnv = Object.fromEntries(kept);
	if (nodeBinFolder) env.PATH = `${nodeBinFolder}:${env.PATH ?? ''}`;
	return env;
}

/**
 * Starts a command that ends with this process at the latest.
 *
 * @param command program name or path; looked up on the `PATH` of `options.env`
 */
export function startCommand(
	command: string,
	args: string[],
	options: CommandOptions = {},
): RunningCommand {
	const request = { command, args, removeIfAbandoned: options.removeIfAbandoned ?? [] };
	const leash = spawn(
		process.execPath,
		['--import', require.resolve('tsx'), resolve(__dirname, 'leash.ts'), JSON.stringify(request)],
		{
			cwd: options.cwd ?? projectFolder,
			env: options.env ?? cleanEnvironment(),
			stdio: ['pipe', 'pipe', 'pipe'],
			detached: true,
		},
	);
	return new RunningCommand(leash);
}

/**
 * Runs a command to its end.
 *
 * @returns what it printed
 * @throws CommandFailed if its exit code is not 0
 */
export async function runCommand(
	command: string,
	args: string[],
	options: CommandOptions = {},
): Promise<string> {
	const running = startCommand(command, args, options);
	const exitCode = await running.ended;
	if (exitCode !== 0) {
		throw new CommandFailed([command, ...args].join(' '), exitCode, running.output);
	}
	return running.output;
}

/** A command that was started. */
export class RunningCommand {
	/** Everything printed so far, both streams mixed. */
	output = '';
	/** Undefined while it runs. */
	exitCode: number | undefined;
	/** Resolves with the exit code; never rejects. */
	readonly ended: Promise<number>;

	constructor(private readonly leash: ChildProcess) {
		const take = (chunk: Buffer): void => {
			this.output += chunk.toString();
		};
		leash.stdout?.on('data', take);
		leash.stderr?.on('data', take);
		this.ended = new Promise((done) => {
			leash.once('error', (error) => {
				this.output += error.message;
				this.exitCode = 127;
				done(127);
			});
			leash.once('close', (code) => {
				this.exitCode ??= code ?? 137;
				done(this.exitCode);
			});
		});
	}

	/** Stops it (SIGTERM), and kills the whole process group after `graceMs`. */
	async stop(graceMs = 15_000): Promise<void> {
		if (this.exitCode !== undefined) return;
		this.leash.kill('SIGTERM');
		const impatience = setTimeout(() => this.leash.kill('SIGUSR2'), graceMs);
		await this.ended;
		clearTimeout(impatience);
	}

	/** Kills the whole process group at once, like a crash. */
	async kill(): Promise<void> {
		if (this.exitCode === undefined) this.leash.kill('SIGUSR2');
		await this.ended;
	}
}
