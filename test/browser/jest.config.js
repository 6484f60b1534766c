const project = require('../harness/jestProject');
const [unit] = require('../../jest.config.js').projects;

/** Real n8n in a real browser, two at a time. Each test that fails says so at once: the editor is no network. */
module.exports = {
	...project,
	testTimeout: 120_000,
	maxWorkers: 2,
	testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
	// They load the nodes themselves, to know what the form holds.
	transform: unit.transform,
	transformIgnorePatterns: unit.transformIgnorePatterns,
};
