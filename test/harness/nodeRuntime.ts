import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensureInstalled, InstallFailed } from './lockedInstall';
import { n8nCacheFolder } from './paths';
import { cleanEnvironment, runCommand } from './processes';
import type { Progress } from './progress';
import { lockedFolder } from './versions';

/** A Node.js that can run n8n. */
export interface NodeRuntime {
	/** The program's path. */
	node: string;
	/** Such as "v24.21.0". */
	version: string;
	/** Number of the binary interface that native modules are built for. */
	abi: string;
	/** Environment in which npm and n8n run on this Node.js and find its C headers. */
	env: NodeJS.ProcessEnv;
}

/**
 * This process's own Node.js if n8n runs on it, otherwise Node.js 24, installed into the cache.
 *
 * @param majors major versions that n8n runs on
 * @throws InstallFailed if Node.js 24 is needed and cannot be installed here
 */
export async function nodeRuntime(
	majors: readonly number[],
	progress: Progress,
): Promise<NodeRuntime> {
	const own = Number(process.versions.node.split('.')[0]);
	if (majors.includes(own)) return await describe(process.execPath);
	if (!majors.includes(24)) {
		throw new InstallFailed(
			`Node.js ${majors.join(', ')} is needed and this is ${process.version}`,
		);
	}
	return await describe(await node24(progress));
}

async function node24(progress: Progress): Promise<string> {
	const source = lockedFolder('node-24');
	const target = join(n8nCacheFolder(), 'node-24');
	const node = join(await platformPackage(source), 'bin/node');
	await ensureInstalled(
		{
			title: 'Node.js 24',
			source,
			target,
			env: cleanEnvironment(),
			nativeModules: [],
			builtFor: 'itself',
			mustContain: node,
		},
		progress,
	);
	return join(target, node);
}

/** Where the lockfile's Node.js for this platform will lie, below the installation's folder. */
async function platformPackage(source: string): Promise<string> {
	const lockfile = await readFile(join(source, 'package-lock.json'), 'utf8');
	const { packages } = JSON.parse(lockfile) as {
		packages: Record<string, { os?: string | string[]; cpu?: string | string[] }>;
	};
	const found = Object.entries(packages).find(
		([, { os, cpu }]) =>
			[os].flat().includes(process.platform) && [cpu].flat().includes(process.arch),
	);
	if (found) return found[0];
	throw new InstallFailed(
		`Node.js 24 is needed and cannot be fetched for ${process.platform} ${process.arch}: ` +
			'install it, and run this again with it',
	);
}

async function describe(node: string): Promise<NodeRuntime> {
	const env = cleanEnvironment(dirname(node));
	const prefix = dirname(dirname(node));
	if (existsSync(join(prefix, 'include/node/node.h'))) env.npm_config_nodedir = prefix;
	const facts = await runCommand(
		node,
		['-p', '[process.version, process.versions.modules].join(" ")'],
		{ env },
	);
	const [version, abi] = facts.trim().split(' ');
	return { node, version, abi, env };
}
