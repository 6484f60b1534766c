import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { packFolder, projectFolder } from './paths';
import { runCommand } from './processes';

/**
 * Builds the project and packs it, as a release would.
 *
 * @returns the tarball's path
 * @throws CommandFailed with what the build or npm said
 */
export async function packTarball(): Promise<string> {
	await runCommand('npm', ['run', 'build'], { cwd: projectFolder });
	await mkdir(packFolder, { recursive: true });
	// Packed elsewhere and moved: another process may be reading the old tarball.
	const aside = await mkdtemp(join(packFolder, 'packing-'));
	try {
		const said = await runCommand(
			'npm',
			['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', aside],
			{ cwd: projectFolder },
		);
		const [{ filename }] = JSON.parse(said.slice(said.indexOf('['))) as Array<{ filename: string }>;
		const tarball = join(packFolder, filename);
		await rename(join(aside, filename), tarball);
		return tarball;
	} finally {
		await rm(aside, { recursive: true, force: true });
	}
}
