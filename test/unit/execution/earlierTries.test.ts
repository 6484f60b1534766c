import { earlierTries } from '../../../nodes/Yuntongxun/execution/earlierTries';
import { nodeOf, runOf, tryOf } from '../support/execution';

const AGENT = nodeOf({ name: 'AI Agent' });

describe('a node of a workflow', () => {
	it('finds what an earlier try of its run did, whatever its items are', () => {
		const run = runOf();
		earlierTries<string>(tryOf(run, [{ a: 1 }])).set(0, 'done');
		expect([...earlierTries<string>(tryOf(run, [{ a: 1 }]))]).toEqual([[0, 'done']]);
		expect([...earlierTries<string>(tryOf(run, [{ b: 2 }, {}]))]).toEqual([[0, 'done']]);
	});

	it('starts afresh in the next run, even with the same items', () => {
		const inputs = [{ a: 1 }];
		earlierTries<string>(tryOf(runOf(), inputs)).set(0, 'done');
		expect(earlierTries<string>(tryOf(runOf(), inputs)).size).toBe(0);
	});
});

describe('a tool of an agent', () => {
	it('finds what an earlier try of its call did', () => {
		const [run, args] = [runOf(AGENT), { to: '13800000000' }];
		earlierTries<string>(tryOf(run, [args])).set(0, 'done');
		expect([...earlierTries<string>(tryOf(run, [args]))]).toEqual([[0, 'done']]);
	});

	it('starts afresh with each call, even with the same arguments in one run of the agent', () => {
		const run = runOf(AGENT);
		earlierTries<string>(tryOf(run, [{ to: '13800000000' }])).set(0, 'done');
		expect(earlierTries<string>(tryOf(run, [{ to: '13800000000' }])).size).toBe(0);
	});
});
