import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandFailed, lastLines, runCommand } from './processes';
import type { Progress } from './progress';

/** A failed installation; the message says what to do. */
export class InstallFailed extends Error {
	override readonly name = 'InstallFailed';
}

export interface LockedInstall {
	/** What is installed, for progress and messages: "n8n 2.41.1". */
	title: string;
	/** The folder with `package.json` and `package-lock.json`. */
	source: string;
	/** Where to install. */
	target: string;
	env: NodeJS.ProcessEnv;
	/** Modules to build or fetch after the scripts-free installation. */
	nativeModules: readonly string[];
	/** What else the result depends on, such as the ABI of the Node.js it was built for. */
	builtFor: string;
	/** A file that must exist afterwards: npm skips optional packages without a word. */
	mustContain?: string;
}

const MARKER = '.installed-from';

/**
 * Makes sure that `target` holds exactly what the lockfile of `source` says.
 *
 * Installs beside `target` and moves the folder there when complete, so an interrupted installation
 * is never used.
 *
 * @returns whether anything had to be installed
 * @throws InstallFailed
 */
export async function ensureInstalled(
	install: LockedInstall,
	progress: Progress,
): Promise<boolean> {
	const fingerprint = await computeFingerprint(install);
	if (await isComplete(install.target, fingerprint)) return false;

	await mkdir(dirname(install.target), { recursive: true });
	const workshop = `${install.target}.under-construction-${process.pid}`;
	await mkdir(workshop, { recursive: true });
	try {
		await build(install, workshop, progress);
		await checkContents(install, workshop);
		await writeFile(join(workshop, MARKER), fingerprint);
		await rm(install.target, { recursive: true, force: true });
		await rename(workshop, install.target);
	} catch (error) {
		const failure = explain(install.title, error);
		progress.failed();
		throw failure;
	} finally {
		await rm(workshop, { recursive: true, force: true });
	}
	return true;
}

async function build(install: LockedInstall, folder: string, progress: Progress): Promise<void> {
	const { title, source, env, nativeModules } = install;
	const options = { cwd: folder, env, removeIfAbandoned: [folder] };
	await cp(source, folder, { recursive: true });

	progress.begin(`Install ${title}`);
	await runCommand('npm', ['ci', '--ignore-scripts', ...QUIET], options);
	progress.done();

	for (const module of nativeModules) {
		progress.begin(`Build ${module} for ${title}`);
		await runCommand(
			'npm',
			['rebuild', module, '--ignore-scripts=false', '--foreground-scripts', ...QUIET],
			options,
		);
		progress.done();
	}
}

async function checkContents({ title, mustContain }: LockedInstall, folder: string): Promise<void> {
	if (mustContain === undefined || (await exists(join(folder, mustContain)))) return;
	throw new InstallFailed(
		`${title} could not be fetched from the package registry; check the network and try again`,
	);
}

const QUIET = ['--no-audit', '--no-fund', '--no-update-notifier'];

async function computeFingerprint(install: LockedInstall): Promise<string> {
	const hash = createHash('sha256');
	for (const file of ['package.json', 'package-lock.json']) {
		hash.update(await readFile(join(install.source, file)));
	}
	hash.update(`${process.platform} ${process.arch} ${install.builtFor}`);
	return hash.digest('hex');
}

async function isComplete(folder: string, fingerprint: string): Promise<boolean> {
	const marker = join(folder, MARKER);
	return (await exists(marker)) && (await readFile(marker, 'utf8')) === fingerprint;
}

async function exists(path: string): Promise<boolean> {
	return await stat(path).then(
		() => true,
		() => false,
	);
}

/** What npm says where a step fails, and what that means: the first that fits. */
const CAUSES = [
	[/ENOSPC/, 'the disk is full (it takes up to 3 GB)'],
	[
		/gyp ERR!|not found: make|node-gyp|prebuild-install (ERR|warn)/,
		'a native module could not be built; that takes python3, make and g++',
	],
	[
		/ENOTFOUND|EAI_AGAIN|ECONN(REFUSED|RESET)|ETIMEDOUT|ENETUNREACH|ENOTCACHED/,
		'the package registry cannot be reached; check the network and try again',
	],
	[/^/, 'npm could not install it'],
] as const;

function explain(title: string, error: unknown): InstallFailed {
	if (error instanceof InstallFailed) return error;
	const said = error instanceof CommandFailed ? error.output : String((error as Error).message);
	const [, words] = CAUSES.find(([pattern]) => pattern.test(said)) ?? CAUSES[3];
	return new InstallFailed(`${title}: ${words}\nLast words:\n${lastLines(said, 6)}`);
}
