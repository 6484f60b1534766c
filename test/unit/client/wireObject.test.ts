import { isWireObject, textIn } from '../../../nodes/Yuntongxun/client/codec';
import type { WireValue } from '../../../nodes/Yuntongxun/client/codec';

it.each<[WireValue | undefined, boolean]>([
	[{}, true],
	[{ a: '1' }, true],
	['text', false],
	['', false],
	[[], false],
	[[{}], false],
	[undefined, false],
])('isWireObject(%j) is %s', (member, expected) => {
	expect(isWireObject(member)).toBe(expected);
});

describe('textIn', () => {
	it.each<[string, WireValue, string]>([
		['drops the blanks around', ' \t\r\n2024 01 \u00a0', '2024 01'],
		['is empty for an object', { name: '1' }, ''],
		['is empty for a list', ['1'], ''],
		['is empty for blanks', '  ', ''],
	])('%s', (_what, member, expected) => {
		expect(textIn({ name: member }, 'name')).toBe(expected);
	});

	it.each(['other', 'constructor', 'toString', '__proto__', 'hasOwnProperty'])(
		'is empty where there is no member %s of its own',
		(name) => {
			expect(textIn({ name: '1' }, name)).toBe('');
		},
	);

	it('tells names of other case apart', () => {
		expect(textIn({ Name: '1', name: '2' }, 'name')).toBe('2');
	});
});
