import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandFailed, lastLines, runCommand } from './processes';
import type { Progress } from './progress';

/** A failed installation; the message says what to do. */
export class InstallFailed extends Error {
	override readonly name = 'InstallFailed';
}

export interface DatedInstall {
	/** What is installed, for progress and messages: "n8n 2.41.1". */
	title: string;
	/** What that takes, for progress, since npm itself says nothing while it works. */
	takes?: string;
	/** What npm is asked for, as in a `package.json`. */
	manifest: {
		dependencies: Readonly<Record<string, string>>;
		overrides?: Readonly<Record<string, string>>;
	};
	/** The day whose newest versions are taken, such as "2026-10-03"; today's without it. */
	librariesOf?: string;
	/** Where to install. */
	target: string;
	env: NodeJS.ProcessEnv;
	/** Modules to build or fetch after the scripts-free installation. */
	nativeModules: readonly string[];
	/** What else the result depends on, such as the ABI of the Node.js it was built for. */
	builtFor: string;
}

const MARKER = '.installed-from';

/**
 * Makes sure that `target` holds what the manifest asks for, in the versions of its day.
 *
 * Installs beside `target` and moves the folder there when complete, so an interrupted installation
 * is never used.
 *
 * @returns whether anything had to be installed
 * @throws InstallFailed
 */
export async function ensureInstalled(install: DatedInstall, progress: Progress): Promise<boolean> {
	const fingerprint = computeFingerprint(install);
	if (await isComplete(install.target, fingerprint)) return false;

	await mkdir(dirname(install.target), { recursive: true });
	const workshop = `${install.target}.under-construction-${process.pid}`;
	await mkdir(workshop, { recursive: true });
	try {
		await build(install, workshop, progress);
		await writeFile(join(workshop, MARKER), fingerprint);
		await rm(install.target, { recursive: true, force: true });
		await rename(workshop, install.target);
	} catch (error) {
		progress.end('✗');
		throw explain(install.title, error);
	} finally {
		await rm(workshop, { recursive: true, force: true });
	}
	return true;
}

async function build(install: DatedInstall, folder: string, progress: Progress): Promise<void> {
	const { title, takes, manifest, librariesOf, env, nativeModules } = install;
	const options = { cwd: folder, env, removeIfAbandoned: [folder] };
	await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, ...manifest }));

	progress.begin(`Install ${title}${takes ? `: ${takes}` : ''}`);
	const before = librariesOf === undefined ? [] : ['--before', librariesOf];
	await runCommand('npm', ['install', '--ignore-scripts', ...before, ...QUIET], options);
	progress.end('✓');
	if (librariesOf !== undefined) await warnWithoutDates(install, folder, progress);

	for (const module of nativeModules) {
		progress.begin(`Build ${module} for ${title}`);
		await runCommand(
			'npm',
			['rebuild', module, '--ignore-scripts=false', '--foreground-scripts', ...QUIET],
			options,
		);
		progress.end('✓');
	}
}

/** Where a registry tells no dates npm takes the newest of everything, without a word. */
async function warnWithoutDates(
	{ title, manifest, librariesOf, env }: DatedInstall,
	folder: string,
	progress: Progress,
): Promise<void> {
	const [[name, version]] = Object.entries(manifest.dependencies);
	const told = await runCommand('npm', ['view', `${name}@${version}`, 'time', '--json'], {
		cwd: folder,
		env,
	}).catch(() => '');
	if (told.includes(`"${version}"`)) return;
	progress.say(
		`   ! The package registry does not say when versions appeared, so the libraries of ${title} are the newest ones, not those of ${librariesOf} that it was tested with`,
	);
}

const QUIET = ['--no-audit', '--no-fund', '--no-update-notifier'];

function computeFingerprint({ manifest, librariesOf, builtFor }: DatedInstall): string {
	const { platform, arch } = process;
	const facts = JSON.stringify({ manifest, librariesOf, platform, arch, builtFor });
	return createHash('sha256').update(facts).digest('hex');
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
	const said = error instanceof CommandFailed ? error.output : String((error as Error).message);
	const [, words] = CAUSES.find(([pattern]) => pattern.test(said)) ?? CAUSES[3];
	return new InstallFailed(`${title}: ${words}\nLast words:\n${lastLines(said, 6)}`);
}
