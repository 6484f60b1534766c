import { spawn, type ChildProcess } from 'node:child_process';
import { projectFolder } from './paths';

export interface CommandOptions {
	cwd?: string;
	/** The whole environment of the command; by default {@link cleanEnvironment}. */
	env?: NodeJS.ProcessEnv;
	/** A folder to delete if this process ends without stopping the command. */
	removeIfAbandoned?: string;
}

/**
 * Runs a command, and kills its whole process group as soon as the asking process is gone: the system then
 * closes our standard input. Handlers inside the asking process do not run on `kill -9`, nor under Jest on
 * Ctrl-C.
 */
const SUPERVISED = `
	exec 3<&0
	folder=$1
	shift
	"$@" </dev/null 3<&- &
	child=$!
	trap 'kill $child' TERM
	{ cat <&3; kill -KILL $child; rm -rf -- "$folder"; kill -KILL 0; } >/dev/null 2>&1 &
	watcher=$!
	while :; do
		wait $child
		code=$?
		kill -0 $child 2>/dev/null || break
	done
	kill -KILL $watcher
	exit $code`;

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
	{ cwd = projectFolder, env = cleanEnvironment(), removeIfAbandoned = '' }: CommandOptions = {},
): RunningCommand {
	const words = ['-c', SUPERVISED, 'supervised', removeIfAbandoned, command, ...args];
	return new RunningCommand(spawn('sh', words, { cwd, env, detached: true }));
}

/**
 * Runs a command to its end.
 *
 * @returns what it printed
 * @throws Error with the end of its output if its exit code is not 0
 */
export async function runCommand(
	command: string,
	args: string[],
	options: CommandOptions = {},
): Promise<string> {
	const running = startCommand(command, args, options);
	const exitCode = await running.ended;
	if (exitCode === 0) return running.output;
	const called = [command, ...args].join(' ');
	throw new Error(
		`"${called}" ended with exit code ${exitCode}:\n${lastLines(running.output, 25)}`,
	);
}

/** A command that was started. */
export class RunningCommand {
	/** Everything printed so far, both streams mixed. */
	output = '';
	/** Undefined while it runs. */
	exitCode: number | undefined;
	/** Resolves with the exit code; never rejects. */
	readonly ended: Promise<number>;

	constructor(private readonly shell: ChildProcess) {
		for (const stream of [shell.stdout, shell.stderr]) {
			stream?.on('data', (chunk: Buffer) => {
				this.output += chunk.toString();
			});
		}
		// What the command has left behind would hold its output open.
		shell.once('exit', () => this.killGroup());
		this.ended = new Promise((done) => {
			shell.once('close', (code) => {
				this.exitCode = code ?? 137;
				done(this.exitCode);
			});
		});
	}

	/** Stops it (SIGTERM), and kills the whole process group after `graceMs`. */
	async stop(graceMs = 15_000): Promise<void> {
		if (this.exitCode === undefined) this.shell.kill('SIGTERM');
		const impatience = setTimeout(() => this.killGroup(), graceMs);
		await this.ended;
		clearTimeout(impatience);
	}

	/** Kills the whole process group at once, like a crash. */
	async kill(): Promise<void> {
		if (this.exitCode === undefined) this.killGroup();
		await this.ended;
	}

	private killGroup(): void {
		try {
			process.kill(-Number(this.shell.pid), 'SIGKILL');
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
		}
	}
}
