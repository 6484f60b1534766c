import type { Item } from '../../../nodes/Yuntongxun/executor/model';
import { getRunHints } from '../../../nodes/Yuntongxun/executor/runHints';
import {
	answer,
	endRequests,
	failure,
	buildItem,
	OVERLOAD,
	skipNumbers,
	sms,
	buildTaskItem,
	UNKNOWN,
} from '../../support/messages';

it('refusals for load are mentioned, whether it was taken in the end or not', () => {
	const items = [0, 1, 2].map((index) => buildItem(index, sms(['1'])));
	const [repeated, refused, sent] = items;
	repeated.requests[0].isRepeated = true;
	for (const item of [repeated, sent]) endRequests(item, answer('a'));
	endRequests(refused, OVERLOAD);
	expect(items.map((item) => getRunHints([item]))).toEqual([
		[expect.stringMatching(/^The service refused requests because /)],
		[expect.stringMatching(/^The service refused requests because /)],
		[],
	]);
});

it('numbers left out of an SMS are mentioned if others may have got it', () => {
	const item = buildItem(0, sms(['1', '2', '3']));
	skipNumbers(item, ['1', '2'], { reason: 'duplicate' });
	expect(getRunHints([item])).toEqual([]);
	for (const end of [answer('a'), UNKNOWN]) {
		endRequests(item, end);
		expect(getRunHints([item])).toEqual([
			'Numbers were left out of an SMS because of Send Once per ID or Limits: leftOut in the output says which.',
		]);
	}
	endRequests(item, failure());
	expect(getRunHints([item])).toEqual([]);
});

it('items whose form was refused need no hint', () => {
	const refused = [0, 1].map((index): Item => ({ kind: 'refused', index, error: new Error('no') }));
	expect(getRunHints(refused)).toEqual([]);
});

it('numbers left out are mentioned beside a request that may have left records', () => {
	const item = buildItem(0, sms(['1', '2']));
	skipNumbers(item, ['1'], { reason: 'duplicate' });
	endRequests(item, answer('a'));
	const other = buildItem(1, sms(['3']));
	other.requests[0].mayLeaveRecords = true;
	expect(getRunHints([other, item])).toEqual([
		expect.stringMatching(/^Numbers were left out of an SMS .* says which\. .* may count as used/),
	]);
});

it('work that reaches nobody has its own hints', () => {
	const task = (hints?: string[]) => buildTaskItem({ state: 'done', outputs: [] }, { hints });
	expect(getRunHints([task(['a']), task()])).toEqual(['a']);
});

it('the hints of items come once', () => {
	const items = [0, 1].map((index) => buildItem(index, { ...sms(['1']), hints: ['a', 'b'] }));
	expect(getRunHints(items)).toEqual(['a', 'b']);
});

describe('an odd text', () => {
	const label = 'Text to Speak';
	const saying = (index: number, rows: string[], isSpoken = true) =>
		buildItem(index, { ...sms(['1']), texts: { label, rows, isSpoken } });
	const OBJECT = expect.stringMatching(/^'Text to Speak' contains "\[object Object\]": /);
	const UNDEFINED = expect.stringMatching(/^'Text to Speak' contains "undefined": /);
	const GARBLED = expect.stringMatching(/^'Text to Speak' contains garbled characters/);
	const PLACEHOLDER = expect.stringMatching(
		/^'Text to Speak' contains a placeholder such as \{1\}/,
	);

	it.each([
		['Alarm: [object Object]', [OBJECT]],
		['[object Object],[object Object]', [OBJECT]],
		['undefined', [UNDEFINED]],
		[' undefined\n', [UNDEFINED]],
		['Dear undefined, hello', [UNDEFINED]],
		['order-undefined', [UNDEFINED]],
		['订单undefined已发货', [UNDEFINED]],
		['undefined [object Object]undefined', [OBJECT, UNDEFINED]],
		["Cannot read properties of undefined (reading 'id')", []],
		['x is undefined', []],
		['undefined is not a function', []],
		['null', []],
		['caf\ufffd', [GARBLED]],
		['Code {1}', [PLACEHOLDER]],
		['Code {10}', [PLACEHOLDER]],
		['{a} { 1 }', []],
		['', []],
	])('%j: %j', (text, hints) => {
		expect(getRunHints([saying(0, [text])])).toEqual(hints);
		expect(getRunHints([saying(0, ['a', text])])).toEqual(hints);
	});

	it('may have a placeholder where that is filled in', () => {
		expect(getRunHints([saying(0, ['Code {1}'], false)])).toEqual([]);
	});

	it('is told once, with the items that have it', () => {
		const both = '[object Object] {1}';
		const items = [
			saying(0, [both]),
			saying(1, ['a']),
			saying(2, [both]),
			saying(3, ['undefined']),
		];
		expect(getRunHints(items)).toEqual([
			expect.stringMatching(/ \[item 0, 2\]$/),
			expect.stringMatching(/ \[item 0, 2\]$/),
			expect.stringMatching(/ \[item 3\]$/),
		]);
		const many = Array.from({ length: 11 }, (_each, index) => saying(index, ['undefined']));
		expect(getRunHints(many)).toEqual([
			expect.stringMatching(/ \[item 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …\]$/),
		]);
	});
});
