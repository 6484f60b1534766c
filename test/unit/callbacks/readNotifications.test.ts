import { readBody, readOne } from '../../support/notifications';

const CALL = { action: 'SellingCall', callSid: 'c1', number: '13800000000', state: '0' };
const REPLY = { action: 'SMSArrived', smsType: '0', fromNum: '13800000001', content: 'Y' };

const inXml = (members: object, root = 'Request') =>
	`<?xml version="1.0" encoding="UTF-8"?>\n<${root}>${Object.entries(members)
		.map(([name, value]) => `<${name}>${value}</${name}>`)
		.join('')}</${root}>`;
const readMembers = (body: Buffer | string) => readOne(body)?.members;

describe('XML whose texts are not escaped', () => {
	it.each<[string, object]>([
		['& elsewhere', { ...CALL, byname: 'A & B' }],
		['a member in other letters', { Action: 'SMSArrived', SmsType: '0', CONTENT: 'a&b' }],
	])('is read as it stands: %s', (_, members) => {
		expect(readMembers(inXml(members))).toEqual(members);
	});

	it.each([
		['without a declaration', (text: string) => text.slice(text.indexOf('\n') + 1)],
		['after a byte order mark', (text: string) => `\ufeff${text}`],
		['with blanks around', (text: string) => `\r\n${text}\r\n `],
		['with an empty member', (text: string) => text.replace('<state>', '<appendCode/><state>')],
		['with an attribute', (text: string) => text.replace('<userData>', '<userData type="x/y">')],
	])('is read %s', (_, alter) => {
		const text = alter(inXml({ ...CALL, userData: 'a=1&b=2' }));
		expect(readOne(text)).toMatchObject({ ...CALL, userData: 'a=1&b=2' });
	});

	it.each([
		['references, which it had typed', 'a &amp; b < c', 'a &amp; b < c'],
		['its own closing tag', 'a</userData>&<userData>b', 'a</userData>&<userData>b'],
		['a line end', 'a<\r\nb', 'a<\r\nb'],
		['tags that pair up', 'I <b>love</b> it', 'I <b>love</b> it'],
		[
			'another member',
			'1</userData><state>1</state><userData>2',
			'1</userData><state>1</state><userData>2',
		],
		['sections', '<![CDATA[1]]>, <![CDATA[2]]>', '<![CDATA[1]]>, <![CDATA[2]]>'],
		['what was escaped', '&lt;b> &amp; c', '<b> & c'],
		['what stands in a section', ' <![CDATA[1 < 2 & 3]]>\n', ' 1 < 2 & 3\n'],
	])('has its text as it was typed: with %s', (_, typed, userData) => {
		expect(readMembers(inXml({ ...CALL, userData: typed }))).toEqual({ ...CALL, userData });
	});

	it.each<[string, string]>([
		['another member has <', inXml({ ...CALL, x: '1<2' })],
		['the end is missing', inXml({ ...CALL, userData: '&' }).slice(0, -4)],
		['the end of a text is missing', inXml({ ...CALL, userData: '&' }).replace('</userData>', '')],
		['more follows', `${inXml({ ...CALL, x: '&' })}<a/>`],
		['an entity is declared', `<!DOCTYPE r [<!ENTITY a "b">]>${inXml({ ...CALL, x: '&a;' }, 'r')}`],
		['its root asks for a decision', inXml({ ...CALL, userData: 'a&b' }, 'callAuth')],
		['nothing in it is known', inXml({ a: '&' })],
	])('is refused if %s', (_, text) => {
		expect(readBody(text)).toBeUndefined();
	});
});

describe('a repeated name, with which a typed text could override a value, is refused', () => {
	it.each<[string, string]>([
		['XML', inXml({ ...CALL, x: '&' }).replace('<x>', '<state>1</state><x>')],
		['XML, in a wrapper', inXml({ Request: '<action>A</action><x>1</x><x>2</x>' })],
		['JSON', JSON.stringify(REPLY).replace('"Y"', '"1","fromNum":"13800000009"')],
		['JSON, written in another way', '{"action":"A","\\u0061ction":"B"}'],
		['JSON, beside a list', '{"action":"A","x":["1","2"],"action":"B"}'],
		['JSON, in a list', `[${JSON.stringify(CALL)},{"action":"A","x":{},"action":"B"}]`],
	])('%s', (_, text) => {
		expect(readBody(text)).toBeUndefined();
	});

	it('the same name in two objects, or a list in JSON, is no repetition', () => {
		const members = { action: 'A', x: { action: 'B', y: ['{"', '":'] }, y: [{ x: 1 }, { x: '2' }] };
		expect(readMembers(JSON.stringify(members))).toMatchObject({ action: 'A', x: members.x });
	});
});

