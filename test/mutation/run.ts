/**
 * Mutation testing: `.ci/run mutation [-- <room> …]`. Makes many small changes to the code, one
 * at a time, and counts how many a test notices. Each room has its own tests and fails below 90 %, what
 * decides who may start or resume something below 100 %.
 * Takes hours; code that has not changed since the last run is skipped.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DEFAULT_CA_FOLDER, ensureCertificateAuthority } from '../../simulator/index';
import rooms from './mutants.json';

async function main(): Promise<number> {
	const known = Object.keys(rooms);
	const chosen = process.argv.length > 2 ? process.argv.slice(2) : known;
	const strangers = chosen.filter((room) => !known.includes(room));
	if (strangers.length > 0) {
		throw new Error(`There is no room ${strangers.join(', ')}. There are: ${known.join(', ')}`);
	}
	const { file: caFile } = await ensureCertificateAuthority();
	const failed: string[] = [];
	for (const room of chosen) {
		console.log(`\n${room}`);
		const stryker = spawn('stryker', ['run'], {
			stdio: 'inherit',
			env: {
				...process.env,
				JEST_LAYER: 'mutation',
				MUTATION_ROOM: room,
				// Stryker runs copies of the project, whose simulator has to show a certificate of this one.
				SIMULATOR_CA_FOLDER: DEFAULT_CA_FOLDER,
				NODE_EXTRA_CA_CERTS: caFile,
			},
		});
		const [code] = (await once(stryker, 'exit')) as [number | null];
		if (code !== 0) failed.push(room);
	}
	if (failed.length > 0) console.error(`Too few noticed in: ${failed.join(', ')}`);
	return failed.length;
}

main()
	.catch((error: Error) => {
		console.error(error.message);
		return 1;
	})
	.then((exitCode) => process.exit(exitCode));
