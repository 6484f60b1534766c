const project = require('../harness/jestProject');

/** n8n's queue mode. What is counted here is not tried a second time. */
module.exports = {
	...project,
	testTimeout: 120_000,
	testMatch: ['<rootDir>/test/queue/**/*.test.ts'],
};
