import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs that n8n's queue mode needs besides n8n. */
export interface Programs {
	redisServer: string;
	postgres: string;
	initdb: string;
	/** What runs a command as another user; only needed where this process is root's. */
	setpriv: string | undefined;
}

/** Debian keeps the programs of a PostgreSQL server off the path, one folder a version. */
const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/**
 * Finds the programs on the path, or where Debian keeps them.
 *
 * @throws Error naming every one that is not there, and how to install it
 */
export function findPrograms(): Programs {
	const redisServer = find('redis-server');
	const postgres = find('postgres');
	const initdb = find('initdb');
	const setpriv = find('setpriv');
	const missing = [
		{ program: 'redis-server', debianPackage: 'redis-server', isThere: redisServer },
		{ program: 'postgres', debianPackage: 'postgresql', isThere: postgres },
		{ program: 'initdb', debianPackage: 'postgresql', isThere: initdb },
		...(isRoot() ? [{ program: 'setpriv', debianPackage: 'util-linux', isThere: setpriv }] : []),
	].filter(({ isThere }) => isThere === undefined);
	if (missing.length > 0 || !redisServer || !postgres || !initdb) {
		const programs = missing.map(({ program }) => program).join(', ');
		const packages = [...new Set(missing.map(({ debianPackage }) => debianPackage))].join(' ');
		throw new Error(
			`n8n's queue mode cannot be tested without ${programs}.\nOn Debian and Ubuntu: apt-get install ${packages}`,
		);
	}
	return { redisServer, postgres, initdb, setpriv };
}

/** Whether this process is root's: PostgreSQL refuses to be. */
export function isRoot(): boolean {
	return process.getuid?.() === 0;
}

function find(program: string): string | undefined {
	const folders = [...(process.env.PATH ?? '').split(delimiter), ...debianFolders()];
	return folders.map((folder) => join(folder, program)).find(isExecutable);
}

/** The newest version first. */
function debianFolders(): string[] {
	try {
		return readdirSync(DEBIAN_POSTGRES)
			.sort((one, other) => Number(other) - Number(one))
			.map((version) => join(DEBIAN_POSTGRES, version, 'bin'));
	} catch {
		return [];
	}
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
