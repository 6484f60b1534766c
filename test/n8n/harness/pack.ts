import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { packFolder, projectFolder } from './paths';
import { runCommand } from './processes';

/**
 * Builds the project and packs it, as a release would.
 *
 * @returns the tarball's path; its folder holds nothing else
 * @throws CommandFailed with what the build or npm said
 */
export async function packTarball(): Promise<string> {
	await runCommand('npm', ['run', 'build'], { cwd: projectFolder });
	await rm(packFolder, { recursive: true, force: true });
	await mkdir(packFolder, { recursive: true });
	const said = await runCommand(
		'npm',
		['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', packFolder],
		{ cwd: projectFolder },
	);
	const [{ filename }] = JSON.parse(said.slice(said.indexOf('['))) as Array<{ filename: string }>;
	return join(packFolder, filename);
}
