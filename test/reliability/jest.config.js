const { resolve } = require('node:path');
const root = require('../../jest.config.js');

const rootDir = resolve(__dirname, '../..');

/**
 * The reliability tests, in each generation of n8n's own engine: everything in the newest one, and
 * half of the matrix in the older one, in which still every pair of choices meets.
 */
module.exports = {
	rootDir,
	testTimeout: root.testTimeout,
	// Half of the time each waits for pauses and time-outs.
	maxWorkers: 4,
	projects: root.projects
		.filter(({ displayName }) => displayName.startsWith('engine'))
		.map((project, place) => ({
			...project,
			rootDir,
			displayName: project.displayName.replace('engine', 'n8n-core'),
			testMatch: ['<rootDir>/test/reliability/**/*.test.ts'],
			globals: {
				RELIABILITY: {
					engine: project.displayName.replace('engine', 'n8n-core'),
					isWhole: place === 0,
				},
			},
		})),
};
