import { DOMParser } from '@xmldom/xmldom';
import type { Element } from '@xmldom/xmldom';
import fc from 'fast-check';

import { fitsXml } from '../../../nodes/Yuntongxun/client/characters';
import { decode, encode, MEDIA_TYPES } from '../../../nodes/Yuntongxun/client/codec';
import type { Fields } from '../../../nodes/Yuntongxun/client/codec';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

/** What XML 1.0 calls a character (section 2.2), by code point. */
const isXmlCharacter = (point: number) =>
	point === 0x9 ||
	point === 0xa ||
	point === 0xd ||
	(point >= 0x20 && point <= 0xd7ff) ||
	(point >= 0xe000 && point <= 0xfffd) ||
	(point >= 0x10000 && point <= 0x10ffff);

const xmlCanCarry = (text: string) =>
	[...text].every((character) => isXmlCharacter(character.codePointAt(0) ?? 0));

/** Any 16-bit units, so lone halves of characters too, and often what is special in XML. */
const anyText = fc.string({
	unit: fc.oneof(
		fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
		fc.constantFrom(...'&<>"\'\r\n\t ;#', ']]>', '&amp;', '&#13;', '😀', '\ud83d', '\ude00'),
	),
});

const xmlText = fc.string({
	unit: fc.oneof(
		fc.constantFrom(...'&<>"\'\r\n\t ;#', '\r\n', ']]>', '<![CDATA[', '<!--', '&amp;', '&#13;'),
		fc
			.integer({ min: 0, max: 0x10ffff })
			.filter(isXmlCharacter)
			.map((point) => String.fromCodePoint(point)),
	),
});

/** Another reader of XML 1.0, which takes anything not well-formed for an exception. */
function rootOf(xml: string): Element {
	const parser = new DOMParser({
		normalizeLineEndings: (source) => source.replace(/\r\n?/g, '\n'),
		onError: (level, message) => {
			throw new Error(`${level}: ${message}`);
		},
	});
	const { documentElement } = parser.parseFromString(xml, 'application/xml');
	if (documentElement === null) throw new Error('no root element');
	return documentElement;
}

const childrenOf = (element: Element) => Array.from(element.childNodes) as Element[];
const textsIn = (element: Element) =>
	childrenOf(element).map((child) => [child.nodeName, child.textContent ?? '']);

describe('encode as XML', () => {
	it.each<[string, string, Fields, string]>([
		[
			'4.1 a verification call',
			'VoiceVerify',
			{ appId: 'app1', verifyCode: 'a1B2', to: '13800000000', playTimes: '3' },
			'<VoiceVerify><appId>app1</appId><verifyCode>a1B2</verifyCode><to>13800000000</to><playTimes>3</playTimes></VoiceVerify>',
		],
		[
			'4.2 a notification call with text',
			'LandingCall',
			{ appId: 'app1', to: '01000000000-801', mediaTxt: '您的订单 42', playMode: '1' },
			'<LandingCall><appId>app1</appId><to>01000000000-801</to><mediaTxt>您的订单 42</mediaTxt><playMode>1</playMode></LandingCall>',
		],
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
			'4.3 a text with variables, an empty one among them',
			'TemplateSMS',
			{ to: '13800000000,13800000001', appId: 'app1', templateId: '1', datas: ['a', '', '<3'] },
			'<TemplateSMS><to>13800000000,13800000001</to><appId>app1</appId><templateId>1</templateId><datas><data>a</data><data></data><data>&lt;3</data></datas></TemplateSMS>',
		],
		[
			'4.3 a text with one variable',
			'TemplateSMS',
			{ datas: ['384512'] },
			'<TemplateSMS><datas><data>384512</data></datas></TemplateSMS>',
		],
		[
			'4.5 to 4.8 a sub-account',
			'SubAccount',
			{ appId: 'app1', friendlyName: 'shop-42@example.com' },
			'<SubAccount><appId>app1</appId><friendlyName>shop-42@example.com</friendlyName></SubAccount>',
		],
		[
			'the five signs',
			'SubAccount',
			{ friendlyName: `&<>"'` },
			'<SubAccount><friendlyName>&amp;&lt;&gt;&quot;&apos;</friendlyName></SubAccount>',
		],
		[
			'blanks and line ends, a carriage return by its number',
			'SubAccount',
			{ friendlyName: ' a\r\nb\tc ' },
			'<SubAccount><friendlyName> a&#13;\nb\tc </friendlyName></SubAccount>',
		],
		[
			'the end of a section and what looks escaped',
			'SubAccount',
			{ friendlyName: ']]>&#13;&amp;' },
			'<SubAccount><friendlyName>]]&gt;&amp;#13;&amp;amp;</friendlyName></SubAccount>',
		],
	])('%s', (_what, root, fields, expected) => {
		expect(encode('xml', root, fields)).toBe(DECLARATION + expected);
	});

	it('another XML reader reads every text unchanged that XML can carry', () => {
		fc.assert(
			fc.property(xmlText, fc.array(xmlText, { minLength: 1 }), (text, datas) => {
				const root = rootOf(
					encode('xml', 'Root', { text, datas, mediaName: text, mediaNameType: '1' }),
				);
				const [own, list, name] = childrenOf(root);
				expect(own.textContent ?? '').toBe(text);
				expect(textsIn(list)).toEqual(datas.map((data) => ['data', data]));
				expect([name.getAttribute('type'), name.textContent ?? '']).toEqual(['1', text]);
			}),
			{ numRuns: 300 },
		);
	});

	it('our own reader does too', () => {
		fc.assert(
			fc.property(xmlText, (text) => {
				expect(decode(encode('xml', 'Root', { text }), 'Root')).toEqual({ text });
			}),
			{ numRuns: 300 },
		);
	});
});

