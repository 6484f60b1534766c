import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { installN8n } from './installN8n';
import { packTarball } from './pack';
import { Progress } from './progress';

/**
 * Installs what is missing, packs the package, and runs Jest.
 *
 * @param versions of n8n to run on
 * @param layer of the tests, as jest.config.js calls it
 * @returns Jest's exit code
 * @throws InstallFailed or CommandFailed if the tests cannot start
 */
export async function runJestOnN8n(
	versions: string[],
	layer: string,
	jestArguments: string[],
): Promise<number> {
	const progress = new Progress(process.stdout);
	for (const version of versions) await installN8n(version, progress);
	progress.begin('Build and pack the package');
	const tarball = await packTarball();
	progress.end('✓');

	const env = {
		JEST_LAYER: layer,
		N8N_VERSIONS: versions.join(','),
		YUNTONGXUN_TARBALL: tarball,
	};
	return await runJest(env, jestArguments);
}

/**
 * Runs Jest.
 *
 * @param env more environment
 * @returns Jest's exit code
 */
export async function runJest(
	env: Record<string, string>,
	jestArguments: string[],
): Promise<number> {
	const jest = spawn(process.execPath, [require.resolve('jest/bin/jest'), ...jestArguments], {
		stdio: 'inherit',
		env: { ...process.env, ...env },
	});
	const [code] = (await once(jest, 'exit')) as [number | null];
	return code ?? 1;
}
