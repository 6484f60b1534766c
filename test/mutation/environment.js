const { TestEnvironment } = require('jest-environment-node');
const n8nWorkflow = require('n8n-workflow');

/** Loads n8n's library once per process, not once per test file: it takes half a second. */
module.exports = class extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.n8nWorkflow = n8nWorkflow;
	}
};
