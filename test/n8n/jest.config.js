/**
 * Real n8n: two at a time. Most of the time each waits for a timer of its own; while it starts it
 * takes a core and the better part of a gigabyte.
 */
module.exports = {
	rootDir: '../..',
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/n8n/**/*.test.ts'],
	modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.cache'],
	testTimeout: 120_000,
	maxWorkers: 2,
	testSequencer: '<rootDir>/test/n8n/support/longestFirst.js',
	setupFilesAfterEnv: ['<rootDir>/test/n8n/support/retry.ts'],
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs' },
			},
		],
	},
};
