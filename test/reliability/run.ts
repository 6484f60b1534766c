/**
 * Runs the reliability tests, prints how much ran, and leaves a table of all faults in `reports/`:
 * `.ci/run reliability [-- <jest arguments>]`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ensureCertificateAuthority } from '../../simulator/index';
import { clearReports, readReports } from './matrix/partReport';
import { summarize } from './summary';

async function main(): Promise<number> {
	const { file } = await ensureCertificateAuthority();
	clearReports();
	const jest = spawn(
		process.execPath,
		[require.resolve('jest/bin/jest'), ...process.argv.slice(2)],
		{
			stdio: 'inherit',
			env: { ...process.env, JEST_LAYER: 'reliability', NODE_EXTRA_CA_CERTS: file },
		},
	);
	const [code] = (await once(jest, 'exit')) as [number | null];
	summarize(readReports());
	return code ?? 1;
}

main().then(
	(exitCode) => process.exit(exitCode),
	(error: Error) => {
		console.error(error.message);
		process.exit(1);
	},
);
