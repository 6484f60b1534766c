import { refuse } from '../../../nodes/Yuntongxun/executor/model';
import type { Item, Status } from '../../../nodes/Yuntongxun/executor/model';
import { openRunMemo } from '../../../nodes/Yuntongxun/executor/runMemo';
import {
	buildItem,
	buildItems,
	buildTaskItem,
	call,
	done,
	failed,
	failure,
	sms,
	UNKNOWN,
} from '../../support/messages';
import { buildNode, buildRun, buildTry } from '../../support/fakeN8n';

const AGENT = buildNode({ name: 'AI Agent' });
const ITEMS = [buildTaskItem(done())];
const message = (status: Status) => ({ ...buildItem(0, call(['1'])), status });

describe('a node of a workflow', () => {
	it('finds what an earlier try of its run did, even with other items', () => {
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

it.each<[string, Item, boolean, boolean]>([
	['never if its form was refused', refuse(0, new Error('no')), true, false],
	['not before it was sent', message({ state: 'planned' }), true, false],
	['after it was accepted', message(done()), true, true],
	['not work that has not begun', buildTaskItem({ state: 'planned' }), true, false],
	['not of duplicates alone or a dry run', message(done({}, 0)), true, false],
	['after it was perhaps accepted', message(failed(UNKNOWN)), true, true],
	['not after it was refused', message(failed(failure())), true, false],
	['if its ID may count as used', message(failed(failure(), { mayCountAsUsed: true })), true, true],
	['after work', buildTaskItem(done({}, 0)), false, true],
	['not after work that only reads', buildTaskItem(failed(UNKNOWN)), false, false],
])('the next try keeps an item %s', (_when, item, hasSideEffects, expected) => {
	const run = buildRun();
	openRunMemo(buildTry(run, [{}]), hasSideEffects).set(0, [item]);
	expect(openRunMemo(buildTry(run, [{}]), hasSideEffects).has(0)).toBe(expected);
});

it('the next try of an SMS in several requests sends only those that were refused or not sent', () => {
	const run = buildRun();
	const items = buildItems(0, sms(['1', '2', '3'], 1));
	[items[0].status, items[1].status] = [done(), failed(failure())];
	openRunMemo(buildTry(run, [{}]), true).set(0, items);
	const kept = openRunMemo(buildTry(run, [{}]), true).get(0);
	expect(kept).toBe(items);
	expect(items.map(({ status }) => status.state)).toEqual(['done', 'planned', 'planned']);
});
