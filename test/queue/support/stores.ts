import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../harness/loopback';
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
const USER = 'n8n';
const HOST = '127.0.0.1';

/** Nothing has to outlive this machine. */
const REDIS = { bind: HOST, save: '', appendonly: 'no' };
const POSTGRES = {
	listen_addresses: HOST,
	unix_socket_directories: '',
	max_connections: '200',
	fsync: 'off',
	synchronous_commit: 'off',
};

/**
 * Starts both on free ports of the loopback address, with their data in a temporary folder. They
 * end with this process, and the folder with them.
 *
 * @throws Error with what they said when one does not start
 */
export async function startStores(): Promise<Stores> {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-queue-stores-'));
	const [redisPort, postgresPort] = await freePorts(2);
	const options = { cwd: folder, removeIfAbandoned: folder };
	const redis = Object.entries(REDIS).flatMap(([name, value]) => [`--${name}`, value]);
	const running = [
		startCommand('redis-server', [...redis, '--port', String(redisPort)], options),
		await startPostgres(folder, postgresPort),
	];
	await untilListening(running[0], redisPort);
	await untilListening(running[1], postgresPort);
	return {
		env: {
			QUEUE_BULL_REDIS_HOST: HOST,
			QUEUE_BULL_REDIS_PORT: String(redisPort),
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: HOST,
			DB_POSTGRESDB_PORT: String(postgresPort),
			DB_POSTGRESDB_USER: USER,
			DB_POSTGRESDB_DATABASE: 'postgres',
		},
		stop: async () => {
			// Killed: what they hold is thrown away with the folder.
			await Promise.all(running.map(async (each) => await each.kill()));
			await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
		},
	};
}

async function startPostgres(folder: string, port: number): Promise<RunningCommand> {
	const data = join(folder, 'postgres');
	// It refuses to be root's: then it runs as another user, whose the folder is.
	const isRoot = process.getuid?.() === 0;
	if (isRoot) await runCommand('chown', ['postgres:', folder]);
	const as = isRoot ? 'setpriv --reuid=postgres --regid=postgres --clear-groups --' : 'env';
	const [command, ...before] = as.split(' ');

	const versions = await readdir(DEBIAN_POSTGRES).catch(() => []);
	const [newest] = versions.sort((one, other) => Number(other) - Number(one));
	const find = (program: string) =>
		newest === undefined ? program : join(DEBIAN_POSTGRES, newest, 'bin', program);

	const init = ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--no-sync'];
	await runCommand(command, [...before, find('initdb'), ...init], { cwd: folder });
	const settings = Object.entries(POSTGRES).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	const args = ['-D', data, '-p', String(port), ...settings];
	return startCommand(command, [...before, find('postgres'), ...args], {
		cwd: folder,
		removeIfAbandoned: folder,
	});
}

async function untilListening(running: RunningCommand, port: number): Promise<void> {
	await until('a store to listen', async () => {
		if (running.exitCode !== undefined) {
			throw new Error(`A store did not start:\n${lastLines(running.output, 25)}`);
		}
		return (await accepts(port)) || undefined;
	});
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
