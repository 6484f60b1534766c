import { toItemJson } from '../../../nodes/Yuntongxun/callbacks/notification';
import type { CallEvent } from '../../../nodes/Yuntongxun/callbacks/notification';
import { readOne, REPLY, REPORT } from '../../support/notifications';

/** Reads a body that is about no SMS. */
const parseCall = (body: string) => readOne(body) as CallEvent | undefined;

/** The example of docs/maintainers/service.md, section 13: a notification call that was answered. */
const ANSWERED: Omit<CallEvent, 'members'> = {
	event: 'voiceNotification',
	action: 'SellingCall',
	callSid: '15060215502645320001000300000001',
	number: '13800000000',
	state: '0',
	duration: '30',
	userData: 'order-42',
};

/** A verification call with nothing but what is needed. */
const LEAST: Omit<CallEvent, 'members'> = {
	event: 'voiceVerification',
	action: 'VoiceCode',
	callSid: 'c1',
	number: '',
	state: '',
	duration: '',
};

it.each([
	['XML', '<Request><action>VoiceCode</action><callSid>c1</callSid></Request>'],
	['JSON', '{"action":"VoiceCode","callSid":"c1"}'],
	['JSON with blanks and null', '{"action":" VoiceCode ","callSid":"c1","number":null}'],
])('a result with only its required members is read (%s)', (_what, text) => {
	const { members, ...named } = parseCall(text)!;
	expect(named).toStrictEqual(LEAST);
	expect(Object.keys(members)).toEqual(['action', 'callSid']);
});

it.each([
	['VoiceCode', 'voiceVerification'],
	['voicecode', 'voiceVerification'],
	['SellingCall', 'voiceNotification'],
	['SELLINGCALL', 'voiceNotification'],
	['Hangup', 'other'],
	['constructor', 'other'],
])('the action %s is the event %s', (action, event) => {
	expect(parseCall(JSON.stringify({ action, callSid: 'c1' }))).toMatchObject({ action, event });
});

it('names match in any case, the exact spelling first, and all are kept as they came', () => {
	const xml =
		'<REQUEST><ACTION>VoiceCode</ACTION><callsid>c1</callsid><Number>13800000000</Number><userdata> u </userdata></REQUEST>';
	expect(parseCall(xml)).toMatchObject({ ...LEAST, number: '13800000000', userData: ' u ' });
	const more = '"type":1,"list":["a"],"more":{"deep":true}';
	const text = `{"callsid":"c0","CALLSID":"c2","callSid":"c1","action":"VoiceCode",${more}}`;
	const members = { callsid: 'c0', CALLSID: 'c2', callSid: 'c1', action: 'VoiceCode' };
	expect(parseCall(text)).toMatchObject({
		...LEAST,
		members: { ...members, type: '1', list: ['a'], more: { deep: 'true' } },
	});
});

/** The item made from the example, without user data. */
const itemFor = (changes: Partial<CallEvent> = {}) =>
	toItemJson({ ...ANSWERED, userData: undefined, members: {}, ...changes }, 0);

