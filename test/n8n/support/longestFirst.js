const { default: Sequencer } = require('@jest/test-sequencer');

const LONG = /(?:wait|many)\.test\.ts$/;

/** Begins with the files that take longest, so that none of them is left for the end. */
module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const sorted = super.sort(tests);
		return [...sorted].sort((a, b) => Number(LONG.test(b.path)) - Number(LONG.test(a.path)));
	}
};
