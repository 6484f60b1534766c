const { TestEnvironment } = require('jest-environment-node');

/*
 * V8 takes longer to take a worker's memory apart than Jest waits for the worker to end. One that has
 * something left open does not get here, and is still told of.
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
