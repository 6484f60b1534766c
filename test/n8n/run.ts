/**
 * Runs the tests on real n8n: `.ci/run n8n [-- <jest arguments>]`. Installs what is missing
 * and packs the package first, so that the tests only start things.
 */
import { runJestOnN8n } from '../harness/jestOnN8n';
import { versionsToTest } from '../harness/world';

runJestOnN8n(versionsToTest(), 'n8n')
	.catch((error: Error) => {
		console.error(error.message);
		return 1;
	})
	.then((exitCode) => process.exit(exitCode));
