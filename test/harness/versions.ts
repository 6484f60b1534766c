/** The oldest n8n the package supports. */
export const oldestSupported = '1.123.0';

/** The newest n8n the package is tested on. */
export const newestSupported = '2.41.1';

/** The day whose newest libraries both have, so that every machine gets the same. */
const DAY = '2026-10-03';

/** What an n8n version needs. */
export interface N8nNeeds {
	/** Major versions of Node.js it runs on. */
	nodeMajors: readonly number[];
	/** Native modules it needs; all others have a slower JavaScript version. */
	nativeModules: readonly string[];
	/** Versions of libraries that are installed whatever n8n itself asks for. */
	overrides: Readonly<Record<string, string>>;
	/** The day of its libraries; undefined for today's. */
	librariesOf: string | undefined;
}

/** @param version such as "2.41.1"; one that is not supported gets today's libraries */
export function findNeeds(version: string): N8nNeeds {
	const librariesOf = [oldestSupported, newestSupported].includes(version) ? DAY : undefined;
	// n8n asks for one from a host that is no package registry.
	const xlsx = '0.18.5';
	if (version.startsWith('1.')) {
		return {
			nodeMajors: [20, 22, 24],
			nativeModules: ['sqlite3'],
			overrides: { xlsx },
			librariesOf,
		};
	}
	return {
		nodeMajors: [24],
		nativeModules: ['sqlite3', 'isolated-vm'],
		overrides: { xlsx, linkedom: '0.18.12' },
		librariesOf,
	};
}

/** @returns whether one version such as "2.41.1" is newer than another */
export function isNewer(version: string, than: string): boolean {
	return version.localeCompare(than, 'en', { numeric: true }) > 0;
}
