/**
 * Runs the tests of what the documents say of where n8n runs, in a container, behind nginx, or cut off from
 * its own public address:
 * `.ci/run hosting [-- <jest arguments>]`. It takes root and nginx.
 */
import { runJestOnN8n } from '../harness/jestOnN8n';
import { newestSupported } from '../harness/versions';

runJestOnN8n([newestSupported], 'hosting')
	.catch((error: Error) => {
		console.error(error.message);
		return 1;
	})
	.then((exitCode) => process.exit(exitCode));
