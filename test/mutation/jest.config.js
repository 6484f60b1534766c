const { resolve } = require('node:path');

const { projects } = require('../../jest.config');
const rooms = require('./rooms.json');

const [unit] = projects;
const { tests } = rooms[process.env.MUTATION_ROOM];

/**
 * The unit tests of one room, which must notice every change in it. Without this list Stryker would
 * have Jest load every test file that reaches a mutant, for each mutant.
 */
module.exports = {
	...unit,
	rootDir: resolve(__dirname, '../..'),
	testEnvironment: resolve(__dirname, 'environment.js'),
	testMatch: tests.map((path) => `<rootDir>/test/unit/${path}.test.ts`),
	moduleNameMapper: { '^n8n-workflow$': resolve(__dirname, 'n8nWorkflow.js') },
};
