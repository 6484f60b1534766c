import { openRunMemo } from '../../../nodes/Yuntongxun/executor/runMemo';
import { buildItems, buildTaskItem, done, failed, failure, sms } from '../../support/messages';
import { buildNode, buildRun, buildTry } from '../../support/fakeN8n';

const AGENT = buildNode({ name: 'AI Agent' });
const ITEMS = [buildTaskItem(done())];

describe('a node of a workflow', () => {
	it('finds what an earlier try of its run did, whatever its items are', () => {
		const run = buildRun();
		openRunMemo(buildTry(run, [{ a: 1 }]), true).set(0, ITEMS);
		expect(openRunMemo(buildTry(run, [{ b: 2 }, {}]), true).get(0)).toBe(ITEMS);
	});

	it('starts afresh in the next run, even with the same items', () => {
		const inputs = [{ a: 1 }];
		openRunMemo(buildTry(buildRun(), inputs), true).set(0, ITEMS);
		expect(openRunMemo(buildTry(buildRun(), inputs), true).size).toBe(0);
	});
});

it('a tool of an agent finds what an earlier try of its call did, and starts afresh with each call', () => {
	const [run, args] = [buildRun(AGENT), { to: '13800000000' }];
	openRunMemo(buildTry(run, [args]), true).set(0, ITEMS);
	expect(openRunMemo(buildTry(run, [args]), true).get(0)).toBe(ITEMS);
	expect(openRunMemo(buildTry(run, [{ to: '13800000000' }]), true).size).toBe(0);
});

it('what the next try does not keep is gone', () => {
	const run = buildRun();
	const memo = openRunMemo(buildTry(run, [{}, {}]), true);
	memo.set(0, [{ kind: 'refused', index: 0, error: new Error('no') }]);
	memo.set(1, ITEMS);
	expect([...openRunMemo(buildTry(run, [{}, {}]), true).keys()]).toEqual([1]);
});

it('of an SMS in several requests the next try sends those again that were refused or not sent', () => {
	const run = buildRun();
	const items = buildItems(0, sms(['1', '2', '3'], 1));
	[items[0].status, items[1].status] = [done(), failed(failure())];
	openRunMemo(buildTry(run, [{}]), true).set(0, items);
	const kept = openRunMemo(buildTry(run, [{}]), true).get(0);
	expect(kept).toBe(items);
	expect(items.map(({ status }) => status.state)).toEqual(['done', 'planned', 'planned']);
});
