import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { packFolder, projectFolder } from './paths';
import { runCommand } from './processes';

/** The language in which n8n's reviewers want a package. */
export const DEFAULT_LANGUAGE = 'en';

/**
 * The tarball that `YUNTONGXUN_TARBALL` names, or else a fresh one. Two processes that build at the same
 * time would pack each other's half of a build, so whoever starts several packs once and names it.
 *
 * @returns its path
 * @throws CommandFailed with what the build or npm said
 */
export async function findTarball(): Promise<string> {
	return process.env.YUNTONGXUN_TARBALL ?? (await packTarball());
}

/**
 * Builds the project and packs it, as a release would.
 *
 * @param language of the forms, one of those in `translations/`
 * @returns the tarball's path
 * @throws CommandFailed with what the build or npm said
 */
export async function packTarball(language = DEFAULT_LANGUAGE): Promise<string> {
	await runCommand('npm', ['run', 'build', '--', '--language', language], { cwd: projectFolder });
	const isTranslated = language !== DEFAULT_LANGUAGE;
	const folder = isTranslated ? join(projectFolder, `.cache/package-${language}`) : projectFolder;
	await mkdir(packFolder, { recursive: true });
	// Packed elsewhere and moved: another process may be reading the old tarball.
	const aside = await mkdtemp(join(packFolder, 'packing-'));
	try {
		const said = await runCommand(
			'npm',
			['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', aside],
			{ cwd: folder },
		);
		const [{ filename }] = JSON.parse(said.slice(said.indexOf('['))) as Array<{ filename: string }>;
		const tarball = join(packFolder, filename);
		await rename(join(aside, filename), tarball);
		return tarball;
	} finally {
		await rm(aside, { recursive: true, force: true });
	}
}
