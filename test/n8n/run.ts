/**
 * Runs the tests on real n8n: `npm run test:n8n [-- <jest arguments>]`. Installs what is missing
 * and packs the package first, so that the tests only start things.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { installN8n } from './harness/installN8n';
import { packTarball } from './harness/pack';
import { showProgress } from './harness/progress';
import { versionsToTest } from './support/world';

async function main(): Promise<number> {
	const progress = showProgress(process.stdout);
	const versions = new Set<string>();
	const notes: string[] = [];
	for (const wanted of versionsToTest()) {
		const { version, insteadOf } = await installN8n(wanted, progress);
		versions.add(version);
		if (insteadOf) notes.push(`n8n ${wanted} skipped, ${version} taken instead: ${insteadOf.why}`);
	}
	progress.begin('Build and pack the package');
	const tarball = await packTarball();
	progress.done();

	const jest = spawn(
		process.execPath,
		[
			require.resolve('jest/bin/jest'),
			'--config',
			resolve(__dirname, 'jest.config.js'),
			...process.argv.slice(2),
		],
		{
			stdio: 'inherit',
			env: {
				...process.env,
				N8N_VERSIONS: [...versions].join(','),
				YUNTONGXUN_TARBALL: tarball,
			},
		},
	);
	const [code] = (await once(jest, 'exit')) as [number | null];
	for (const note of notes) console.log(`Note: ${note}`);
	return code ?? 1;
}

main()
	.catch((error: Error) => {
		console.error(error.message);
		return 1;
	})
	.then((exitCode) => process.exit(exitCode));