describe('JSON with raw control characters', () => {
	it.each(['\r\n', '\u0000', '\u001f'])('is read with blanks in their place: %j', (raw) => {
		const text = JSON.stringify({ ...REPLY, content: 'a|b' });
		const content = `a${' '.repeat(raw.length)}b`;
		expect(readMembers(text.replace('|', raw))).toEqual({ ...REPLY, content });
	});

	it('is refused if it asks for a decision, or is not JSON even when repaired', () => {
		expect(readBody('{"action":"CallAuth","userData":"a\nb"}')).toBeUndefined();
		expect(readBody('{"action":"Hangup","userData":"a\nb"')).toBeUndefined();
	});
});

describe('wrappers', () => {
	const call = JSON.stringify(CALL);

	it('an object with a member of a notification is one itself, not a wrapper', () => {
		expect(readMembers(`{"Request":${call},"action":"Hangup"}`)).toMatchObject({
			action: 'Hangup',
		});
		expect(readMembers(`{"userData":${call}}`)).toEqual({ userData: CALL });
	});
});

describe('several notifications', () => {
	const second = { ...CALL, callSid: 'c2' };
	const report = { action: 'SMSArrived', smsType: '1', content: 'id' };
	const list = (...all: object[]) => JSON.stringify(all);
	const listInXml = (...all: object[]) =>
		inXml(
			{ Request: all.map((each) => inXml(each).slice(48, -10)).join('</Request><Request>') },
			'a',
		);

	it.each([
		['a list', list(CALL, second)],
		['a wrapper of a list', `{"data":${list(CALL, second)}}`],
		['a list of wrappers', list({ Request: CALL }, { Request: second })],
		['a list with texts', `["x",null,${list(CALL, second).slice(1)}`],
		['XML', listInXml(CALL, second)],
		['reports in a list', list(report, report)],
		['reports in XML', listInXml(report, report)],
	])('are read from %s', (_, text) => {
		expect(readBody(text)).toHaveLength(2);
	});

	const typed = { ...REPLY, content: 'NO', fromNum: '13800000009' };
	it.each([
		['replies in a list', list(typed, REPLY)],
		['replies in XML', listInXml(typed, REPLY)],
		['a reply with < in it', listInXml({ ...REPLY, content: '1 < 2' }, report)],
		['a report and a reply', list(report, REPLY)],
		['a report and a call', list(report, CALL)],
		['user data', list(CALL, { ...second, userData: 'x' })],
		['something else', list(CALL, { action: 'Hangup' })],
		['an object in a list that is none', list(typed, { content: 'NO', fromNum: '13800000001' })],
		['an object beside a wrapper', JSON.stringify({ Request: typed, x: { content: 'NO' } })],
		['an element that is none', listInXml(typed, { content: 'NO' })],
	])('are refused if a typed text could end one and begin another: %s', (_, text) => {
		expect(readBody(text)).toBeUndefined();
	});

	it('are read up to 32 KB, counted in bytes', () => {
		const text = list(CALL, { ...second, x: '退' });
		const fill = (size: number) => text + ' '.repeat(size - Buffer.byteLength(text));
		expect(readBody(fill(32 * 1024))).toHaveLength(2);
		expect(readBody(fill(32 * 1024 + 1))).toBeUndefined();
	});

	it.each([
		['in a wrapper of one', '[{"action":"A"},{"CallAuth":{"callSid":"c1"}}]'],
		['around them', '{"CallAuth":[{"action":"A"},{"action":"B"}]}'],
		['in a Request beside an action', '{"Request":{"action":"CallAuth"},"action":"A"}'],
		['beside a Request', '{"Request":{"action":"A"},"ACTION":"callauth"}'],
		[
			'in XML',
			'<list><Request><action>A</action></Request><CallAuth><action>B</action></CallAuth></list>',
		],
	])('are all refused if one asks for a decision: %s', (_, text) => {
		expect(readBody(text)).toBeUndefined();
	});
});
