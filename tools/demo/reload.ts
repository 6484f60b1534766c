import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installCommunityPackage } from '../../test/harness/communityPackage';
import { packTarball } from '../../test/harness/pack';
import { projectFolder } from '../../test/harness/paths';
import type { Narrator } from './narrator';
import type { Stage } from './stage';
import { watchFolders } from './watchFolders';

/** What ends up in the package. */
export const SOURCES = ['nodes', 'credentials', 'translations'];

const LOOK_EVERY_MS = 100;

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
	const changes = await watchFolders(SOURCES.map((folder) => join(projectFolder, folder)));
	for (;;) {
		await sleep(LOOK_EVERY_MS);
		if (!changes.take()) continue;
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
