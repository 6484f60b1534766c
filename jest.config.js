const { availableParallelism, loadavg } = require('node:os');
const { resolve } = require('node:path');

const parts = require('./test/mutation/mutants.json');

/** Packages that our code and n8n-core use and that are published as ES modules only. */
const ES_MODULES = '(?:@nodable/entities|p-retry|is-network-error)';

const project = (displayName, folder, more = {}) => ({
	displayName,
	testEnvironment: resolve(__dirname, 'test/support/environment.js'),
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

/**
 * A limit only ends what hangs, and no test asserts how long something takes by the clock. So limits
 * grow with what the machine has to do besides: at a load of 25 on two processors 30 seconds ended four
 * tests of 4,441 that did not hang. The load can grow while tests run, so the least limit is long, too.
 */
const patience = Math.max(1, loadavg()[0] / availableParallelism());
/** For limits of the tests' own, in the workers: test/harness/until.ts. */
process.env.TEST_PATIENCE = String(patience);
const TIMEOUT_MS = 300_000 * patience;
const N8N_TIMEOUT_MS = 120_000 * patience;

const unit = project('unit', 'unit', {
	testMatch: ['test/unit', 'simulator', 'tools'].map((each) => `<rootDir>/${each}/**/*.test.ts`),
});
const engine = project('engine', 'engine');

/** The versions of n8n that test/harness/run.ts has installed. */
const versions = (process.env.N8N_VERSIONS ?? '').split(',');

const aroundN8n = (folder) => ({
	testTimeout: N8N_TIMEOUT_MS,
	maxWorkers: 2,
	projects: [project(folder, folder, { testEnvironment: 'node' })],
});

/** What Jest runs, by layer: `JEST_LAYER` names one, which test/harness/run.ts sets. */
const LAYERS = {
	/** What needs no n8n of its own: `npm test`. */
	fast: () => ({
		testTimeout: TIMEOUT_MS,
		// Half of the engine tests' time is waiting for pauses and time-outs.
		maxWorkers: 2 * availableParallelism(),
		// Jest waits half a second for a worker to end, less than the system may take to free a gigabyte.
		workerIdleMemoryLimit: '500MB',
		projects: [
			unit,
			project('properties', 'properties', {
				setupFilesAfterEnv: ['<rootDir>/test/support/propertyRuns.ts'],
			}),
			project('project', 'project'),
			engine,
		],
	}),

	/** The engine tests on another n8n-core, which lies in the folder of modules `N8N_CORE`. */
	core: () => ({
		testTimeout: TIMEOUT_MS,
		passWithNoTests: true,
		projects: [
			{
				...engine,
				moduleNameMapper: {
					'^(n8n-core|n8n-workflow)(/.*)?$': `${process.env.N8N_CORE}/$1$2`,
				},
			},
		],
	}),

	/**
	 * Real n8n, each version a project of its own, so that a file on one version does not wait for the
	 * same file on the other. Three at a time: most of the time each waits for a timer of its own; while
	 * it starts it takes a core and the better part of a gigabyte.
	 */
	n8n: () => ({
		testTimeout: N8N_TIMEOUT_MS,
		maxWorkers: 3,
		projects: versions.map((version) =>
			project(`n8n ${version}`, 'n8n', {
				testEnvironment: 'node',
				globals: { N8N_VERSION: version },
				setupFilesAfterEnv: ['<rootDir>/test/n8n/support/retry.ts'],
			}),
		),
	}),

	/** n8n's queue mode; n8n behind nginx; its editor in Chromium. What fails once is not tried again. */
	queue: () => aroundN8n('queue'),
	hosting: () => aroundN8n('hosting'),
	browser: () => aroundN8n('browser'),

	/**
	 * The tests of one part of the code, which must notice every change in it. Without this list Stryker would have
	 * Jest load every test file that reaches a mutant, for each mutant.
	 */
	mutation: () => {
		const { tests } = parts[process.env.MUTATION_PART];
		const testMatch = tests.map((path) => `<rootDir>/test/${path}.test.ts`);
		// Stryker has limits of its own for a mutant.
		const limited = { testMatch, testTimeout: TIMEOUT_MS };
		if (tests.some((path) => path.startsWith('engine/'))) return { ...engine, ...limited };
		return {
			...unit,
			...limited,
			testEnvironment: resolve(__dirname, 'test/mutation/environment.js'),
			moduleNameMapper: { '^n8n-workflow$': resolve(__dirname, 'test/mutation/n8nWorkflow.js') },
		};
	},
};

module.exports = LAYERS[process.env.JEST_LAYER ?? 'fast']();
