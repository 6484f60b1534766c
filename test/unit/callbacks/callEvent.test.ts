import fc from 'fast-check';

import {
	fromRecord,
	isAnswered,
	parseCallEvent,
	resultKey,
	toRecord,
} from '../../../nodes/Yuntongxun/callbacks/callEvent';
import type { CallEvent, ResultRecord } from '../../../nodes/Yuntongxun/callbacks/callEvent';

const parsed = (text: string) => parseCallEvent(Buffer.from(text));

/** The example of service-facts, an answered notification call. */
const ANSWERED: CallEvent = {
	event: 'voiceNotification',
	action: 'SellingCall',
	callSid: '15060215502645320001000300000001',
	number: '13800000000',
	state: '0',
	duration: '30',
	userData: 'order-42',
	others: { starttime: '20150602155026', endtime: '20150602155056' },
};

const ANSWERED_XML =
	'<?xml version="1.0" encoding="UTF-8"?>\n<request><action>SellingCall</action><callSid>15060215502645320001000300000001</callSid><number>13800000000</number><state>0</state><starttime>20150602155026</starttime><endtime>20150602155056</endtime><duration>30</duration><userData>order-42</userData></request>';

const ANSWERED_MEMBERS = {
	duration: 30,
	endtime: '20150602155056',
	userData: 'order-42',
	starttime: '20150602155026',
	state: 0,
	number: '13800000000',
	callSid: ' 15060215502645320001000300000001',
	action: 'SellingCall',
};

/** A verification call with nothing but what is needed. */
const LEAST: CallEvent = {
	event: 'voiceVerification',
	action: 'VoiceCode',
	callSid: 'c1',
	number: '',
	state: '',
	duration: '',
	others: {},
};

describe('one call result, as it is delivered', () => {
	it.each([
		['XML', ANSWERED_XML],
		['XML with a root of another case', ANSWERED_XML.replace(/request>/g, 'Request>')],
		['XML with a root in capitals', ANSWERED_XML.replace(/request>/g, 'REQUEST>')],
		['XML after a byte order mark', `\ufeff${ANSWERED_XML}`],
		['XML with layout', ANSWERED_XML.replace(/></g, '>\n\t<')],
		['XML with blanks around ids', ANSWERED_XML.replace(/<callSid>/, '<callSid>\n ')],
		['flat JSON', JSON.stringify(ANSWERED_MEMBERS)],
		['JSON within Request', JSON.stringify({ Request: ANSWERED_MEMBERS })],
		['JSON within request', JSON.stringify({ request: ANSWERED_MEMBERS })],
		['JSON within REQUEST', JSON.stringify({ REQUEST: ANSWERED_MEMBERS })],
		['JSON within Request, after blanks', ` \n{"Request":${JSON.stringify(ANSWERED_MEMBERS)}}`],
		['JSON with layout', `\r\n${JSON.stringify(ANSWERED_MEMBERS, null, '\t')}\n`],
	])('reads %s', (_what, text) => {
		expect(parsed(text)).toEqual(ANSWERED);
	});

	it.each([
		['XML', '<Request><action>VoiceCode</action><callSid>c1</callSid></Request>'],
		['JSON', '{"action":"VoiceCode","callSid":"c1"}'],
		['JSON with blanks and null', '{"action":" VoiceCode ","callSid":"c1","number":null}'],
	])('reads what is needed alone, without user data (%s)', (_what, text) => {
		expect(parsed(text)).toStrictEqual(LEAST);
	});

	it('keeps an id as number whole', () => {
		const text = '{"action":"VoiceCode","callSid":12345678901234567890}';
		expect(parsed(text)?.callSid).toBe('12345678901234567890');
	});

	it('is not a call event if it asks for a decision about a call', () => {
		expect(parsed('{"action":"CallAuth","callSid":"c1"}')).toBeUndefined();
	});

	it.each([
		['VoiceCode', 'voiceVerification'],
		['SellingCall', 'voiceNotification'],
		['CallEstablish', 'other'],
		['Hangup', 'other'],
		['SMSArrived', 'other'],
		['voicecode', 'other'],
		['constructor', 'other'],
	])('takes action %s for %s', (action, event) => {
		expect(parsed(JSON.stringify({ action, callSid: 'c1' }))).toMatchObject({ action, event });
	});

	it('needs no callSid of another event', () => {
		expect(parsed('<Request><action>SMSArrived</action></Request>')).toMatchObject({
			event: 'other',
			callSid: '',
		});
	});

	it('keeps everything else under its own name', () => {
		const text =
			'{"action":"Hangup","Action":"x","callsid":"y","type":1,"list":["a"],"more":{"deep":true}}';
		expect(parsed(text)?.others).toEqual({
			Action: 'x',
			callsid: 'y',
			type: '1',
			list: ['a'],
			more: { deep: 'true' },
		});
	});

	it.each(['userDataParsed', '__proto__', 'constructor', 'prototype'])(
		'drops a member with the name %s, wherever it is read',
		(name) => {
			const callEvent = parsed(`{"action":"Hangup","${name}":{"polluted":"1"}}`);
			const hostile = JSON.parse(
				`["Hangup","","","","",0,{"${name}":{"polluted":"1"}}]`,
			) as ResultRecord;
			expect(callEvent?.others).toStrictEqual({});
			expect(fromRecord(hostile).callEvent).toStrictEqual(callEvent);
		},
	);

	it('takes a Request beside other members for one of them', () => {
		const text = '{"action":"Hangup","Request":{"action":"VoiceCode"}}';
		expect(parsed(text)).toMatchObject({
			action: 'Hangup',
			others: { Request: { action: 'VoiceCode' } },
		});
		const before = '{"Request":{"action":"VoiceCode","callSid":"c1"},"action":"Hangup"}';
		expect(parsed(before)).toMatchObject({ action: 'Hangup' });
	});
});

