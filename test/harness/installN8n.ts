import { join } from 'node:path';
import { ensureInstalled, type DatedInstall } from './datedInstall';
import { nodeRuntime, type NodeRuntime } from './nodeRuntime';
import { n8nCacheFolder } from './paths';
import type { Progress } from './progress';
import { findRelease, type N8nRelease } from './versions';

/** An n8n on this machine, ready to be started. */
export interface InstalledN8n {
	version: string;
	/** Path of n8n's command-line program, to be run with `runtime.node`. */
	program: string;
	runtime: NodeRuntime;
}

/**
 * Installs an n8n version into the cache, or finds it there.
 *
 * @param version such as "2.41.1", one that is known or a newer one
 * @throws InstallFailed if it cannot be installed; the message says what to do
 */
export async function installN8n(version: string, progress: Progress): Promise<InstalledN8n> {
	const release = findRelease(version);
	const runtime = await nodeRuntime(release.nodeMajors, progress);
	const plan = planFor(release, runtime);
	await ensureInstalled(plan, progress);
	return { version, program: join(plan.target, 'node_modules/n8n/bin/n8n'), runtime };
}

function planFor(release: N8nRelease, runtime: NodeRuntime): DatedInstall {
	const { version, overrides, librariesOf, nativeModules } = release;
	return {
		title: `n8n ${version}`,
		takes: '3 GB, six minutes or more',
		manifest: { dependencies: { n8n: version }, overrides },
		librariesOf,
		target: join(n8nCacheFolder(), [version, librariesOf].filter(Boolean).join('-of-')),
		env: runtime.env,
		nativeModules,
		builtFor: `Node.js ABI ${runtime.abi}`,
	};
}
