import { findOddTexts } from '../../../nodes/Yuntongxun/operation/oddTexts';

const kindsIn = (texts: string | string[], isSpoken = false) =>
	findOddTexts('Text', texts, isSpoken).map(({ kind }) => kind);

it.each([
	['Alarm: [object Object]', ['object']],
	['[object Object],[object Object]', ['object']],
	['undefined', ['undefined']],
	[' undefined\n', ['undefined']],
	['Dear undefined, hello', ['undefined']],
	['order-undefined', ['undefined']],
	['订单undefined已发货', ['undefined']],
	['undefined [object Object]undefined', ['object', 'undefined']],
	["Cannot read properties of undefined (reading 'id')", []],
	['x is undefined', []],
	['null', []],
	['caf\ufffd', ['garbled']],
	['', []],
])('finds in %j: %j', (text, kinds) => {
	expect(kindsIn(text)).toEqual(kinds);
	expect(kindsIn(['a', text])).toEqual(kinds);
});

it('a placeholder is odd only where it is spoken', () => {
	expect([kindsIn('Code {1}', true), kindsIn('Code {12}'), kindsIn('{a} { 1 }', true)]).toEqual([
		['placeholder'],
		[],
		[],
	]);
});

it('names the field, and finds nothing where there is no text', () => {
	expect(findOddTexts('Text to Speak', 'undefined!')).toEqual([
		{ kind: 'undefined', label: 'Text to Speak' },
	]);
	expect(findOddTexts('Text', undefined, true)).toEqual([]);
});
