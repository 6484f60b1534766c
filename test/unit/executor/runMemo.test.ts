import { openRunMemo } from '../../../nodes/Yuntongxun/executor/runMemo';
import { buildTaskItem } from '../../support/messages';
import { buildNode, buildRun, buildTry } from '../../support/fakeN8n';

const AGENT = buildNode({ name: 'AI Agent' });
const ITEM = buildTaskItem({ state: 'done', outputs: [] });

describe('a node of a workflow', () => {
	it('finds what an earlier try of its run did, whatever its items are', () => {
		const run = buildRun();
		openRunMemo(buildTry(run, [{ a: 1 }]), true).set(0, ITEM);
		expect(openRunMemo(buildTry(run, [{ b: 2 }, {}]), true).get(0)).toBe(ITEM);
	});

	it('starts afresh in the next run, even with the same items', () => {
		const inputs = [{ a: 1 }];
		openRunMemo(buildTry(buildRun(), inputs), true).set(0, ITEM);
		expect(openRunMemo(buildTry(buildRun(), inputs), true).size).toBe(0);
	});
});

describe('a tool of an agent', () => {
	it('finds what an earlier try of its call did, and starts afresh with each call', () => {
		const [run, args] = [buildRun(AGENT), { to: '13800000000' }];
		openRunMemo(buildTry(run, [args]), true).set(0, ITEM);
		expect(openRunMemo(buildTry(run, [args]), true).get(0)).toBe(ITEM);
		expect(openRunMemo(buildTry(run, [{ to: '13800000000' }]), true).size).toBe(0);
	});
});

it('what the next try does not keep is gone', () => {
	const run = buildRun();
	const memo = openRunMemo(buildTry(run, [{}, {}]), true);
	memo.set(0, { kind: 'refused', index: 0, error: new Error('no') });
	memo.set(1, ITEM);
	expect([...openRunMemo(buildTry(run, [{}, {}]), true).keys()]).toEqual([1]);
});
