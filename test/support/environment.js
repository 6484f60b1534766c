const { TestEnvironment } = require('jest-environment-node');

/*
 * V8 needs longer to free a worker's memory than Jest waits for the worker to end. One with something
 * left open does not get here, so Jest still reports it.
 */
if (process.send) process.once('beforeExit', () => process.exit());

/** Node.js for a test file. A loop of the code under test sleeps on when the file has ended. */
module.exports = class extends TestEnvironment {
	/** Jest waits for no timer, but a worker with one left has to be killed. */
	async teardown() {
		this.global.setTimeout = () => 0;
		await super.teardown();
	}
};
