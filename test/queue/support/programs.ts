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

/** A program is missing; the message says how to install it. */
class ProgramsMissing extends Error {
	override readonly name = 'ProgramsMissing';

	constructor(missing: Array<{ program: string; debianPackage: string }>) {
		const packages = [...new Set(missing.map(({ debianPackage }) => debianPackage))];
		super(
			`The queue mode of n8n cannot be tested without ${missing.map(({ program }) => program).join(', ')}.\n` +
				`On Debian and Ubuntu: apt-get install ${packages.join(' ')}`,
		);
	}
}

/**
 * Finds the programs on the path, or where Debian keeps them.
 *
 * @throws ProgramsMissing naming every one that is not there
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
	if (missing.length > 0 || !redisServer || !postgres || !initdb)
		throw new ProgramsMissing(missing);
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
