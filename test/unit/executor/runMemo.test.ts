import type { DirectStatus, Item } from '../../../nodes/Yuntongxun/executor/model';
import { planRequests } from '../../../nodes/Yuntongxun/executor/planRequests';
import { openRunMemo } from '../../../nodes/Yuntongxun/executor/runMemo';
import { nodeOf, runOf, tryOf } from '../support/executeData';
import {
	answer,
	call,
	failure,
	itemOf,
	sentWith,
	setStatus,
	skippedBy,
	sms,
	UNKNOWN,
} from '../support/messages';

const AGENT = nodeOf({ name: 'AI Agent' });
/** An item that reaches nobody's phone. */
const direct = (status: DirectStatus): Item => ({
	kind: 'direct',
	index: 0,
	task: { kind: 'direct', run: async () => [] },
	settings: { format: 'json', timeout: 1000 },
	status,
});
const ITEM = direct({ state: 'done', outputs: [] });

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

/** What the next try takes over from an item. */
const keptOf = (item: Item, changes = true) => {
	const run = runOf();
	openRunMemo(tryOf(run, [{}]), changes).set(0, item);
	return openRunMemo(tryOf(run, [{}]), changes).get(0);
};

describe('the next try', () => {
	/** The numbers that the next try sends to; undefined if it begins the item anew. */
	const sentAgain = (item: Item) => {
		const kept = keptOf(item);
		return kept && planRequests([kept]).flatMap(({ recipients }) => recipients.map(({ to }) => to));
	};

	it.each([
		['accepted', answer('a'), []],
		['perhaps accepted', UNKNOWN, []],
		['refused', failure(), undefined],
	])('of a call that was %s sends to %j', (_what, end, expected) => {
		const item = itemOf(0, call(['1']));
		setStatus(item, ['1'], sentWith(end));
		expect(sentAgain(item)).toEqual(expected);
	});

	it('keeps an SMS that was accepted in part, and sends to the numbers it never reached', () => {
		const item = itemOf(0, sms(['1', '2', '3', '4']));
		setStatus(item, ['1'], sentWith(answer('a')));
		setStatus(item, ['2'], sentWith(failure()));
		setStatus(item, ['3'], skippedBy({ reason: 'duplicate' }));
		expect(sentAgain(item)).toEqual(['3', '4']);
		expect(item.recipients.map(({ status }) => status.state)).toEqual([
			'sent',
			'sent',
			'planned',
			'planned',
		]);
	});

	it('begins an item anew if nothing of it was accepted', () => {
		const item = itemOf(0, sms(['1', '2']));
		setStatus(item, ['1'], sentWith(failure()));
		setStatus(item, ['2'], skippedBy({ reason: 'duplicate' }));
		expect(keptOf(item)).toBeUndefined();
	});

	it('keeps a number whose key may count as used, and sends to those that were never begun', () => {
		const item = itemOf(0, sms(['1', '2'], 'text', 1));
		const [first] = planRequests([item]);
		first.mayLeaveRecords = true;
		setStatus(item, ['1'], { state: 'failed', error: new Error('n8n did not record it') });
		expect(sentAgain(item)).toEqual(['2']);
		expect(item.recipients[0].status.state).toBe('failed');
		expect(item.requests.map(({ mayLeaveRecords }) => mayLeaveRecords)).toEqual([true, false]);
	});

	it.each<[string, DirectStatus, boolean, boolean]>([
		['succeeded', { state: 'done', outputs: [] }, false, true],
		['may have changed', { state: 'failed', error: UNKNOWN, accepted: 'unknown' }, true, true],
		['was refused', { state: 'failed', error: failure(), accepted: 'no' }, true, false],
		['failed to read', { state: 'failed', error: UNKNOWN, accepted: 'unknown' }, false, false],
		['was never begun', { state: 'planned' }, true, false],
	])('of work that %s', (_what, status, hasSideEffects, isKept) => {
		const item = direct(status);
		expect(keptOf(item, hasSideEffects)).toBe(isKept ? item : undefined);
	});

	it('reads anew a form that was refused, and a dry run', () => {
		expect(keptOf({ kind: 'refused', index: 0, error: new Error('no') })).toBeUndefined();
		expect(keptOf({ kind: 'dryRun', index: 0, task: call(['1']) })).toBeUndefined();
	});
});
