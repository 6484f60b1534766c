import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The project's folder. */
export const projectFolder = resolve(__dirname, '../..');

/**
 * The cache of installed n8n versions, which take minutes and gigabytes to make.
 *
 * @returns `YUNTONGXUN_N8N_CACHE` if set; otherwise a folder among the user's caches, which all
 * checkouts share
 */
export function n8nCacheFolder(): string {
	const { YUNTONGXUN_N8N_CACHE: given, XDG_CACHE_HOME: caches } = process.env;
	if (given) return resolve(given);
	return join(caches || join(homedir(), '.cache'), 'n8n-nodes-yuntongxun/n8n');
}
