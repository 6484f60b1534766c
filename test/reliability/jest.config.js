const { resolve } = require('node:path');
const root = require('../../jest.config.js');

/** The reliability tests run in n8n's own engine, as the engine tests do. */
module.exports = {
	...root.projects.find(({ displayName }) => displayName.startsWith('engine')),
	rootDir: resolve(__dirname, '../..'),
	displayName: 'reliability',
	testTimeout: root.testTimeout,
	// Half of the time each waits for pauses and time-outs.
	maxWorkers: 4,
	testMatch: ['<rootDir>/test/reliability/**/*.test.ts'],
};
