import { resolve } from 'node:path';

/** The project's folder. */
export const projectFolder = resolve(__dirname, '../..');

/** One folder per n8n version, each with the `package.json` and lockfile it is installed from. */
export const versionsFolder = resolve(__dirname, 'versions');

/** The same for versions that the nightly run tries beside them. */
export const triedVersionsFolder = resolve(projectFolder, '.cache/tried-versions');

/**
 * The cache of installed n8n versions, which take minutes to make.
 *
 * @returns `YUNTONGXUN_N8N_CACHE` if set, so that several checkouts can share one; otherwise a
 * folder inside the project that git ignores.
 */
export function n8nCacheFolder(): string {
	const given = process.env.YUNTONGXUN_N8N_CACHE;
	return given ? resolve(given) : resolve(projectFolder, '.cache/n8n');
}

/** The folder of the packed tarball: in the checkout, since it holds the checkout's code. */
export const packFolder = resolve(projectFolder, '.cache/pack');
