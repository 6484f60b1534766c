import type { Item } from '../../../nodes/Yuntongxun/executor/model';
import { getRunHints } from '../../../nodes/Yuntongxun/executor/runHints';
import { buildItem, buildTaskItem, sms } from '../../support/messages';

it('items whose form was refused need no hint', () => {
	const refused: Item = { kind: 'refused', index: 0, error: new Error('no') };
	expect(getRunHints([refused], true)).toEqual([]);
});

it('work that reaches nobody has its own hints', () => {
	const task = (hints?: string[]) => buildTaskItem({ state: 'planned' }, { hints });
	expect(getRunHints([task(['a']), task()], false)).toEqual(['a']);
});

it('the hints of items come once', () => {
	const items = [0, 1].map((index) => buildItem(index, { ...sms(['1']), hints: ['a', 'b'] }));
	expect(getRunHints(items, false)).toEqual(['a', 'b']);
});

describe('variables that came to nothing', () => {
	const lacking = (index: number, emptyVariables: number[]) =>
		buildItem(index, { ...sms(['1']), emptyVariables });

	it('are told in runs by hand, each once, with the items that lack it', () => {
		const items = [lacking(0, [1, 3]), lacking(1, []), lacking(2, [3])];
		expect(getRunHints(items, true)).toEqual([
			'The variable {1} came to nothing and is sent empty [item 0]',
			'The variable {3} came to nothing and is sent empty [item 0, 2]',
		]);
		expect(getRunHints(items, false)).toEqual([]);
	});

	it('name ten items at most', () => {
		const items = Array.from({ length: 11 }, (_each, index) => lacking(index, [1]));
		expect(getRunHints(items, true)).toEqual([
			expect.stringMatching(/ \[item 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …\]$/),
		]);
	});
});
