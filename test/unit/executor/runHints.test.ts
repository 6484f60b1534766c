import type { Item } from '../../../nodes/Yuntongxun/executor/model';
import { planRequests } from '../../../nodes/Yuntongxun/executor/planRequests';
import { getRunHints } from '../../../nodes/Yuntongxun/executor/runHints';
import {
	answer,
	call,
	directOf,
	failure,
	itemOf,
	sentWith,
	setStatus,
	skippedBy,
	sms,
	UNKNOWN,
} from '../../support/messages';

const hintsFor = (items: Item[], continues = true, overloads = 0) => {
	planRequests(items);
	return getRunHints(items, continues, overloads);
};

it('a slowdown is mentioned with the number of rejections', () => {
	expect(hintsFor([], true, 1)[0]).toContain('refused requests once because');
	expect(hintsFor([], true, 7)[0]).toContain('refused requests 7 times because');
});

it('numbers left out of an SMS are mentioned if others may have got it', () => {
	const duplicate = skippedBy({ reason: 'duplicate' });
	const item = itemOf(0, sms(['1', '2', '3']));
	setStatus(item, ['1', '2'], duplicate);
	expect(hintsFor([item])).toEqual([]);
	for (const end of [answer('a'), UNKNOWN]) {
		setStatus(item, ['3'], sentWith(end));
		expect(hintsFor([item])).toEqual([expect.stringMatching(/^2 numbers were left out of an SMS/)]);
	}
	setStatus(item, ['3'], sentWith(failure()));
	expect(hintsFor([item])).toEqual([]);
	const one = itemOf(1, sms(['1', '3']));
	setStatus(one, ['1'], duplicate);
	setStatus(one, ['3'], sentWith(answer('a')));
	expect(hintsFor([one])).toEqual([expect.stringMatching(/^1 number was left out of an SMS/)]);
});

it('items whose form was refused need no hint', () => {
	const refused = [0, 1].map((index): Item => ({ kind: 'refused', index, error: new Error('no') }));
	expect(hintsFor(refused, false)).toEqual([]);
});

it('numbers left out are explained by the labels of the form', () => {
	const item = itemOf(0, sms(['1', '2']));
	setStatus(item, ['1'], skippedBy({ reason: 'duplicate' }));
	setStatus(item, ['2'], sentWith(answer('a')));
	expect(hintsFor([item])).toEqual([
		'1 number was left out of an SMS because of Send Once per ID, Limit per Number or Limit in Total: leftOut in the output says which.',
	]);
	item.requests.push({ item, recipients: [], mayLeaveRecords: true });
	const other = itemOf(1, sms(['3']));
	expect(getRunHints([other, item], true, 0)).toEqual([
		expect.stringMatching(/says which\. .* may count as used/),
	]);
});

it('work that reaches nobody has its own hints', () => {
	const direct = (hints?: string[]) => directOf({ state: 'done', outputs: [] }, { hints });
	expect(hintsFor([direct(['a']), direct()])).toEqual(['a']);
});

it('the hints of items come once', () => {
	const items = [0, 1].map((index) => itemOf(index, { ...sms(['1']), hints: ['a', 'b'] }));
	expect(hintsFor(items)).toEqual(['a', 'b']);
});

describe('the hint to make a list', () => {
	const texts = (count: number, textId = 'text') =>
		Array.from({ length: count }, (_each, index) => itemOf(index, sms([`${index}`], textId)));

	it.each([
		['20 items with one text', texts(20), 1],
		['19 items with one text', texts(19), 0],
		[
			'20 calls, which take no list',
			Array.from({ length: 20 }, (_, at) => itemOf(at, call(['1']))),
			0,
		],
		['19 and 19 items with two texts', [...texts(19), ...texts(19, 'other')], 0],
	])('%s', (_what, items, count) => {
		const hints = hintsFor(items);
		expect(hints.filter((hint) => hint.includes('Aggregate'))).toHaveLength(count);
	});

	it('is looked for among more texts than a function takes arguments', () => {
		const items = Array.from({ length: 150_000 }, (_each, index) =>
			itemOf(index, sms(['1'], `text ${index}`)),
		);
		expect(getRunHints(items, true, 0)).toEqual([]);
	});
});

describe('the hint to continue', () => {
	const reaching = [0, 1].map((index) => itemOf(index, sms([`${index}`])));
	const inTwo = itemOf(0, sms(['1', '2'], 'text', 1));
	const quiet: Item = { kind: 'dryRun', index: 5, task: sms(['1', '2'], 'text', 1) };

	it.each<[string, Item[], boolean, number]>([
		['several items reach people', reaching, false, 1],
		['one item makes several requests', [inTwo], false, 1],
		['one request reaches people', [reaching[0], quiet], false, 0],
		['the node continues', reaching, true, 0],
		['nobody is reached, as in a dry run', [quiet, quiet], false, 0],
	])('where %s', (_what, items, continues, count) => {
		const hints = hintsFor(items, continues);
		expect(hints.filter((hint) => hint.includes('Set On Error to Continue'))).toHaveLength(count);
		expect(hints).toHaveLength(count);
	});
});