describe('user data', () => {
	const withUserData = (userData: string) =>
		JSON.stringify({ action: 'VoiceCode', callSid: 'c1', userData });

	it.each(['', '  ', ' a\tb \r\n', '{"order": 42}', '007', '<b>&amp;</b>'])(
		'comes through JSON untouched: %j',
		(userData) => {
			expect(parsed(withUserData(userData))?.userData).toBe(userData);
		},
	);

	it.each([
		['{ "order": 42 }', '{"order":"42"}'],
		['[1,"a"]', '["1","a"]'],
		['7', '7'],
		['true', 'true'],
	])('that is no text comes through JSON as one: %s', (value, userData) => {
		const text = `{"action":"VoiceCode","callSid":"c1","userData":${value}}`;
		expect(parsed(text)?.userData).toBe(userData);
	});

	it.each([
		['<userData/>', ''],
		['<userData>  a\tb </userData>', '  a\tb '],
		['<userData>{"order":&quot;42&quot;}</userData>', '{"order":"42"}'],
		['<userData>a&#13;&#10;b</userData>', 'a\r\nb'],
		['<userData><![CDATA[<b>&amp;</b>]]></userData>', '<b>&amp;</b>'],
	])('comes through XML as it was meant: %s', (element, userData) => {
		const text = `<Request><action>VoiceCode</action><callSid>c1</callSid>${element}</Request>`;
		expect(parsed(text)?.userData).toBe(userData);
	});
});

it('keeps a result whose user data holds bytes that are no UTF-8', () => {
	const latin = Buffer.from(
		'{"action":"VoiceCode","callSid":"c1","userData":"caf\u00e9!"}',
		'latin1',
	);
	expect(parseCallEvent(latin)).toEqual({ ...LEAST, userData: 'caf\ufffd!' });
});

