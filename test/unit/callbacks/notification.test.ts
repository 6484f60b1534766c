import { toItemJson } from '../../../nodes/Yuntongxun/callbacks/notification';
import { readOne, REPLY, REPORT } from '../../support/notifications';

const RECEIVED_AT = Date.parse('2024-01-01T00:00:00.123Z');

const readItem = (text: string) => {
	const notification = readOne(text);
	return notification && toItemJson(notification, RECEIVED_AT);
};

const CALL = '<action>VoiceCode</action><callSid>c1</callSid>';

describe('a question whether a call may start', () => {
	it('is looked for nowhere else', () => {
		const userData = JSON.stringify({ action: 'CallAuth' });
		const text = JSON.stringify({ action: 'VoiceCode', callSid: 'CallAuth', userData });
		expect(readOne(text)).toMatchObject({ event: 'voiceVerification', userData });
		const reply = '{"action":"SMSArrived","smsType":"0","content":"CallAuth"}';
		expect(readOne(reply)).toMatchObject({ event: 'smsReply' });
		const xml = `<Request>${CALL}<userData note="CallAuth">CallAuth</userData></Request>`;
		expect(readOne(xml)).toMatchObject({ event: 'voiceVerification', userData: 'CallAuth' });
	});
});

describe('what the specification leaves open is something else', () => {
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

	it.each(['0', '2', '', '10', undefined])('is anything with the smsType %j', (smsType) => {
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
