import { statfs } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { Progress } from '../../test/harness/progress';

/** What n8n takes on disk, and how often the demo says how far npm is. */
const WHOLE_GB = 3;
const INTERVAL_MS = 20_000;

/** Before anything is fetched. */
const buildNotice = (version: string): string =>
	`n8n ${version} is not on this machine yet, so npm fetches it: about 2,000 packages, ${WHOLE_GB} GB on disk ` +
	'below ~/.cache, six minutes on a quiet machine with two cores, more on a busy one. It stays there for the ' +
	'next time. With N8N_BIN=<path of n8n> the demo takes an n8n that is there.';

/**
 * A progress that says at once what is about to be fetched, and then how much of it has come. npm itself says
 * nothing while it works.
 *
 * @param shown where it is shown
 * @param readFree free bytes on the disk
 */
export function tellInstallation(
	shown: Progress,
	version: string,
	readFree: () => Promise<number> = readFreeBytes,
	intervalMs = INTERVAL_MS,
): Progress {
	let timer: NodeJS.Timeout | undefined;
	const stop = () => clearInterval(timer);
	const stopAnd = (tell: () => void) => () => {
		stop();
		tell();
	};
	const watch = async () => {
		const before = await readFree();
		timer = setInterval(() => {
			void readFree().then((free) => {
				const gigabytes = Math.max(0, before - free) / 1e9;
				shown.say(`    about ${gigabytes.toFixed(1)} of ${WHOLE_GB} GB have come`);
			});
		}, intervalMs);
		timer.unref();
	};
	let isTold = false;
	return {
		...shown,
		begin(step) {
			stop();
			if (!isTold && step.startsWith('Install')) shown.say(buildNotice(version));
			isTold ||= step.startsWith('Install');
			shown.begin(step);
			if (step.startsWith('Install')) void watch();
		},
		done: stopAnd(shown.done),
		failed: stopAnd(shown.failed),
		end: stopAnd(shown.end),
	};
}

async function readFreeBytes(): Promise<number> {
	const { bavail, bsize } = await statfs(homedir());
	return bavail * bsize;
}
