import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { RunningN8n } from '../../test/harness/startN8n';

/**
 * Starts measuring the memory that n8n uses, on Linux.
 *
 * @returns a function that gives the highest use since, above the use at the start, in megabytes;
 * NaN on other systems
 */
export function followPeakMemory({ userFolder }: RunningN8n): () => number {
	try {
		const pid = findProcess(userFolder);
		// Resets the mark of the highest use: see proc(5).
		writeFileSync(`/proc/${pid}/clear_refs`, '5');
		const before = kilobytes(pid, 'VmRSS');
		return () => (kilobytes(pid, 'VmHWM') - before) / 1024;
	} catch {
		return () => NaN;
	}
}

/** The largest process on this user folder: n8n itself, not the program that runs it. */
function findProcess(userFolder: string): string {
	const pids = readdirSync('/proc').filter((name) => {
		try {
			return readFileSync(`/proc/${name}/environ`, 'utf8').includes(
				`N8N_USER_FOLDER=${userFolder}`,
			);
		} catch {
			return false;
		}
	});
	const size = (pid: string) => kilobytes(pid, 'VmRSS');
	return pids.sort((a, b) => size(b) - size(a))[0];
}

function kilobytes(pid: string, entry: string): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	return Number(new RegExp(`^${entry}:\\s*(\\d+)`, 'm').exec(status)?.[1]);
}
