/** Real n8n in a real browser. Each test that fails says so at once: the editor is no network. */
module.exports = {
	...require('../n8n/jest.config.js'),
	rootDir: '../..',
	testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
	setupFilesAfterEnv: [],
};
