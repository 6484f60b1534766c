import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { triedVersionsFolder, versionsFolder } from './paths';

/** What an n8n version needs. */
export interface N8nRelease {
	version: string;
	/** Major versions of Node.js it runs on. */
	nodeMajors: readonly number[];
	/** Native modules it needs; all others have a slower JavaScript version. */
	nativeModules: readonly string[];
}

const releases: readonly N8nRelease[] = [
	{ version: '1.123.0', nodeMajors: [20, 22, 24], nativeModules: ['sqlite3'] },
	{
		version: '2.41.1',
		nodeMajors: [24],
		nativeModules: ['sqlite3', 'isolated-vm'],
	},
];

/** The oldest n8n the package supports. */
export const oldestSupported = '1.123.0';

/** The newest n8n the package is tested on. */
export const newestSupported = '2.41.1';

/**
 * @param version such as "2.41.1"
 * @throws Error that lists the known versions
 */
export function findRelease(version: string): N8nRelease {
	const release = releases.find((candidate) => candidate.version === version);
	if (!existsSync(join(lockedFolder(version), 'package-lock.json'))) {
		const known = releases.map((each) => each.version).join(', ');
		throw new Error(
			`There is no lockfile for n8n ${version}. There are: ${known}. The newest n8n is tried by .ci/run newest; how to add a version is in test/n8n/README.md`,
		);
	}
	// A version newer than this table needs what the newest one in it needs.
	return release ?? { ...releases[releases.length - 1], version };
}

/**
 * The folder with the `package.json` and lockfile that a version is installed from. Versions that are
 * only tried, not supported, have theirs in the cache.
 */
export function lockedFolder(name: string): string {
	const supported = join(versionsFolder, name);
	return existsSync(supported) ? supported : join(triedVersionsFolder, name);
}
