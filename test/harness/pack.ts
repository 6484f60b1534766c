import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from './paths';
import { runCommand } from './processes';

/** The language in which n8n's reviewers want a package. */
export const DEFAULT_LANGUAGE = 'en';

/**
 * The tarball that `YUNTONGXUN_TARBALL` names, or else a fresh one. Two processes that build at the same time would
 * pack each other's unfinished build, so whoever starts several packs once and names the tarball.
 */
export async function findTarball(): Promise<string> {
	return process.env.YUNTONGXUN_TARBALL ?? (await packTarball());
}

/**
 * Builds the project and packs it, as a release would.
 *
 * @param language of the forms, one of those in `translations/`
 * @returns the tarball's path
 * @throws Error with what the build or npm said
 */
export async function packTarball(language = DEFAULT_LANGUAGE): Promise<string> {
	await runCommand('npm', ['run', 'build', '--', '--language', language]);
	const cwd = language === DEFAULT_LANGUAGE ? '.' : `.cache/package-${language}`;
	const destination = join(projectFolder, '.cache/pack');
	await mkdir(destination, { recursive: true });
	const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error'];
	const said = await runCommand('npm', [...args, '--pack-destination', destination], {
		cwd: join(projectFolder, cwd),
	});
	const [{ filename }] = JSON.parse(said.slice(said.indexOf('['))) as Array<{ filename: string }>;
	return join(destination, filename);
}
