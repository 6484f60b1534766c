import { hintsOf } from '../../../nodes/Yuntongxun/executor/hints';
import { call, itemOf, sms } from '../support/messages';

const QUIET = { continues: true, combine: false, refusals: 0 };

const texts = (text: string, count: number, from = 0) =>
	Array.from({ length: count }, (_each, index) =>
		itemOf(index, sms([String(10_000 + from + index)], text)),
	);

describe('the hint to combine', () => {
	it('comes for each text of 20 items and more, with what it would save', () => {
		const items = [...texts('a', 450), ...texts('b', 19, 1000), ...texts('c', 20, 2000)];
		expect(hintsOf(items, QUIET)).toEqual([
			'450 items send the same SMS. With the option Combine Identical Messages they would take 447 requests fewer.',
			'20 items send the same SMS. With the option Combine Identical Messages they would take 19 requests fewer.',
		]);
	});

	it('counts the several requests of a long item', () => {
		const long = Array.from({ length: 250 }, (_each, index) => String(50_000 + index));
		expect(hintsOf([...texts('a', 20), itemOf(20, sms(long, 'a'))], QUIET)).toEqual([
			expect.stringContaining('they would take 19 requests fewer'),
		]);
	});

	it('does not come where items are combined, nor for calls', () => {
		expect(hintsOf(texts('a', 50), { ...QUIET, combine: true })).toEqual([]);
		const calls = texts('a', 50).map(({ index }) => itemOf(index, call([`${index}`])));
		expect(hintsOf(calls, QUIET)).toEqual([]);
	});
});

it('a slowdown is told with how many requests were refused', () => {
	expect(hintsOf([], { ...QUIET, refusals: 1 })[0]).toContain('refused 1 request because');
	expect(hintsOf([], { ...QUIET, refusals: 7 })[0]).toContain('refused 7 requests because');
});

it('numbers that were left out of an SMS are told, where others got it', () => {
	const item = itemOf(0, sms(['1', '2', '3']));
	const refusal = { reason: 'duplicate' as const };
	item.results.set('1', { kind: 'leftOut', refusal });
	item.results.set('2', { kind: 'leftOut', refusal });
	expect(hintsOf([item], QUIET)).toEqual([]);
	item.results.set('3', { kind: 'sent', exchange: { outcome: { thrown: '' } } });
	expect(hintsOf([item], QUIET)).toEqual([
		expect.stringMatching(/^2 numbers were left out of an SMS/),
	]);
});

describe('the hint to continue', () => {
	const reaching = texts('a', 5);
	const quiet = itemOf(5, sms(['1']), {}, true);

	it.each([
		['several items reach people', reaching, false, 1],
		['one item reaches people', [reaching[0], quiet], false, 0],
		['the node continues', reaching, true, 0],
		['nobody is reached, as in a dry run', [quiet, quiet], false, 0],
	])('where %s', (_what, items, continues, count) => {
		const hints = hintsOf(items, { ...QUIET, continues });
		expect(hints.filter((hint) => hint.includes('Set On Error to Continue'))).toHaveLength(count);
		expect(hints).toHaveLength(count);
	});
});
