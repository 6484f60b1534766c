/** Real n8n: one process at a time, since each takes a core and the better part of a gigabyte. */
module.exports = {
	rootDir: '../..',
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/n8n/**/*.test.ts'],
	modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.cache'],
	testTimeout: 90_000,
	maxWorkers: 1,
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
