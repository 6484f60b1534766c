/** What an n8n version needs. */
export interface N8nRelease {
	version: string;
	/** Major versions of Node.js it runs on. */
	nodeMajors: readonly number[];
	/** Native modules it needs; all others have a slower JavaScript version. */
	nativeModules: readonly string[];
	/** Versions of libraries that are installed whatever n8n itself asks for. */
	overrides: Readonly<Record<string, string>>;
	/**
	 * Its libraries are those that were the newest on this day, so that every machine gets the same;
	 * without one, today's.
	 */
	librariesOf?: string;
}

const releases: readonly N8nRelease[] = [
	{
		version: '1.123.0',
		nodeMajors: [20, 22, 24],
		nativeModules: ['sqlite3'],
		// n8n asks for one from a host that is no package registry.
		overrides: { xlsx: '0.18.5' },
		librariesOf: '2026-10-03',
	},
	{
		version: '2.41.1',
		nodeMajors: [24],
		nativeModules: ['sqlite3', 'isolated-vm'],
		overrides: { xlsx: '0.18.5', linkedom: '0.18.12' },
		librariesOf: '2026-10-03',
	},
];

/** The oldest n8n the package supports. */
export const oldestSupported = '1.123.0';

/** The newest n8n the package is tested on. */
export const newestSupported = '2.41.1';

/**
 * @param version such as "2.41.1". One newer than those that are known needs what the newest one needs,
 * and gets today's libraries
 * @throws Error that lists the known versions, for an older one
 */
export function findRelease(version: string): N8nRelease {
	const release = releases.find((candidate) => candidate.version === version);
	if (release) return release;
	const newest = releases[releases.length - 1];
	if (isNewer(version, newest.version)) return { ...newest, version, librariesOf: undefined };
	const known = releases.map((each) => each.version).join(', ');
	throw new Error(
		`n8n ${version} is not among those that are tested: ${known}. How to add one is in test/n8n/README.md`,
	);
}

/** @returns whether one version such as "2.41.1" is newer than another */
export function isNewer(version: string, than: string): boolean {
	return version.localeCompare(than, 'en', { numeric: true }) > 0;
}
