import type { CallEvent } from '../../../nodes/Yuntongxun/callbacks/callEvent';
import { toCallItemJson } from '../../../nodes/Yuntongxun/callbacks/callEvent';

const RECEIVED_AT = Date.parse('2024-01-01T00:00:00.123Z');

const CALL_EVENT: CallEvent = {
	event: 'voiceNotification',
	action: 'SellingCall',
	callSid: 'c1',
	number: '13800000000',
	state: '0',
	duration: '30',
	members: { action: 'SellingCall' },
};

const itemFor = (changes: Partial<CallEvent> = {}) =>
	toCallItemJson({ ...CALL_EVENT, ...changes }, RECEIVED_AT);

it('has the fields of the contract', () => {
	const members = { action: ' SellingCall', starttime: '20150602155026' };
	expect(itemFor({ userData: ' order-42 ', members })).toEqual({
		event: 'voiceNotification',
		action: 'SellingCall',
		callSid: 'c1',
		number: '13800000000',
		state: '0',
		duration: '30',
		userData: ' order-42 ',
		outcome: 'completed',
		answered: true,
		durationSeconds: 30,
		receivedAt: '2024-01-01T00:00:00.123Z',
		notification: members,
	});
});

it.each([
	['was talked', '0', '30', 'completed', true, 30],
	['was talked for a second', '0', '1', 'completed', true, 1],
	['was talked, with zeros in front', '0', '007', 'completed', true, 7],
	['was not talked', '0', '0', 'completed', false, 0],
	['was not talked, in two digits', '0', '00', 'completed', false, 0],
	['nobody knows how long', '0', '', 'completed', true, null],
	['less than nothing was talked', '0', '-5', 'completed', true, null],
	['part of a second was talked', '0', '1.5', 'completed', true, null],
	['a word was talked', '0', 'soon', 'completed', true, null],
	['nobody answered', '1', '0', 'noAnswer', false, 0],
	['nobody answered for a while', '1', '30', 'noAnswer', false, 30],
	['it failed', '2', '0', 'failed', false, 0],
	['it failed at no known time', '2', '', 'failed', false, null],
	['the state is new', '3', '30', 'unknown', false, 30],
	['the state has two digits', '00', '30', 'unknown', false, 30],
	['the state is a name in JavaScript', 'constructor', '30', 'unknown', false, 30],
	['there is no state', '', '', 'unknown', false, null],
])(
	'where %s (state %j, duration %j): %s, answered %s, %s seconds',
	(_what, state, duration, outcome, answered, durationSeconds) => {
		expect(itemFor({ state, duration })).toMatchObject({
			state,
			duration,
			outcome,
			answered,
			durationSeconds,
		});
	},
);

describe('user data', () => {
	it.each<[string, unknown]>([
		['{"order":42,"tags":["a"]}', { order: 42, tags: ['a'] }],
		[' \n[1, "2"] ', [1, '2']],
		['{}', {}],
		['{"a":null}', { a: null }],
		['[]', []],
	])(
		'user data that is a JSON object or list is parsed as well: %j',
		(userData, userDataParsed) => {
			expect(itemFor({ userData })).toMatchObject({ userData, userDataParsed });
		},
	);

	it('is parsed without names that would change an object, at any depth', () => {
		const userData =
			'[{"__proto__":{"admin":true},"a":[{"constructor":1,"prototype":null}],"name":"kept"}]';
		const { userDataParsed } = itemFor({ userData });
		expect(JSON.stringify(userDataParsed)).toBe('[{"a":[{}],"name":"kept"}]');
	});

	it('is parsed up to 20 levels deep, and no deeper', () => {
		const nested = (levels: number) => '{"a":'.repeat(levels - 1) + '[]' + '}'.repeat(levels - 1);
		expect(itemFor({ userData: nested(20) })).toHaveProperty('userDataParsed');
		for (const levels of [21, 5000]) {
			const item = itemFor({ userData: nested(levels) });
			expect(item).not.toHaveProperty('userDataParsed');
			expect(JSON.parse(JSON.stringify(item))).toEqual(item);
		}
	});

	it.each([
		['nothing', ['', ' ']],
		['a word', ['order-42']],
		['a JSON value of another kind', ['42', 'true', 'null', '"text"', '"[1]"']],
		['broken JSON', ['{order:42}', '{"a":1', '[1]x']],
	])('user data that is %s is not parsed', (_what, texts) => {
		for (const userData of texts) {
			expect(itemFor({ userData })).toMatchObject({ userData });
			expect(itemFor({ userData })).not.toHaveProperty('userDataParsed');
		}
	});
});

it('what was delivered stands under its own names in a member of its own', () => {
	const members = { event: 'x', outcome: 'x', answered: 'x', action: 'x', notification: 'x' };
	const { notification, ...named } = itemFor({ members });
	expect(notification).toEqual(members);
	expect(named).toMatchObject({ event: 'voiceNotification', outcome: 'completed' });
});

it('leaves out delivered names that would change an object, at any depth', () => {
	const text = '{"a":[{"__proto__":{"admin":"1"},"b":"c"}],"constructor":"1","prototype":"2"}';
	const { notification } = itemFor({ members: JSON.parse(text) as CallEvent['members'] });
	expect(JSON.stringify(notification)).toBe('{"a":[{"b":"c"}]}');
});
