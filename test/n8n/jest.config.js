const project = require('../harness/jestProject');

/** The versions that `run.ts` has installed. */
const versions = (process.env.N8N_VERSIONS ?? '').split(',');

/**
 * Real n8n, each version a project of its own, so that a file on one version does not wait for the
 * same file on the other. Three at a time: most of the time each waits for a timer of its own; while
 * it starts it takes a core and the better part of a gigabyte.
 */
module.exports = {
	testTimeout: 120_000,
	maxWorkers: 3,
	reporters: ['default', '<rootDir>/support/countRetries.js'],
	testSequencer: '<rootDir>/support/longestFirst.js',
	projects: versions.map((version) => ({
		...project,
		displayName: `n8n ${version}`,
		testMatch: ['<rootDir>/test/n8n/**/*.test.ts'],
		globals: { N8N_VERSION: version },
	})),
};
