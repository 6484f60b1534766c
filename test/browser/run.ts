/**
 * Tries the forms in a real browser: `.ci/run browser [-- <jest arguments>]`, on the newest n8n
 * unless N8N_VERSIONS names others.
 */
import { newestSupported } from '../harness/versions';
import { runJestOnN8n } from '../harness/jestOnN8n';
import { versionsToTest } from '../harness/world';
import { findChromium } from '../harness/chromium';

async function main(): Promise<number> {
	findChromium();
	const versions = process.env.N8N_VERSIONS ? versionsToTest() : [newestSupported];
	return await runJestOnN8n(versions, 'browser');
}

main()
	.catch((error: Error) => {
		console.error(error.message);
		return 1;
	})
	.then((exitCode) => process.exit(exitCode));
