/**
 * Runs the tests of a layer that takes real n8n: `tsx test/harness/run.ts <layer> [jest arguments]`, on the
 * versions that `N8N_VERSIONS` names, or on those below. What else a layer takes `.ci/run` looks after.
 */
import { runJestOnN8n } from './jestOnN8n';
import { newestSupported, oldestSupported } from './versions';
import { versionsToTest } from './world';

const [layer, ...jestArguments] = process.argv.slice(2);
const versions = layer === 'n8n' ? [oldestSupported, newestSupported] : [newestSupported];

runJestOnN8n(versionsToTest(versions), layer, jestArguments)
	.catch((error: Error) => {
		console.error(error.message);
		return 1;
	})
	.then((exitCode) => process.exit(exitCode));
