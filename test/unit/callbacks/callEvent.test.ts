import type { CallEvent } from '../../../nodes/Yuntongxun/callbacks/callEvent';
import { readOne } from '../../support/notifications';

/** Reads a body that is about no SMS. */
const parseCall = (body: Buffer | string) => readOne(body) as CallEvent | undefined;

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
const LEAST: Omit<CallEvent, 'members'> = {
	event: 'voiceVerification',
	action: 'VoiceCode',
	callSid: 'c1',
	number: '',
	state: '',
	duration: '',
};

describe('one call result, as it is delivered', () => {
	it.each([
		['XML', ANSWERED_XML],
		['XML after a byte order mark', `\ufeff${ANSWERED_XML}`],
		['XML with layout', ANSWERED_XML.replace(/></g, '>\n\t<')],
		['XML with blanks around ids', ANSWERED_XML.replace(/<callSid>/, '<callSid>\n ')],
		['flat JSON', JSON.stringify(ANSWERED_MEMBERS)],
		['JSON within Request', JSON.stringify({ Request: ANSWERED_MEMBERS })],
		['JSON within request', JSON.stringify({ request: ANSWERED_MEMBERS })],
		['JSON within Request, after blanks', ` \n{"Request":${JSON.stringify(ANSWERED_MEMBERS)}}`],
		['JSON alone in a list', JSON.stringify([ANSWERED_MEMBERS])],
		['JSON alone in a list within Request', JSON.stringify({ Request: [ANSWERED_MEMBERS] })],
		['JSON within Request, alone in a list', JSON.stringify([{ Request: ANSWERED_MEMBERS }])],
		['XML with a root of another name', ANSWERED_XML.replace(/request>/g, 'Notify>')],
		['JSON with layout', `\r\n${JSON.stringify(ANSWERED_MEMBERS, null, '\t')}\n`],
	])('reads %s', (_what, text) => {
		const { members, ...named } = parseCall(text)!;
		expect(named).toEqual(ANSWERED);
		expect(members).toMatchObject({ starttime: '20150602155026', endtime: '20150602155056' });
	});

	it.each([
		['XML', '<Request><action>VoiceCode</action><callSid>c1</callSid></Request>'],
		['JSON', '{"action":"VoiceCode","callSid":"c1"}'],
		['JSON with blanks and null', '{"action":" VoiceCode ","callSid":"c1","number":null}'],
	])('reads a result with nothing but its required members (%s)', (_what, text) => {
		const { members, ...named } = parseCall(text)!;
		expect(named).toStrictEqual(LEAST);
		expect(Object.keys(members)).toEqual(['action', 'callSid']);
	});

	it.each([
		['VoiceCode', 'voiceVerification'],
		['voicecode', 'voiceVerification'],
		['SellingCall', 'voiceNotification'],
		['SELLINGCALL', 'voiceNotification'],
		['CallEstablish', 'other'],
		['Hangup', 'other'],
		['constructor', 'other'],
	])('reads the action %s as the event %s', (action, event) => {
		expect(parseCall(JSON.stringify({ action, callSid: 'c1' }))).toMatchObject({ action, event });
	});

	it('reads names in any case', () => {
		const text =
			'<REQUEST><ACTION>VoiceCode</ACTION><callsid>c1</callsid><Number>13800000000</Number><userdata> u </userdata></REQUEST>';
		expect(parseCall(text)).toMatchObject({ ...LEAST, number: '13800000000', userData: ' u ' });
	});

	it('prefers the exact spelling of a name, and keeps the other spelling beside it', () => {
		const text = '{"callsid":"c0","CALLSID":"c2","callSid":"c1","action":"VoiceCode"}';
		const members = { callsid: 'c0', CALLSID: 'c2', callSid: 'c1' };
		expect(parseCall(text)).toMatchObject({ ...LEAST, members });
	});

	it('keeps everything else under its own name', () => {
		const text =
			'{"action":"Hangup","Action":"x","callSid":"","callsid":"y","type":1,"list":["a"],"more":{"deep":true}}';
		expect(parseCall(text)?.members).toEqual({
			action: 'Hangup',
			callSid: '',
			Action: 'x',
			callsid: 'y',
			type: '1',
			list: ['a'],
			more: { deep: 'true' },
		});
	});

	it.each([
		['a list', '["VoiceCode","Hangup"]', ['VoiceCode', 'Hangup']],
		['an object', '{"a":"VoiceCode"}', { a: 'VoiceCode' }],
	])('keeps an action that is %s as something else', (_, action, kept) => {
		expect(parseCall(`{"action":${action},"callSid":"c1"}`)).toMatchObject({
			event: 'other',
			action: '',
			callSid: 'c1',
			members: { action: kept },
		});
	});

	it('treats a Request beside other members as one of them', () => {
		const text = '{"action":"Hangup","Request":{"action":"VoiceCode"}}';
		expect(parseCall(text)).toMatchObject({
			action: 'Hangup',
			members: { Request: { action: 'VoiceCode' } },
		});
		const before = '{"Request":{"action":"VoiceCode","callSid":"c1"},"action":"Hangup"}';
		expect(parseCall(before)).toMatchObject({ action: 'Hangup' });
	});
});

it.each([
	['""', ''],
	['{ "order": 42 }', '{"order":"42"}'],
	['[1,"a"]', '["1","a"]'],
	['7', '7'],
	['true', 'true'],
])('the user data %s is read as the text %j', (value, userData) => {
	const text = `{"action":"VoiceCode","callSid":"c1","userData":${value}}`;
	expect(parseCall(text)?.userData).toBe(userData);
});

it('keeps a result whose user data has bytes that are not UTF-8', () => {
	const text = '{"action":"VoiceCode","callSid":"c1","userData":"caf\u00e9!"}';
	const latin = Buffer.from(text, 'latin1');
	expect(parseCall(latin)).toMatchObject({ ...LEAST, userData: 'caf\ufffd!' });
});
