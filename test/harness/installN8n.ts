import { join } from 'node:path';
import { ensureInstalled, InstallFailed, isInstalled, type LockedInstall } from './lockedInstall';
import { nodeRuntime, type NodeRuntime } from './nodeRuntime';
import { n8nCacheFolder } from './paths';
import type { Progress } from './progress';
import { lockedFolder, releaseOf, type N8nRelease } from './versions';

/** An n8n on this machine, ready to be started. */
export interface InstalledN8n {
	/** The installed version: not the requested one if that could not be installed. */
	version: string;
	/** Why it is not the requested version. */
	insteadOf?: { version: string; why: string };
	/** Path of n8n's command-line program, to be run with `runtime.node`. */
	program: string;
	runtime: NodeRuntime;
}

/**
 * Installs an n8n version into the cache, or finds it there.
 *
 * @param version one of those with a lockfile, such as "2.41.1"
 * @returns that version, or its fallback if the machine cannot run it; then `insteadOf` says why
 * @throws InstallFailed if neither can be installed; the message says what to do
 */
export async function installN8n(version: string, progress: Progress): Promise<InstalledN8n> {
	const release = releaseOf(version);
	try {
		return await install(release, progress);
	} catch (error) {
		if (!(error instanceof InstallFailed) || release.fallback === undefined) throw error;
		const fallback = releaseOf(release.fallback);
		const usable = error.reason === 'compiler' || (await isAlreadyThere(fallback, progress));
		if (!usable) throw error;
		const why = error.message.split('\n')[0];
		progress.say(`   ! ${why}.\n     Taking n8n ${fallback.version} instead.`);
		return { ...(await install(fallback, progress)), insteadOf: { version, why } };
	}
}

async function install(release: N8nRelease, progress: Progress): Promise<InstalledN8n> {
	const runtime = await nodeRuntime(release.nodeMajors, progress);
	const plan = planFor(release, runtime);
	await ensureInstalled(plan, progress);
	return {
		version: release.version,
		program: join(plan.target, 'node_modules/n8n/bin/n8n'),
		runtime,
	};
}

async function isAlreadyThere(release: N8nRelease, progress: Progress): Promise<boolean> {
	return await isInstalled(planFor(release, await nodeRuntime(release.nodeMajors, progress)));
}

function planFor(release: N8nRelease, runtime: NodeRuntime): LockedInstall {
	return {
		title: `n8n ${release.version}`,
		source: lockedFolder(release.version),
		target: join(n8nCacheFolder(), release.version),
		env: runtime.env,
		nativeModules: release.nativeModules,
		builtFor: `Node.js ABI ${runtime.abi}`,
	};
}
