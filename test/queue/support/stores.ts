import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../harness/freePorts';
import { lastLines, runCommand, startCommand, type RunningCommand } from '../../harness/processes';
import { until } from '../../harness/until';
import { isRoot, type Programs } from './programs';

/** A Redis and a PostgreSQL for one n8n in queue mode, empty at first and gone with `stop()`. */
export interface Stores {
	/** What n8n has to be told to use them. */
	env: Record<string, string>;
	stop(): Promise<void>;
}

/** Users that PostgreSQL runs as where this process is root's; the first there is. */
const USERS = ['postgres', 'nobody'];
const DATABASE_USER = 'n8n';
const HOST = '127.0.0.1';
const START_LIMIT_MS = 30_000;

/**
 * Starts both on free ports of the loopback address, with their data in a temporary folder. They
 * end with this process, and the folder with them.
 *
 * @throws Error with what they said when one does not start
 */
export async function startStores(programs: Programs): Promise<Stores> {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-queue-stores-'));
	const running: RunningCommand[] = [];
	const stop = async (): Promise<void> => {
		// Killed: what they hold is thrown away with the folder.
		await Promise.all(running.map(async (each) => await each.kill()));
		await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
	};
	try {
		const [redisPort, postgresPort] = await freePorts(2);
		running.push(startRedis(programs, folder, redisPort));
		running.push(await startPostgres(programs, folder, postgresPort));
		await Promise.all([
			listening(running[0], 'Redis', redisPort),
			listening(running[1], 'PostgreSQL', postgresPort),
		]);
		return {
			env: {
				QUEUE_BULL_REDIS_HOST: HOST,
				QUEUE_BULL_REDIS_PORT: String(redisPort),
				DB_TYPE: 'postgresdb',
				DB_POSTGRESDB_HOST: HOST,
				DB_POSTGRESDB_PORT: String(postgresPort),
				DB_POSTGRESDB_USER: DATABASE_USER,
				DB_POSTGRESDB_DATABASE: 'postgres',
			},
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

function startRedis({ redisServer }: Programs, folder: string, port: number): RunningCommand {
	const settings = {
		port: String(port),
		bind: HOST,
		dir: folder,
		save: '',
		appendonly: 'no',
	};
	const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
	return startCommand(redisServer, args, { cwd: folder, removeIfAbandoned: [folder] });
}

async function startPostgres(
	{ postgres, initdb, setpriv }: Programs,
	folder: string,
	port: number,
): Promise<RunningCommand> {
	const data = join(folder, 'postgres');
	const as = isRoot() && setpriv !== undefined ? await otherUser(setpriv, folder) : [];
	const [first, ...before] = [...as, initdb];
	await runCommand(
		first,
		[...before, '-D', data, '-U', DATABASE_USER, '-A', 'trust', '-E', 'UTF8', '--no-sync'],
		{ cwd: folder },
	);
	const settings = {
		listen_addresses: HOST,
		unix_socket_directories: '',
		max_connections: '200',
		// Nothing has to outlive this machine.
		fsync: 'off',
		synchronous_commit: 'off',
	};
	const [program, ...args] = [...as, postgres];
	return startCommand(
		program,
		[
			...args,
			...['-D', data, '-p', String(port)],
			...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
		],
		{ cwd: folder, removeIfAbandoned: [folder] },
	);
}

/** What to put before a command so that it runs as a user who is not root and owns the folder. */
async function otherUser(setpriv: string, folder: string): Promise<string[]> {
	for (const user of USERS) {
		const ids = await findUserIds(user);
		if (ids === undefined) continue;
		await chown(folder, ids.user, ids.group);
		return [setpriv, `--reuid=${ids.user}`, `--regid=${ids.group}`, '--clear-groups', '--'];
	}
	throw new Error(`PostgreSQL does not run as root, and there is no user ${USERS.join(' or ')}`);
}

async function findUserIds(user: string): Promise<{ user: number; group: number } | undefined> {
	try {
		const [uid, gid] = await Promise.all(
			['-u', '-g'].map(async (flag) => Number(await runCommand('id', [flag, user]))),
		);
		return { user: uid, group: gid };
	} catch {
		return undefined;
	}
}

async function listening(running: RunningCommand, name: string, port: number): Promise<void> {
	await until(
		`${name} to listen`,
		async () => {
			if (running.exitCode !== undefined) {
				throw new Error(`${name} did not start:\n${lastLines(running.output, 25)}`);
			}
			return (await accepts(port)) || undefined;
		},
		{ timeoutMs: START_LIMIT_MS },
	);
}

async function accepts(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = createConnection({ host: HOST, port });
		socket.on('connect', () => {
			socket.destroy();
			resolve(true);
		});
		socket.on('error', () => resolve(false));
	});
}
