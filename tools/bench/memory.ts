import { readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import type { RunningN8n } from '../../test/harness/startN8n';

/** Makes Linux count the most memory of a process anew; see `man 5 proc`. */
const RESET_PEAK = '5';

/**
 * Runs work, and says how much memory n8n took at most meanwhile.
 *
 * @returns megabytes; undefined where Linux does not tell
 */
export async function measurePeak<T>(
	{ userFolder }: RunningN8n,
	work: () => Promise<T>,
): Promise<{ result: T; megabytes?: number }> {
	const folder = await findProcess(userFolder);
	if (folder !== undefined) await writeFile(`${folder}/clear_refs`, RESET_PEAK);
	const result = await work();
	if (folder === undefined) return { result };

	const [, kilobytes] = /VmHWM:\s*(\d+)/.exec(await readFile(`${folder}/status`, 'utf8')) ?? [];
	return { result, megabytes: Math.round(Number(kilobytes) / 1024) };
}

/** The folder in /proc of the Node.js process that works in a folder. */
async function findProcess(cwd: string): Promise<string | undefined> {
	const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
	for (const folder of ids.map((id) => `/proc/${id}`)) {
		const place = await readlink(`${folder}/cwd`).catch(() => '');
		const name = await readFile(`${folder}/comm`, 'utf8').catch(() => '');
		if (place === cwd && /^(?:node|n8n|MainThread)/.test(name)) return folder;
	}
	return undefined;
}
