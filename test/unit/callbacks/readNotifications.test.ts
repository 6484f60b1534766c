import { decodeBody } from '../../../nodes/Yuntongxun/callbacks/readNotifications';
import { readBody, readOne } from '../../support/notifications';

const CALL = { action: 'SellingCall', callSid: 'c1', number: '13800000000', state: '0' };
const REPLY = { action: 'SMSArrived', smsType: '0', fromNum: '13800000001', content: 'Y' };

const inXml = (members: object, root = 'Request') =>
	`<?xml version="1.0" encoding="UTF-8"?>\n<${root}>${Object.entries(members)
		.map(([name, value]) => `<${name}>${value}</${name}>`)
		.join('')}</${root}>`;
const readMembers = (body: Buffer | string) => readOne(body)?.members;
const readActions = (body: string) =>
	readBody(body)?.map(({ members }) => members.action as string);

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

	it.each<[string, string]>([
		[
			'a member comes twice',
			inXml({ ...CALL, x: '&' }).replace('</Request>', '<state>1</state></Request>'),
		],
		['a member comes twice in other letters', inXml({ ...CALL, STATE: '1', x: '&' })],
		['another member has <', inXml({ ...CALL, x: '1<2' })],
		['elements are nested', inXml({ ...CALL, x: '<y>&</y>' })],
		['a text stands between', inXml({ ...CALL, x: '&' }).replace('<state>', 'a<state>')],
		['the end is missing', inXml({ ...CALL, userData: '&' }).slice(0, -4)],
		['the end of a text is missing', inXml({ ...CALL, userData: '&' }).replace('</userData>', '')],
		[
			'the root ends in other letters',
			inXml({ ...CALL, x: '&' }).replace('</Request>', '</request>'),
		],
		['more follows', `${inXml({ ...CALL, x: '&' })}<a/>`],
		['an entity is declared', `<!DOCTYPE r [<!ENTITY a "b">]>${inXml({ ...CALL, x: '&a;' }, 'r')}`],
		['its root does', inXml({ ...CALL, userData: 'a&b' }, 'callAuth')],
		['nothing in it is known', inXml({ a: '&' })],
	])('is refused where %s', (_, text) => {
		expect(readBody(text)).toBeUndefined();
	});
});

describe('JSON with raw control characters', () => {
	it.each(['\r\n', '\u0000', '\u001f'])('is read with blanks in their place: %j', (raw) => {
		const text = JSON.stringify({ ...REPLY, content: 'a|b' });
		const content = `a${' '.repeat(raw.length)}b`;
		expect(readMembers(text.replace('|', raw))).toEqual({ ...REPLY, content });
	});

	it('is refused where it asks for a decision, or is no JSON either way', () => {
		expect(readBody('{"action":"CallAuth","userData":"a\nb"}')).toBeUndefined();
		expect(readBody('{"action":"Hangup","userData":"a\nb"')).toBeUndefined();
	});
});

describe('wrappers', () => {
	const call = JSON.stringify(CALL);
	it.each([
		['request beside something else', `{"time":1,"REQUEST":${call}}`],
		['two of them', `{"data":{"Request":${call}}}`],
		['a list of lists', `[[${call}]]`],
		['XML', `<a><Request>${inXml(CALL).split('\n')[1].slice(9, -10)}</Request></a>`],
	])('are taken off: %s', (_, text) => {
		expect(readMembers(text)).toEqual(CALL);
	});

	it('a name that does not stand alone is none', () => {
		expect(readBody(`{"data":${call},"version":"1"}`)).toBeUndefined();
	});

	it('what has a member of a notification is one itself', () => {
		expect(readMembers(`{"Request":${call},"action":"Hangup"}`)).toMatchObject({
			action: 'Hangup',
		});
		expect(readMembers(`{"userData":${call}}`)).toEqual({ userData: CALL });
	});
});

describe('several notifications', () => {
	const list = (count: number) =>
		Array.from({ length: count }, (_, at) => JSON.stringify({ action: 'A', callSid: `${at}` }));

	it.each([
		['any wrapper that holds a list', '{"data":[{"action":"A"},{"action":"B"}]}'],
		['a list of wrappers', '[{"Request":{"action":"A"}},{"Request":{"action":"B"}}]'],
		['a list with something else', '[{"action":"A"},{"hello":"1"},"x",null,{"action":"B"}]'],
	])('are read in their order from %s', (_, text) => {
		expect(readActions(text)).toEqual(['A', 'B']);
	});

	it('are read up to 500', () => {
		expect(readBody(`[${list(500).join()}]`)).toHaveLength(500);
		expect(readBody(`[${list(501).join()}]`)).toBeUndefined();
	});

	it('are read up to 10,000 tags, objects and lists, which is nine members each in XML', () => {
		const members = ['action', ...'abcdefgh'].map((name) => `<${name}>1</${name}>`).join('');
		const xml = (count: number) => `<r>${`<m>${members}</m>`.repeat(count)}</r>`;
		expect(readBody(xml(499))).toHaveLength(499);
		const typed = (marks: string) => JSON.stringify({ action: 'x', content: marks });
		expect(readBody(typed('<'.repeat(9_999)))).toHaveLength(1);
		for (const mark of ['<', '{', '['])
			expect(readBody(typed(mark.repeat(10_000)))).toBeUndefined();
	});

	it('are read from 256 KB at most', () => {
		const text = `[${list(2).join()}]`;
		expect(readBody(text.padEnd(256 * 1024))).toHaveLength(2);
		expect(readBody(text.padEnd(256 * 1024 + 1))).toBeUndefined();
	});

	it('are read up to 32 KB each, and what is larger is left out', () => {
		const large = (size: number) => {
			const least = JSON.stringify({ action: 'B', x: '' });
			return least.replace('""', `"${'x'.repeat(size - least.length)}"`);
		};
		expect(readActions(`[${list(1).join()},${large(32 * 1024)}]`)).toEqual(['A', 'B']);
		expect(readActions(`[${list(1).join()},${large(32 * 1024 + 1)}]`)).toEqual(['A']);
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
	])('are refused as a whole where a decision is asked for: %s', (_, text) => {
		expect(readBody(text)).toBeUndefined();
	});
});

describe('the encoding of a body', () => {
	/** 退订, in GBK. */
	const GBK = Buffer.from([0xcd, 0xcb, 0xb6, 0xa9]);
	const inGbk = (declaration: string) => {
		const [before, after] = inXml({ ...REPLY, content: '|' }).split('|');
		return Buffer.concat([
			Buffer.from(before.replace('encoding="UTF-8"', declaration)),
			GBK,
			Buffer.from(after),
		]);
	};

	it.each([
		['encoding = "GB18030" standalone="yes"', '退订'],
		['encoding="made-up"', '\ufffd\u02f6\ufffd'],
	])('is the one that XML declares, if it is known: %s', (declaration, content) => {
		expect(readMembers(inGbk(declaration))).toEqual({ ...REPLY, content });
	});

	it('is not looked for in more than 256 KB', () => {
		expect(decodeBody(Buffer.alloc(256 * 1024, ' '))).toHaveLength(256 * 1024);
		expect(decodeBody(Buffer.alloc(256 * 1024 + 1, ' '))).toBe('');
	});
});
