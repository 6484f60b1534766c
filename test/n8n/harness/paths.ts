import { resolve } from 'node:path';

/** The project's own folder. */
export const projectFolder = resolve(__dirname, '../../..');

/** One folder per n8n version, each with the `package.json` and lockfile it is installed from. */
export const versionsFolder = resolve(__dirname, '../versions');

/**
 * Where what takes minutes to make is kept: installed n8n versions.
 *
 * @returns `YUNTONGXUN_N8N_CACHE` where set, so that several checkouts can share one; otherwise a
 * folder inside the project that git ignores.
 */
export function n8nCacheFolder(): string {
	const given = process.env.YUNTONGXUN_N8N_CACHE;
	return given ? resolve(given) : resolve(projectFolder, '.cache/n8n');
}

/** Where the packed tarball goes: always the checkout's own, since it holds the checkout's code. */
export const packFolder = resolve(projectFolder, '.cache/pack');
