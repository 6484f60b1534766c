const { resolve } = require('node:path');
const root = require('../../jest.config.js');

/** Clients of the service that nobody here wrote, against the simulator. */
module.exports = {
	...root.projects.find(({ displayName }) => displayName === 'unit'),
	rootDir: resolve(__dirname, '../..'),
	displayName: 'clients',
	testTimeout: root.testTimeout,
	testMatch: ['<rootDir>/simulator/clients/**/*.test.ts'],
};
