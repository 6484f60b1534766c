import { settledIn } from '../../../nodes/Yuntongxun/execution/settled';
import { nodeOf, runOf, tryOf } from '../support/execution';

const AGENT = nodeOf({ name: 'AI Agent' });

describe('a node of a workflow', () => {
	it('finds what an earlier try of its run has settled, whatever its items are', () => {
		const run = runOf();
		settledIn<string>(tryOf(run, [{ a: 1 }])).set(0, 'done');
		expect([...settledIn<string>(tryOf(run, [{ a: 1 }]))]).toEqual([[0, 'done']]);
		expect([...settledIn<string>(tryOf(run, [{ b: 2 }, {}]))]).toEqual([[0, 'done']]);
	});

	it('starts anew in the next run, even of the same items', () => {
		const inputs = [{ a: 1 }];
		settledIn<string>(tryOf(runOf(), inputs)).set(0, 'done');
		expect(settledIn<string>(tryOf(runOf(), inputs)).size).toBe(0);
	});
});

describe('a tool of an agent', () => {
	it('finds what an earlier try of its call has settled', () => {
		const [run, args] = [runOf(AGENT), { to: '13800000000' }];
		settledIn<string>(tryOf(run, [args])).set(0, 'done');
		expect([...settledIn<string>(tryOf(run, [args]))]).toEqual([[0, 'done']]);
	});

	it('starts anew with each call, even of the same arguments in the same run of the agent', () => {
		const run = runOf(AGENT);
		settledIn<string>(tryOf(run, [{ to: '13800000000' }])).set(0, 'done');
		expect(settledIn<string>(tryOf(run, [{ to: '13800000000' }])).size).toBe(0);
	});
});
