import { openRunMemo } from '../../../nodes/Yuntongxun/executor/runMemo';
import { nodeOf, runOf, tryOf } from '../../support/executeData';
import { taskOf } from '../../support/messages';

const AGENT = nodeOf({ name: 'AI Agent' });
const ITEM = taskOf({ state: 'done', outputs: [] });

describe('a node of a workflow', () => {
	it('finds what an earlier try of its run did, whatever its items are', () => {
		const run = runOf();
		openRunMemo(tryOf(run, [{ a: 1 }]), true).set(0, ITEM);
		expect(openRunMemo(tryOf(run, [{ b: 2 }, {}]), true).get(0)).toBe(ITEM);
	});

	it('starts afresh in the next run, even with the same items', () => {
		const inputs = [{ a: 1 }];
		openRunMemo(tryOf(runOf(), inputs), true).set(0, ITEM);
		expect(openRunMemo(tryOf(runOf(), inputs), true).size).toBe(0);
	});
});

describe('a tool of an agent', () => {
	it('finds what an earlier try of its call did, and starts afresh with each call', () => {
		const [run, args] = [runOf(AGENT), { to: '13800000000' }];
		openRunMemo(tryOf(run, [args]), true).set(0, ITEM);
		expect(openRunMemo(tryOf(run, [args]), true).get(0)).toBe(ITEM);
		expect(openRunMemo(tryOf(run, [{ to: '13800000000' }]), true).size).toBe(0);
	});
});

it('what the next try does not keep is gone', () => {
	const run = runOf();
	const memo = openRunMemo(tryOf(run, [{}, {}]), true);
	memo.set(0, { kind: 'refused', index: 0, error: new Error('no') });
	memo.set(1, ITEM);
	expect([...openRunMemo(tryOf(run, [{}, {}]), true).keys()]).toEqual([1]);
});
