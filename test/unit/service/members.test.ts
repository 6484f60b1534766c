import { isMembers, textOf } from '../../../nodes/Yuntongxun/service/members';
import type { Member } from '../../../nodes/Yuntongxun/service/members';

it.each<[Member | undefined, boolean]>([
	[{}, true],
	[{ a: '1' }, true],
	['text', false],
	['', false],
	[[], false],
	[[{}], false],
	[undefined, false],
])('isMembers(%j) is %s', (member, expected) => {
	expect(isMembers(member)).toBe(expected);
});

describe('textOf', () => {
	it.each<[string, Member, string]>([
		['drops the blanks around', ' \t\r\n2024 01 \u00a0', '2024 01'],
		['is empty for an object', { name: '1' }, ''],
		['is empty for a list', ['1'], ''],
		['is empty for blanks', '  ', ''],
	])('%s', (_what, member, expected) => {
		expect(textOf({ name: member }, 'name')).toBe(expected);
	});

	it.each(['other', 'constructor', 'toString', '__proto__', 'hasOwnProperty'])(
		'is empty where there is no member %s of its own',
		(name) => {
			expect(textOf({ name: '1' }, name)).toBe('');
		},
	);

	it('tells names of other case apart', () => {
		expect(textOf({ Name: '1', name: '2' }, 'name')).toBe('2');
	});
});
