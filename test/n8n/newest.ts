/**
 * Runs the tests on the newest n8n there is, supported yet or not: `.ci/run newest [-- <jest
 * arguments>]`. For the nightly run, so that a break is known before users meet it.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../harness/processes';
import { lockedFolder, newestSupported } from '../harness/versions';
import { runJestOnN8n } from '../harness/jestOnN8n';

/** Writes the lockfile of a version, unless it is there. What it overrides is as in the newest supported. */
async function lock(version: string): Promise<void> {
	const folder = lockedFolder(version);
	const template = await readFile(join(lockedFolder(newestSupported), 'package.json'), 'utf8');
	const { overrides } = JSON.parse(template) as { overrides: Record<string, string> };
	await mkdir(folder, { recursive: true });
	await writeFile(
		join(folder, 'package.json'),
		JSON.stringify({
			name: `n8n-${version}-for-tests`,
			private: true,
			dependencies: { n8n: version },
			overrides,
		}),
	);
	await runCommand('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], {
		cwd: folder,
	});
}

async function main(): Promise<number> {
	// npm may print warnings before it.
	const printed = await runCommand('npm', ['view', 'n8n', 'version'], { cwd: __dirname });
	const newest = printed.trim().split(/\s/).at(-1) ?? '';
	console.log(`The newest n8n is ${newest}; the newest supported is ${newestSupported}.`);
	if (newest !== newestSupported) await lock(newest);
	return await runJestOnN8n([newest], 'n8n');
}

main()
	.catch((error: Error) => {
		console.error(error.message);
		return 1;
	})
	.then((exitCode) => process.exit(exitCode));
