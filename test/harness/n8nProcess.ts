import { rm } from 'node:fs/promises';
import type { InstalledN8n } from './installN8n';
import { lastLines, startCommand, type RunningCommand } from './processes';
import { until } from './until';

/** How to start a process of n8n. */
export interface ProcessPlan {
	n8n: InstalledN8n;
	/** One of n8n's own commands, with its flags. */
	command: string[];
	env: NodeJS.ProcessEnv;
	/** Where the process keeps its settings and community packages; goes with the process. */
	userFolder: string;
}

const START_LIMIT_MS = 300_000;

/** One process of n8n, main, worker or webhook: it can be started, stopped and killed. */
export abstract class N8nProcess {
	private process: RunningCommand | undefined;
	private earlierLog = '';

	constructor(private readonly plan: ProcessPlan) {}

	get n8n(): InstalledN8n {
		return this.plan.n8n;
	}

	get userFolder(): string {
		return this.plan.userFolder;
	}

	/** Everything it has printed since the first start. */
	get log(): string {
		return this.earlierLog + this.output;
	}

	/** Everything it has printed since the last start. */
	protected get output(): string {
		return this.process?.output ?? '';
	}

	/** Whether it is ready. */
	protected abstract isReady(): boolean | Promise<boolean>;

	/**
	 * Starts the process and waits until it is ready.
	 *
	 * @throws Error with the end of its log if it ends or is not ready after five minutes
	 */
	async start(): Promise<void> {
		const { n8n, command, env, userFolder } = this.plan;
		const name = `n8n ${n8n.version} (${command[0]})`;
		const running = startCommand(n8n.runtime.node, [n8n.program, ...command], {
			cwd: userFolder,
			env,
			removeIfAbandoned: [userFolder],
		});
		this.process = running;
		try {
			await until(
				`${name} to start`,
				async () => {
					if (running.exitCode !== undefined) {
						throw new Error(`${name} ended by itself with exit code ${running.exitCode}`);
					}
					return (await this.isReady()) || undefined;
				},
				{ timeoutMs: START_LIMIT_MS, everyMs: 200 },
			);
		} catch (error) {
			await this.kill();
			throw new Error(`${(error as Error).message}\n${lastLines(running.output, 25)}`);
		}
	}

	/** Stops it gracefully and removes its user folder. */
	async stop(): Promise<void> {
		await this.end((running) => running.stop());
		await rm(this.userFolder, { recursive: true, force: true, maxRetries: 5 });
	}

	/** Stops it gracefully and starts it again with the same user folder and port. */
	async restart(): Promise<void> {
		await this.end((running) => running.stop());
		await this.start();
	}

	/** Kills it like a crash; the user folder stays, so `start()` can follow. */
	async kill(): Promise<void> {
		await this.end((running) => running.kill());
	}

	private async end(how: (running: RunningCommand) => Promise<void>): Promise<void> {
		const running = this.process;
		if (!running) return;
		// Before the wait, since a program that is stopped while it restarts n8n ends it twice.
		this.process = undefined;
		await how(running);
		this.earlierLog += running.output;
	}
}