describe('encode as JSON', () => {
	it('writes a flat object of texts, variables as a list', () => {
		expect(
			encode('json', 'LandingCall', {
				to: '13800000000',
				mediaName: 'a.wav',
				mediaNameType: '1',
				datas: ['1', ''],
			}),
		).toBe('{"to":"13800000000","mediaName":"a.wav","mediaNameType":"1","datas":["1",""]}');
	});

	it('JSON.parse and our own reader read every text unchanged', () => {
		fc.assert(
			fc.property(anyText, fc.array(anyText), (text, datas) => {
				const written = encode('json', 'Root', { text, datas });
				expect(JSON.parse(written)).toEqual({ text, datas });
				expect(decode(written, 'Root')).toEqual({ text, datas });
			}),
			{ numRuns: 300 },
		);
	});
});

it('names the formats with their encoding', () => {
	expect(MEDIA_TYPES).toEqual({
		json: { accept: 'application/json', contentType: 'application/json;charset=utf-8' },
		xml: { accept: 'application/xml', contentType: 'application/xml;charset=utf-8' },
	});
});

describe('fitsXml', () => {
	it.each([
		['', true],
		['tab\t, line feed\n, carriage return\r', true],
		['\u007f\u0080\u0085\u009f\u2028', true],
		['\ud7ff\ue000\ufffd', true],
		['😀', true],
		['\u{1fffe}\u{10ffff}', true],
		['a\u0000', false],
		['\u0008', false],
		['\u000b', false],
		['\u000c', false],
		['\u000e', false],
		['\u001f', false],
		['\ufffe', false],
		['\uffff', false],
		['\ud83d', false],
		['\ude00', false],
		['\ude00\ud83d', false],
		['a\ud83db', false],
		['😀\ude00', false],
		['\ud83d😀', false],
		['\ud800\udc00\udc00', false],
	])('%j: %s', (text, expected) => {
		expect(fitsXml(text)).toBe(expected);
	});

	it('knows every single character', () => {
		const wrong = Array.from({ length: 0x110000 }, (_, point) => point).filter(
			(point) => fitsXml(String.fromCodePoint(point)) !== isXmlCharacter(point),
		);
		expect(wrong).toEqual([]);
	});

	it('judges any text by its code points', () => {
		fc.assert(
			fc.property(anyText, (text) => {
				expect(fitsXml(text)).toBe(xmlCanCarry(text));
			}),
			{ numRuns: 300 },
		);
	});
});
