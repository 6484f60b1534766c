import type { Item, NumberResult } from '../../../nodes/Yuntongxun/executor/item';
import { retryMemo } from '../../../nodes/Yuntongxun/executor/retryMemo';
import { nodeOf, runOf, tryOf } from '../support/executeData';
import { answer, call, failure, itemOf, sms, UNKNOWN } from '../support/messages';

const AGENT = nodeOf({ name: 'AI Agent' });
const ITEM: Item = { index: 0, outcome: { value: [], isSent: true }, results: new Map() };

describe('a node of a workflow', () => {
	it('finds what an earlier try of its run did, whatever its items are', () => {
		const run = runOf();
		retryMemo(tryOf(run, [{ a: 1 }]), true).set(0, ITEM);
		expect(retryMemo(tryOf(run, [{ b: 2 }, {}]), true).get(0)).toBe(ITEM);
	});

	it('starts afresh in the next run, even with the same items', () => {
		const inputs = [{ a: 1 }];
		retryMemo(tryOf(runOf(), inputs), true).set(0, ITEM);
		expect(retryMemo(tryOf(runOf(), inputs), true).size).toBe(0);
	});
});

describe('a tool of an agent', () => {
	it('finds what an earlier try of its call did, and starts afresh with each call', () => {
		const [run, args] = [runOf(AGENT), { to: '13800000000' }];
		retryMemo(tryOf(run, [args]), true).set(0, ITEM);
		expect(retryMemo(tryOf(run, [args]), true).get(0)).toBe(ITEM);
		expect(retryMemo(tryOf(run, [{ to: '13800000000' }]), true).size).toBe(0);
	});
});

/** What the next try takes over from an item. */
const keptOf = (item: Item, changes = true) => {
	const run = runOf();
	retryMemo(tryOf(run, [{}]), changes).set(0, item);
	return retryMemo(tryOf(run, [{}]), changes).get(0);
};

describe('the next try', () => {
	const sent = (thrown?: Error): NumberResult => ({
		...(thrown ? { thrown } : { value: answer('a') }),
		isSent: true,
	});
	const with_ = (item: Item, results: Record<string, NumberResult>) => {
		for (const [to, result] of Object.entries(results)) item.results.set(to, result);
		return [...(keptOf(item)?.results.keys() ?? [])];
	};

	it('keeps what was reached of a list of calls, and tries the others again', () => {
		const results = { '1': sent(), '2': sent(failure()), '3': sent(UNKNOWN) };
		expect(with_(itemOf(0, call(['1', '2', '3', '4'])), results)).toEqual(['1', '3']);
	});

	it('gives an SMS that was accepted in part again, and sends to those no request named', () => {
		const results = { '1': sent(), '2': sent(failure()) };
		expect(with_(itemOf(0, sms(['1', '2', '3'])), results)).toEqual(['1', '2']);
	});

	it('begins an item anew of which nothing was accepted', () => {
		const refusal = { reason: 'limit' } as const;
		const item = itemOf(0, sms(['1', '2']));
		with_(item, { '1': sent(failure()), '2': refusal });
		expect(keptOf(item)).toBeUndefined();
	});

	it.each<[string, Item['outcome'], boolean, boolean]>([
		['succeeded', { value: [], isSent: true }, false, true],
		['may have changed something', { thrown: UNKNOWN, isSent: true }, true, true],
		['was refused', { thrown: failure(), isSent: true }, true, false],
		['failed to read', { thrown: new Error('x'), isSent: true }, false, false],
		['was never sent', { thrown: new Error('x'), isSent: false }, true, false],
	])('of work that %s', (_what, outcome, changes, isKept) => {
		const item: Item = { index: 0, outcome, results: new Map() };
		expect(keptOf(item, changes)).toBe(isKept ? item : undefined);
	});
});
