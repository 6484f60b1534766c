const { TestEnvironment } = require('jest-environment-node');
const n8nWorkflow = require('n8n-workflow');

/** Loads n8n's library once a process rather than once a test file: it takes half a second. */
module.exports = class extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.n8nWorkflow = n8nWorkflow;
	}
};
