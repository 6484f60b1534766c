import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installCommunityPackage } from './communityPackage';
import { freePorts } from './freePorts';
import { N8nProcess, type ProcessPlan } from './n8nProcess';
import { environment, type StartOptions } from './startN8n';

/** The other processes of queue mode, and what each prints when it is ready. */
const READY = {
	worker: /n8n worker is now ready/,
	webhook: /Webhook listener waiting for requests/,
} as const;

/** The role of a process in queue mode, named like n8n's command. */
export type Role = keyof typeof READY;

/** A worker or webhook process of n8n's queue mode, with our package installed. */
export class RoleProcess extends N8nProcess {
	/** Use {@link startRole}. */
	constructor(
		private readonly role: Role,
		plan: ProcessPlan,
		/** Port of its web server; undefined without one. */
		readonly port: number,
	) {
		super(plan);
	}

	protected isReady(): boolean {
		return READY[this.role].test(this.output);
	}
}

export interface RoleOptions extends Pick<StartOptions, 'n8n' | 'tarball' | 'caFile' | 'env'> {
	/** Flags of n8n's command, such as `--concurrency=5`. */
	flags?: string[];
}

/**
 * Starts one more process of an n8n in queue mode, with its own user folder and our package installed
 * there, as on another machine. It ends with this process.
 *
 * @throws Error if it does not start, with the end of its log
 */
export async function startRole(role: Role, options: RoleOptions): Promise<RoleProcess> {
	const { n8n, tarball, flags = [] } = options;
	const userFolder = await mkdtemp(join(tmpdir(), `n8n-${role}-under-test-`));
	try {
		await installCommunityPackage(tarball, userFolder, n8n.runtime.env);
		const [port, brokerPort] = await freePorts(2);
		const env = environment(options, userFolder, port, brokerPort);
		const command = [role, ...flags];
		const running = new RoleProcess(role, { n8n, command, env, userFolder }, port);
		await running.start();
		return running;
	} catch (error) {
		await rm(userFolder, { recursive: true, force: true, maxRetries: 5 });
		throw error;
	}
}
