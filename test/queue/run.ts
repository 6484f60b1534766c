/**
 * Runs the tests on n8n's queue mode: `.ci/run queue [-- <jest arguments>]`, by default on the
 * newest supported n8n; `N8N_VERSIONS` names others. Redis and PostgreSQL are started by the tests.
 * `QUEUE_SHARE=0.1` asks a slow machine for a tenth of it all.
 */
import { newestSupported } from '../harness/versions';
import { runJestOnN8n } from '../harness/jestOnN8n';
import { versionsToTest } from '../harness/world';
import { findPrograms } from './support/programs';

async function main(): Promise<number> {
	// Asked first: installing n8n takes minutes.
	findPrograms();
	return await runJestOnN8n(versionsToTest([newestSupported]), 'queue');
}

main()
	.catch((error: Error) => {
		console.error(error.message);
		return 1;
	})
	.then((exitCode) => process.exit(exitCode));
