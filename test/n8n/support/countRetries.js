/** Names each test that failed once and passed when it was tried again, and counts them at the end. */
module.exports = class {
	retried = [];

	onTestResult(_test, { testResults }) {
		for (const { fullName, status, invocations = 1 } of testResults) {
			if (status === 'passed' && invocations > 1) this.retried.push(fullName);
		}
	}

	onRunComplete() {
		console.log(`Tests that passed only when tried again: ${this.retried.length}`);
		for (const name of this.retried) console.log(`  ${name}`);
	}
};
