import { once } from 'node:events';
import { watch } from 'chokidar';

/** An editor writes a file in several steps, and git several files, within so many milliseconds. */
const SETTLED_AFTER_MS = 300;

/** What has changed in folders since they are watched. */
export interface Changes {
	/** Whether anything has changed since the last time, and is quiet again. */
	take(): boolean;
	stop(): Promise<void>;
}

/** Watches folders with all that is in them. A file may be written anew or replaced, any number of times. */
export async function watchFolders(folders: readonly string[]): Promise<Changes> {
	let changedAt: number | undefined;
	const watcher = watch([...folders], { ignoreInitial: true });
	watcher.on('all', () => {
		changedAt = Date.now();
	});
	await once(watcher, 'ready');
	return {
		take: () => {
			if (changedAt === undefined || Date.now() - changedAt < SETTLED_AFTER_MS) return false;
			changedAt = undefined;
			return true;
		},
		stop: async () => await watcher.close(),
	};
}
