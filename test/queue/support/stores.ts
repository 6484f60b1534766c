import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../harness/freePorts';
import { lastLines, runCommand, startCommand, type RunningCommand } from '../../harness/processes';
import { until } from '../../harness/until';

/** A Redis and a PostgreSQL for one n8n in queue mode, empty at first and gone with `stop()`. */
export interface Stores {
	/** What n8n has to be told to use them. */
	env: Record<string, string>;
	stop(): Promise<void>;
}

/** Debian keeps the programs of a PostgreSQL server off the path, one folder a version. */
const DEBIAN_POSTGRES = '/usr/lib/postgresql';
const DATABASE_USER = 'n8n';
const HOST = '127.0.0.1';
const START_LIMIT_MS = 30_000;

/**
 * Starts both on free ports of the loopback address, with their data in a temporary folder. They
 * end with this process, and the folder with them.
 *
 * @throws Error with what they said when one does not start
 */
export async function startStores(): Promise<Stores> {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-queue-stores-'));
	const running: RunningCommand[] = [];
	const stop = async (): Promise<void> => {
		// Killed: what they hold is thrown away with the folder.
		await Promise.all(running.map(async (each) => await each.kill()));
		await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
	};
	try {
		const [redisPort, postgresPort] = await freePorts(2);
		running.push(startRedis(folder, redisPort));
		running.push(await startPostgres(folder, postgresPort));
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

function startRedis(folder: string, port: number): RunningCommand {
	const settings = {
		port: String(port),
		bind: HOST,
		dir: folder,
		save: '',
		appendonly: 'no',
	};
	const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
	return startCommand('redis-server', args, { cwd: folder, removeIfAbandoned: [folder] });
}

async function startPostgres(folder: string, port: number): Promise<RunningCommand> {
	const data = join(folder, 'postgres');
	const programs = await findPostgres();
	const as = await becomeOther(folder);
	const [first, ...before] = [...as, join(programs, 'initdb')];
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
	const [program, ...args] = [...as, join(programs, 'postgres')];
	return startCommand(
		program,
		[
			...args,
			'-D',
			data,
			'-p',
			String(port),
			...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
		],
		{ cwd: folder, removeIfAbandoned: [folder] },
	);
}

/** The folder of the newest PostgreSQL; empty where its programs are on the path. */
async function findPostgres(): Promise<string> {
	const versions = await readdir(DEBIAN_POSTGRES).catch(() => []);
	const [newest] = versions.sort((one, other) => Number(other) - Number(one));
	return newest === undefined ? '' : join(DEBIAN_POSTGRES, newest, 'bin');
}

/** PostgreSQL refuses to be root's: what to put before its commands, as whose user the folder then is. */
async function becomeOther(folder: string): Promise<string[]> {
	if (process.getuid?.() !== 0) return [];
	await runCommand('chown', ['postgres:', folder]);
	return ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--'];
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
