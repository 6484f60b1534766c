/**
 * Runs the tests on the newest n8n that npm has, supported yet or not: `.ci/run newest [-- <jest
 * arguments>]`. For the nightly run, so that a break is known before users meet it.
 */
import { runCommand } from '../harness/processes';
import { newestSupported } from '../harness/versions';
import { runJestOnN8n } from '../harness/jestOnN8n';

async function main(): Promise<number> {
	// npm may print warnings before it.
	const printed = await runCommand('npm', ['view', 'n8n', 'version'], { cwd: __dirname });
	const newest = printed.trim().split(/\s/).at(-1) ?? '';
	console.log(`The newest n8n is ${newest}; the newest supported is ${newestSupported}.`);
	return await runJestOnN8n([newest], 'n8n');
}

main()
	.catch((error: Error) => {
		console.error(error.message);
		return 1;
	})
	.then((exitCode) => process.exit(exitCode));