describe('the record of a result', () => {
	it.each<[string, Partial<CallEvent>]>([
		['everything that may be delivered', {}],
		['no user data', { userData: undefined }],
		['nothing unknown', { others: {} }],
		['the other kind', { event: 'voiceVerification', action: 'VoiceCode' }],
	])('reads back as it was: %s', (_, changes) => {
		const result = { callEvent: { ...ANSWERED, ...changes }, at: 1_767_225_600_000 };
		const stored = JSON.parse(JSON.stringify(toRecord(result))) as ResultRecord;
		expect(fromRecord(stored)).toEqual(result);
	});

	it('takes at most 150 bytes beside user data and what is unknown', () => {
		const callEvent = { ...ANSWERED, userData: undefined, others: {}, callSid: '1'.repeat(48) };
		expect(JSON.stringify(toRecord({ callEvent, at: Date.now() })).length).toBeLessThan(150);
	});
});

describe('what is not a call event', () => {
	it.each([
		['nothing', ''],
		['plain text', 'hello'],
		['XML wrapped twice', `<Request>${ANSWERED_XML.replace(/^<\?.*?\?>\s*/, '')}</Request>`],
		[
			'XML wrapped twice that holds JSON',
			'<Request><Request><action>VoiceCode</action><callSid>c1</callSid><userData>{}</userData></Request></Request>',
		],
		['a form', 'action=VoiceCode&callSid=c1'],
		['XML with a root of another name', ANSWERED_XML.replace(/request>/g, 'Notify>')],
		['a web page', '<html><body><p>hello<br></body></html>'],
		['an empty object', '{}'],
		['an empty element', '<Request></Request>'],
		['a list', '[{"action":"VoiceCode","callSid":"c1"}]'],
		['a list within Request', '{"Request":[{"action":"VoiceCode","callSid":"c1"}]}'],
		['a call event within something else', '{"Data":{"action":"VoiceCode","callSid":"c1"}}'],
		['no action', '{"callSid":"c1","number":"13800000000"}'],
		['an empty action', '{"action":" ","callSid":"c1"}'],
		['an action that is an object', '{"action":{"a":"VoiceCode"},"callSid":"c1"}'],
		[
			'two actions',
			'<Request><action>VoiceCode</action><action>x</action><callSid>c1</callSid></Request>',
		],
		['an action of another case', '{"Action":"VoiceCode","callSid":"c1"}'],
		['a verification call without id', '{"action":"VoiceCode"}'],
		['a notification call without id', '{"action":"SellingCall","callSid":"  "}'],
		['an id of another case', '<Request><action>VoiceCode</action><callsid>c1</callsid></Request>'],
		['two call events', `${ANSWERED_XML}${ANSWERED_XML.replace(/<\?.*\?>/, '')}`],
		['half a call event', ANSWERED_XML.slice(0, -5)],
		[
			'entities',
			'<!DOCTYPE r [<!ENTITY x "1">]><r><action>VoiceCode</action><callSid>1</callSid></r>',
		],
	])('%s', (_what, text) => {
		expect(parsed(text)).toBeUndefined();
	});

	it('more than 256 KiB, and nothing below', () => {
		const filled = (size: number) => {
			const text = JSON.stringify({ action: 'VoiceCode', callSid: 'c1', userData: '' });
			return text.replace('""', `"${'x'.repeat(size - text.length)}"`);
		};
		expect(parsed(filled(256 * 1024))).toMatchObject({ callSid: 'c1' });
		expect(parsed(filled(256 * 1024 + 1))).toBeUndefined();
	});

	it('any other bytes, without an exception', () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
				expect(parseCallEvent(Buffer.from(bytes))).toBeUndefined();
			}),
			{ numRuns: 300 },
		);
	});
});

it('is told from the results of other calls and kinds, and nobody answers one that has not come', () => {
	expect(resultKey(LEAST)).toBe('voiceVerification c1');
	expect(isAnswered(undefined)).toBe(false);
});
