import { createRequire } from 'node:module';

const parts = createRequire(import.meta.url)('./test/mutation/mutants.json');

const part = process.env.MUTATION_PART;
const folder = `.cache/mutation/${part}`;

/**
 * Makes many small changes to the code of one part, one at a time, and counts how many a test
 * notices: `.ci/run mutation`.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	mutate: parts[part].mutate,
	testRunner: 'jest',
	jest: { configFile: 'jest.config.js' },
	coverageAnalysis: 'perTest',
	// A mutant of what runs once, when a file is loaded, needs every test of the part: only small parts
	// mutate constants. Tables and forms have tests that compare them as a whole.
	ignoreStatic: !parts[part].constants,
	concurrency: 2,
	// Long enough for a busy machine, since a timeout counts as noticed.
	timeoutMS: 30_000,
	ignorePatterns: ['.cache', 'dist', 'examples'],
	tempDirName: `${folder}/sandbox`,
	incremental: true,
	incrementalFile: `${folder}/incremental.json`,
	reporters: ['clear-text', 'progress-append-only', 'json'],
	// Uploaded by the nightly run.
	jsonReporter: { fileName: `reports/mutation/${part}.json` },
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	thresholds: { high: 100, low: 90, break: parts[part].break ?? 90 },
};
