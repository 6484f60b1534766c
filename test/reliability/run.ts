/**
 * Runs the reliability tests, prints their size and result, and checks that `docs/reliability.md`
 * says the same: `npm run test:reliability [-- --update] [<jest arguments>]`. With `--update` the
 * document is written.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { ensureCertificateAuthority } from '../simulator';
import { byEngine, summaryOf, updateDocument } from './document';
import { clearReports, readReports } from './matrix/report';

const UPDATE = '--update';

async function main(): Promise<number> {
	const given = process.argv.slice(2);
	const forJest = given.filter((argument) => argument !== UPDATE);
	const { file } = await ensureCertificateAuthority();
	clearReports();
	const jest = spawn(
		process.execPath,
		[
			require.resolve('jest/bin/jest'),
			...['--config', resolve(__dirname, 'jest.config.js')],
			...forJest,
		],
		{ stdio: 'inherit', env: { ...process.env, NODE_EXTRA_CA_CERTS: file } },
	);
	const [code] = (await once(jest, 'exit')) as [number | null];
	const reports = readReports();
	for (const some of byEngine(reports)) console.log(summaryOf(some));
	// A part of the tests says nothing about the document.
	if (code !== 0 || forJest.length > 0) return code ?? 1;
	const isUpdate = given.includes(UPDATE);
	const isSame = await updateDocument(reports, isUpdate);
	if (isSame || isUpdate) return 0;
	console.error('docs/reliability.md is out of date: npm run test:reliability -- --update');
	return 1;
}

main().then(
	(exitCode) => process.exit(exitCode),
	(error: Error) => {
		console.error(error.message);
		process.exit(1);
	},
);
