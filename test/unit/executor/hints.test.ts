import { groupsOf } from '../../../nodes/Yuntongxun/executor/groups';
import { hintsOf } from '../../../nodes/Yuntongxun/executor/hints';
import type { ReadyTask } from '../../../nodes/Yuntongxun/executor/validateItem';
import { partsOf } from '../../../nodes/Yuntongxun/resources/sms/bulk';

const QUIET = { continues: true, combine: false, refusals: 0 };

/** An SMS of a kind to these numbers. */
const text = (kind: string, to: string[]): ReadyTask => ({
	kind,
	send: () => Promise.reject(new Error('not sent')),
	to,
	shared: {
		key: kind,
		requestsFor: (items) => partsOf(items).length,
		completeAll: () => [],
	},
});
const texts = (kind: string, count: number, from = 0) =>
	Array.from({ length: count }, (_each, index) => text(kind, [String(10_000 + from + index)]));

describe('the hint to combine', () => {
	it('comes for each text of 20 items and more, with what it would save', () => {
		const tasks = [...texts('a', 450), ...texts('b', 19, 1000), ...texts('c', 20, 2000)];
		expect(hintsOf(tasks, QUIET)).toEqual([
			'450 items send the same SMS. With the option Combine Identical Messages they would take 447 requests fewer.',
			'20 items send the same SMS. With the option Combine Identical Messages they would take 19 requests fewer.',
		]);
	});

	it('counts the several requests of a long item', () => {
		const long = Array.from({ length: 250 }, (_each, index) => String(50_000 + index));
		expect(hintsOf([...texts('a', 20), text('a', long)], QUIET)).toEqual([
			expect.stringContaining('they would take 19 requests fewer'),
		]);
	});

	it('does not come where items are combined', () => {
		expect(hintsOf(texts('a', 50), { ...QUIET, combine: true })).toEqual([]);
	});
});

it('a slowdown is told with how many requests were refused', () => {
	expect(hintsOf([], { ...QUIET, refusals: 1 })[0]).toContain('refused 1 request because');
	expect(hintsOf([], { ...QUIET, refusals: 7 })[0]).toContain('refused 7 requests because');
});

describe('groups', () => {
	const checked = ['a', 'b', 'a', 'b'].map((kind, index) => ({ index, task: text(kind, []) }));
	const indexes = (combine: boolean) =>
		groupsOf(checked, combine).map((group) => group.map(({ index }) => index));

	it('hold the items of a kind, each where its first item stands', () => {
		expect(indexes(true)).toEqual([
			[0, 2],
			[1, 3],
		]);
	});

	it('hold one item each where nothing is combined', () => {
		expect(indexes(false)).toEqual([[0], [1], [2], [3]]);
	});
});

describe('the hint to continue', () => {
	const reaching = texts('a', 5);
	const [quiet] = texts('b', 1).map(({ to: _to, ...task }): ReadyTask => task);

	it.each([
		['several items reach people', reaching, false, 1],
		['one item reaches people', [reaching[0], quiet], false, 0],
		['the node continues', reaching, true, 0],
		['nobody is reached, as in a dry run', [quiet, quiet], false, 0],
	])('where %s', (_what, tasks, continues, count) => {
		const hints = hintsOf(tasks, { ...QUIET, continues });
		expect(hints.filter((hint) => hint.includes('Set On Error to Continue'))).toHaveLength(count);
		expect(hints).toHaveLength(count);
	});
});
