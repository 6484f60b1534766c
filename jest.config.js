const { availableParallelism } = require('node:os');

/** Packages that our code and n8n-core use and that are published as ES modules only. */
const ES_MODULES = '(?:@actions/[^/]+|@nodable/entities|p-retry|is-network-error)';

const project = (displayName, folder, more = {}) => ({
	displayName,
	testEnvironment: '<rootDir>/test/support/environment.js',
	testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`],
	modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.cache'],
	transformIgnorePatterns: [`/node_modules/(?!${ES_MODULES}/)`],
	transform: {
		[`^.+\\.ts$|/node_modules/${ES_MODULES}/.+\\.js$`]: [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2022' },
				module: { type: 'commonjs' },
			},
		],
	},
	...more,
});

module.exports = {
	// Far more than any test needs, so that none fails on a busy machine.
	testTimeout: 30_000,
	// Half of the engine tests' time is waiting for pauses and time-outs.
	maxWorkers: 2 * availableParallelism(),
	projects: [
		project('unit', 'unit', {
			testMatch: ['test/unit', 'simulator/test', 'tools'].map(
				(each) => `<rootDir>/${each}/**/*.test.ts`,
			),
		}),
		project('properties', 'properties', {
			setupFilesAfterEnv: ['<rootDir>/test/properties/support/runs.ts'],
		}),
		project('package', 'package', {
			moduleNameMapper: {
				// Their `exports` know only the condition `import`.
				'^@actions/([^/]+)$': '<rootDir>/node_modules/@actions/$1/dist/index.js',
				'^@actions/([^/]+)/(.+?)(?:\\.js)?$': '<rootDir>/node_modules/@actions/$1/dist/$2.js',
			},
		}),
		project('engine 2.41', 'engine'),
	],
};
