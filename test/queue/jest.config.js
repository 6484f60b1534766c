const onN8n = require('../n8n/jest.config');

/** n8n's queue mode. What is counted here is not tried a second time. */
module.exports = {
	...onN8n,
	testMatch: ['<rootDir>/test/queue/**/*.test.ts'],
	setupFilesAfterEnv: [],
};
