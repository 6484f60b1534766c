const [unit] = require('../../jest.config.js').projects;

/** Real n8n in a real browser. Each test that fails says so at once: the editor is no network. */
module.exports = {
	...require('../n8n/jest.config.js'),
	rootDir: '../..',
	testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
	// They load the nodes themselves, to know what the form holds.
	transform: unit.transform,
	transformIgnorePatterns: unit.transformIgnorePatterns,
	setupFilesAfterEnv: [],
};
