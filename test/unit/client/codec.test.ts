import { blankOutsideXml } from '../../../nodes/Yuntongxun/client/xml';
import { encode, getTextMember } from '../../../nodes/Yuntongxun/client/codec';
import type { Fields } from '../../../nodes/Yuntongxun/client/codec';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

/** What XML 1.0 calls a character (section 2.2). */
const XML_CHARACTER = /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]$/u;

it.each<[string, string, Fields, string]>([
	[
		'4.2 audio whose type is an attribute',
		'LandingCall',
		{ to: '13800000000', mediaName: 'a.wav;b.wav', mediaNameType: '1', playTimes: '2' },
		'<LandingCall><to>13800000000</to><mediaName type="1">a.wav;b.wav</mediaName><playTimes>2</playTimes></LandingCall>',
	],
	[
		'4.2 audio whose type comes first',
		'LandingCall',
		{ mediaNameType: '0', mediaName: 'R&B.wav' },
		'<LandingCall><mediaName type="0">R&amp;B.wav</mediaName></LandingCall>',
	],
	[
		'4.2 audio without a type',
		'LandingCall',
		{ mediaName: 'a.wav' },
		'<LandingCall><mediaName>a.wav</mediaName></LandingCall>',
	],
	[
		'a type without audio, left out',
		'LandingCall',
		{ mediaNameType: '1' },
		'<LandingCall></LandingCall>',
	],
	[
		'4.3 a text with variables, an empty one among them',
		'TemplateSMS',
		{ to: '13800000000,13800000001', appId: 'app1', templateId: '1', datas: ['a', '', '<3'] },
		'<TemplateSMS><to>13800000000,13800000001</to><appId>app1</appId><templateId>1</templateId><datas><data>a</data><data></data><data>&lt;3</data></datas></TemplateSMS>',
	],
	[
		'the five signs, the end of a section and what looks escaped',
		'SubAccount',
		{ friendlyName: `"']]><&#13;&amp;` },
		'<SubAccount><friendlyName>&quot;&apos;]]&gt;&lt;&amp;#13;&amp;amp;</friendlyName></SubAccount>',
	],
	[
		'blanks and line ends, a carriage return by its number',
		'SubAccount',
		{ friendlyName: ' a\r\nb\tc ' },
		'<SubAccount><friendlyName> a&#13;\nb\tc </friendlyName></SubAccount>',
	],
])('encode writes in XML: %s', (_what, root, fields, expected) => {
	expect(encode('xml', root, fields)).toBe(DECLARATION + expected);
});

it('a blank replaces each character that XML cannot carry', () => {
	const all = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point));
	const wrong = all.filter((character) => {
		const expected = XML_CHARACTER.test(character) ? character : ' ';
		return blankOutsideXml(character) !== expected && character.isWellFormed();
	});
	expect(wrong).toEqual([]);
});

it('getTextMember gives the trimmed text of an own member, and nothing for other values', () => {
	const object = { Name: '1', name: ' \t2024 01 \u00a0', list: ['1'], inner: { name: '1' } };
	const names = ['name', 'list', 'inner', 'other', 'constructor', '__proto__'];
	expect(names.map((name) => getTextMember(object, name))).toEqual(['2024 01', '', '', '', '', '']);
});