it.each([
	['was talked', '0', '30', 'completed', true, 30],
	['was talked, with zeros in front', '0', '007', 'completed', true, 7],
	['was not talked', '0', '0', 'completed', false, 0],
	['was not talked, in two digits', '0', '00', 'completed', false, 0],
	['nobody knows how long', '0', '', 'completed', true, null],
	['part of a second was talked', '0', '1.5', 'completed', true, null],
	['nobody answered', '1', '0', 'noAnswer', false, 0],
	['nobody answered for a while', '1', '30', 'noAnswer', false, 30],
	['it failed', '2', '0', 'failed', false, 0],
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

it('`notification` holds what was delivered, under its own names', () => {
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

const RECEIVED_AT = Date.parse('2024-01-01T00:00:00.123Z');

const readItem = (text: string) => {
	const notification = readOne(text);
	return notification && toItemJson(notification, RECEIVED_AT);
};

const CALL = '<action>VoiceCode</action><callSid>c1</callSid>';

it('CallAuth inside a text or an id is no question whether a call may start', () => {
	const userData = JSON.stringify({ action: 'CallAuth' });
	const text = JSON.stringify({ action: 'VoiceCode', callSid: 'CallAuth', userData });
	expect(readOne(text)).toMatchObject({ event: 'voiceVerification', userData });
	const reply = '{"action":"SMSArrived","smsType":"0","content":"CallAuth"}';
	expect(readOne(reply)).toMatchObject({ event: 'smsReply' });
	const xml = `<Request>${CALL}<userData note="CallAuth">CallAuth</userData></Request>`;
	expect(readOne(xml)).toMatchObject({ event: 'voiceVerification', userData: 'CallAuth' });
});

describe('is the event `other` with', () => {
	it.each([
		['no action', '{"callSid":"c1","number":"13800000000"}'],
		['an empty action', '{"action":" ","callSid":"c1"}'],
		['user data only', '<Request><userData/></Request>'],
		['a verification call without id', '{"action":"VoiceCode"}'],
		['a notification call without id', '{"action":"SellingCall","callSid":"  "}'],
		['an id under the name undefined', '{"action":"VoiceCode","undefined":"c1"}'],
	])('%s', (_, text) => {
		expect(readOne(text)).toMatchObject({ event: 'other' });
	});
});

describe('a report on an SMS', () => {
	it('has the fields of the contract, and all that was delivered', () => {
		const numbers = { smsType: 1, status: 0, smsCount: 1 };
		expect(readItem(JSON.stringify({ ...REPORT, ...numbers }))).toEqual({
			event: 'smsReport',
			smsMessageSid: '20260102093000123456000100000042',
			number: '13800000000',
			delivered: true,
			deliverCode: 'DELIVRD',
			smsCount: '1',
			reqId: 'order42',
			notification: REPORT,
			sentAt: '2026-01-02T09:30:00+08:00',
			reportedAt: '2026-01-02T09:30:05+08:00',
			receivedAt: '2024-01-01T00:00:00.123Z',
		});
	});

	it('has empty fields for missing texts, and no date for text that is not a date', () => {
		const members = { action: 'SMSArrived', smsType: '1', dateSent: 'today' };
		expect(readItem(JSON.stringify(members))).toEqual({
			event: 'smsReport',
			...{ smsMessageSid: '', number: '', deliverCode: '', smsCount: '', reqId: '' },
			receivedAt: '2024-01-01T00:00:00.123Z',
			notification: members,
		});
	});

	it.each<[unknown, object]>([
		[' 0 ', { delivered: true }],
		['1', { delivered: false }],
		['00', { delivered: false }],
		[' ', {}],
		[['0'], {}],
	])('with status %j says: %j', (status, said) => {
		const rest = { ...readItem(JSON.stringify(REPORT)) };
		delete rest.delivered;
		const item = readItem(JSON.stringify({ ...REPORT, status }));
		expect({ ...item, notification: REPORT }).toStrictEqual({ ...rest, ...said });
	});

	it('reads names and action in any case, and keeps what was delivered under its own name', () => {
		const text = '{"ACTION":"smsarrived","SmsType":"1","Content":"s1","fromnum":"13800000000"}';
		const item = readItem(text);
		expect(item).toMatchObject({ event: 'smsReport', smsMessageSid: 's1', number: '13800000000' });
		expect(item?.notification).toEqual(JSON.parse(text));
	});
});

describe('a reply to an SMS', () => {
	it('has the fields of the contract, and all that was delivered', () => {
		expect(readItem(JSON.stringify(REPLY))).toEqual({
			event: 'smsReply',
			text: 'Y',
			number: '13800000001',
			appendCode: '0007',
			notification: REPLY,
			sentAt: '2026-01-02T09:30:58+08:00',
			receivedAt: '2024-01-01T00:00:00.123Z',
		});
	});

	it.each(['0', '2', '', '10', undefined])('has any smsType other than 1: %j', (smsType) => {
		expect(readItem(JSON.stringify({ ...REPLY, smsType }))).toMatchObject({ event: 'smsReply' });
	});
});

it.each([
	['8613800000000', '13800000000'],
	['+8613800000000', '13800000000'],
	['008613800000000', '13800000000'],
	['13800000000', '13800000000'],
	['+85251234567', '+85251234567'],
	['86123', '86123'],
])('the number of an SMS event is spelled as Send gives it: %s', (fromNum, number) => {
	for (const push of [REPORT, REPLY]) {
		const members = { ...push, fromNum };
		const item = toItemJson(readOne(JSON.stringify(members))!, 0);
		expect(item).toMatchObject({ number, notification: { fromNum } });
	}
});
