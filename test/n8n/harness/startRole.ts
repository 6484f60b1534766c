import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installCommunityPackage } from './communityPackage';
import { freePorts } from './freePorts';
import { N8nProcess, type ProcessPlan } from './n8nProcess';
import { environment, type StartOptions } from './startN8n';

/** What n8n's queue mode has besides the main process, and what each prints when it is ready. */
const READY = {
	worker: /n8n worker is now ready/,
	webhook: /Webhook listener waiting for requests/,
} as const;

/** A part that a process plays in n8n's queue mode, named as n8n's own command. */
export type Role = keyof typeof READY;

/** A worker or webhook process of n8n's queue mode, with our package installed. */
export class RoleProcess extends N8nProcess {
	/** Use {@link startRole}. */
	constructor(
		private readonly role: Role,
		plan: ProcessPlan,
		/** Port of its web server, where it has one. */
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
	/** Port of its web server; any free one without it. */
	port?: number;
}

/**
 * Starts one more process of an n8n in queue mode, on a user folder of its own with our package
 * installed in it, as on a machine of its own. It ends with this process.
 *
 * @throws Error when it does not start, with the end of its log
 */
export async function startRole(role: Role, options: RoleOptions): Promise<RoleProcess> {
	const { n8n, tarball, flags = [] } = options;
	const userFolder = await mkdtemp(join(tmpdir(), `n8n-${role}-under-test-`));
	try {
		await installCommunityPackage(tarball, userFolder, n8n.runtime.env);
		const [freePort, brokerPort] = await freePorts(2);
		const port = options.port ?? freePort;
		const env = environment(options, userFolder, port, brokerPort);
		const command = [role, ...flags];
		const running = new RoleProcess(
			role,
			{ n8n, command, env, userFolder, folderIsOurs: true },
			port,
		);
		await running.start();
		return running;
	} catch (error) {
		await rm(userFolder, { recursive: true, force: true, maxRetries: 5 });
		throw error;
	}
}
