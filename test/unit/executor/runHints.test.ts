import { hintsOf } from '../../../nodes/Yuntongxun/executor/runHints';
import type { Item } from '../../../nodes/Yuntongxun/executor/item';
import { resultOf } from '../../../nodes/Yuntongxun/executor/itemResult';
import { answer, itemOf, sms } from '../support/messages';

const hintsFor = (items: Item[], continues = true, refusals = 0) =>
	hintsOf(
		items,
		items.map((item) => resultOf(item, true)),
		continues,
		refusals,
	);

it('a slowdown is told with how many requests were refused', () => {
	expect(hintsFor([], true, 1)[0]).toContain('refused 1 request because');
	expect(hintsFor([], true, 7)[0]).toContain('refused 7 requests because');
});

it('numbers that were left out of an SMS are told, where others got it', () => {
	const item = itemOf(0, sms(['1', '2', '3']));
	const refusal = { reason: 'duplicate' as const };
	item.results.set('1', refusal);
	item.results.set('2', refusal);
	expect(hintsFor([item])).toEqual([]);
	const one = itemOf(1, sms(['1', '3']));
	one.results.set('1', refusal);
	one.results.set('3', { value: answer('a'), isSent: true });
	expect(hintsFor([one])).toEqual([expect.stringMatching(/^1 number was left out of an SMS/)]);
	item.results.set('3', { value: answer('a'), isSent: true });
	expect(hintsFor([item])).toEqual([expect.stringMatching(/^2 numbers were left out of an SMS/)]);
	item.results.set('3', { thrown: new Error('no'), isSent: true });
	expect(hintsFor([item])).toEqual([expect.stringMatching(/^2 numbers were left out of an SMS/)]);
});

it('items whose form was refused, and work of its own, need no hint', () => {
	const outcome = { thrown: new Error('no'), isSent: false };
	const refused = [0, 1].map((index) => ({ index, outcome, results: new Map() }));
	expect(hintsFor(refused, false)).toEqual([]);
});

it('what items themselves tell comes once', () => {
	const items = [0, 1].map((index) => itemOf(index, { ...sms(['1']), hints: ['a', 'b'] }));
	expect(hintsFor(items)).toEqual(['a', 'b']);
});

describe('the hint to continue', () => {
	const reaching = [0, 1].map((index) => itemOf(index, sms([`${index}`])));
	const quiet = itemOf(5, sms(['1']), {}, true);

	it.each([
		['several items reach people', reaching, false, 1],
		['one item reaches people', [reaching[0], quiet], false, 0],
		['the node continues', reaching, true, 0],
		['nobody is reached, as in a dry run', [quiet, quiet], false, 0],
	])('where %s', (_what, items, continues, count) => {
		const hints = hintsFor(items, continues);
		expect(hints.filter((hint) => hint.includes('Set On Error to Continue'))).toHaveLength(count);
		expect(hints).toHaveLength(count);
	});
});
