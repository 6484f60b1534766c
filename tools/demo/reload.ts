import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { watch } from 'chokidar';
import { installCommunityPackage } from '../../test/harness/communityPackage';
import { packTarball } from '../../test/harness/pack';
import { projectFolder } from '../../test/harness/paths';
import type { Narrator } from './narrator';
import type { Stage } from './stage';

/** What ends up in the package. */
export const SOURCES = ['nodes', 'credentials', 'translations'];

const LOOK_EVERY_MS = 100;
/** An editor writes a file in several steps, and git several files, within so many milliseconds. */
const SETTLED_AFTER_MS = 300;

/**
 * After every change of the sources, until the process ends: builds the package, installs it into the
 * running n8n, and restarts that. What cannot be built is told, and waits for the next change.
 *
 * @param language of the forms
 */
export async function reloadOnChange(
	{ n8n }: Stage,
	language: string,
	narrator: Narrator,
): Promise<never> {
	let changedAt = Infinity;
	const folders = SOURCES.map((folder) => join(projectFolder, folder));
	watch(folders, { ignoreInitial: true }).on('all', () => {
		changedAt = Date.now();
	});
	for (;;) {
		await sleep(LOOK_EVERY_MS);
		if (Date.now() - changedAt < SETTLED_AFTER_MS) continue;
		changedAt = Infinity;
		try {
			await narrator.step(
				'Build the package anew and restart n8n',
				async () => {
					const tarball = await packTarball(language);
					await installCommunityPackage(tarball, n8n.userFolder, n8n.n8n.runtime.env);
					await n8n.restart();
				},
				() => `n8n has your change: reload ${n8n.url}`,
			);
		} catch (error) {
			narrator.say(`\n${(error as Error).message}\n\nThe next change tries again.`);
		}
	}
}
