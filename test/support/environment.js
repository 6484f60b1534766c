const { TestEnvironment } = require('jest-environment-node');

/** Node.js for a test file. A loop of the code under test sleeps on when the file has ended. */
module.exports = class extends TestEnvironment {
	/** Jest waits for no timer, but a worker with one left has to be killed. */
	async teardown() {
		this.global.setTimeout = () => 0;
		await super.teardown();
	}
};
