import { decode } from '../../../nodes/Yuntongxun/client/codec';
import type { WireObject } from '../../../nodes/Yuntongxun/client/codec';

/** The XML root may be `r` or `R`. */
const read = (text: string) => decode(text, 'R');

const nested = (depth: number) => `<r>${'<x>'.repeat(depth - 1)}v${'</x>'.repeat(depth - 1)}</r>`;

describe('decode', () => {
	it.each<[string, string, WireObject]>([
		['an empty object', '{}', {}],
		['a byte order mark within a text, kept', '{"a":"1\ufeff2"}', { a: '1\ufeff2' }],
		['blanks in a text, kept', '{"a":"  1 "}', { a: '  1 ' }],
		[
			'numbers as JavaScript writes them',
			'{"a":1.50,"b":-7,"c":1e5,"d":0}',
			{ a: '1.5', b: '-7', c: '100000', d: '0' },
		],
		['true and false', '{"a":true,"b":false}', { a: 'true', b: 'false' }],
		['null, as if it were not there', '{"a":null,"b":{"c":null}}', { b: {} }],
		['null in a list, as empty', '{"a":[null,"1"]}', { a: ['', '1'] }],
		['objects and lists within', '{"a":{"b":[{"c":1},2,[]]}}', { a: { b: [{ c: '1' }, '2', []] } }],
	])('reads JSON: %s', (_what, text, expected) => {
		expect(read(text)).toEqual(expected);
	});

	it.each<[string, string, WireObject]>([
		['a root of either case', '<R><a>1</a></R>', { a: '1' }],
		[
			'layout and text between elements, left out',
			'<r>\n\t<a>1</a>\n\tx<b>\n\t\t<c>2</c>\n\t</b>\n</r>',
			{ a: '1', b: { c: '2' } },
		],
		['a text of blanks, kept', '<r><a>  </a></r>', { a: '  ' }],
		['several of one name', '<r><a>1</a><b>x</b><a>2</a></r>', { a: ['1', '2'], b: 'x' }],
		['attributes, left out', '<r x="1"><a type="1">2</a></r>', { a: '2' }],
		['a section of plain text', '<r><a><![CDATA[ <b>&amp; ]]></a></r>', { a: ' <b>&amp; ' }],
		['comments and instructions', '<!-- a --><r><?pi?><a>1<!-- b -->2</a></r>', { a: '12' }],
		['the five entities', '<r><a>&lt;&gt;&amp;&quot;&apos;</a></r>', { a: `<>&"'` }],
		['what is escaped twice, once', '<r><a>&amp;lt;</a></r>', { a: '&lt;' }],
		['characters by number', '<r><a>&#65;&#x4f60;&#x1F600;&#13;</a></r>', { a: 'A你😀\r' }],
		['halves in hexadecimal', '<r><a>&#xD83D;&#x00de00;</a></r>', { a: '😀' }],
		['halves in decimal', '<r><a>&#55357;&#056832;</a></r>', { a: '😀' }],
		[
			'the outermost halves',
			'<r><a>&#xd800;&#xdc00;&#xdbff;&#xdfff;</a></r>',
			{ a: '\u{10000}\u{10ffff}' },
		],
		['neighbors of halves', '<r><a>&#55295;&#57344;&#xd7ff;</a></r>', { a: '\ud7ff\ue000\ud7ff' }],
		['a half alone, dropped', '<r><a>1&#55357;2&#56832;3</a></r>', { a: '123' }],
		['line ends as XML wants', '<r><a>1\r\n2\r3</a></r>', { a: '1\n2\n3' }],
		['twenty elements, one in the other', nested(20), chain(19)],
	])('reads XML: %s', (_what, text, expected) => {
		expect(read(text)).toEqual(expected);
	});

	it.each([
		['text', '\ufeff {"statusCode":"1"}', true],
		['XML', ' <r><statusCode>1</statusCode></r>', true],
		['a number', '{"statusCode":1}', false],
		['a truth value', '{"statusCode":true}', false],
		['null', '{"statusCode":null}', false],
		['an object', '{"statusCode":{"a":"1"}}', false],
		['nothing', '{"b":"1"}', false],
	])('accepts a status code only as text: %s', (_what, text, isCode) => {
		const decoding = () => decode(text, 'r', 'statusCode');
		if (isCode) expect(decoding()).toEqual({ statusCode: '1' });
		else expect(decoding).toThrow('The code is no text');
	});

	it('reads JSON: twenty lists, one in the other', () => {
		const [open, close] = ['['.repeat(20), ']'.repeat(20)];
		expect(read(`{"a":${open}${close}}`)).toEqual({
			a: JSON.parse(`${open}${close}`) as unknown,
		});
	});

	it.each([
		['a list', '["a"]', 'The text is not an object'],
		['text in the root', '<r>1</r>', 'The text is not an object'],
		['JSON too deep', `{"a":${'['.repeat(21)}${']'.repeat(21)}}`, 'The text is nested too deep'],
		['two roots of one name', '<r><a>1</a></r><r/>', 'The text does not have one root element'],
		['two roots', '<r><a>1</a></r><s/>', 'The text does not have one root element'],
		['an open element', '<r><a>1</a>', 'The text is not well-formed XML'],
		['another root', '<s><a>1</a></s>', 'The root element is not R'],
	])('says why it refuses %s', (_what, text, why) => {
		expect(() => read(text)).toThrow(new Error(why));
	});

	it.each([
		['JSON null', 'null'],
		['a JSON text', '"a"'],
		['crossed elements', '<r><a><b></a></b></r>'],
		['text before the root', 'x<r><a>1</a></r>'],
		['text after the root', '<r><a>1</a></r>x'],
		['a bare ampersand', '<r><a>R&D</a></r>'],
		['an empty root', '<r/>'],
		['a root that only begins alike', '<rr><a>1</a></rr>'],
		['a root with a prefix', '<n:r xmlns:n="urn:x"><a>1</a></n:r>'],
	])('refuses %s', (_what, text) => {
		expect(() => read(text)).toThrow(Error);
	});
});

describe('hostile text', () => {
	it.each([
		['an entity', '<!DOCTYPE r [<!ENTITY x "y">]><r><a>&x;</a></r>'],
		['an entity it does not use', '<!DOCTYPE r [<!ENTITY x "y">]><r><a>1</a></r>'],
		['a parameter entity', '<!DOCTYPE r [<!ENTITY % x "y"> %x;]><r><a>1</a></r>'],
		['the character 0', '<r><a>&#0;</a></r>'],
		['XML nested 22 deep', nested(22)],
		['XML nested 100,000 deep', nested(100_000)],
		['JSON nested 100,000 deep', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
		['an element named __proto__', '<r><__proto__><polluted>1</polluted></__proto__></r>'],
		['a root named __proto__', '<__proto__><polluted>1</polluted></__proto__>'],
		['an element named constructor', '<r><constructor><a>1</a></constructor></r>'],
	])('%s is refused', (_what, text) => {
		expect(() => read(text)).toThrow(Error);
	});

	it('a document type that names a file loads nothing of it', () => {
		expect(read('<!DOCTYPE r SYSTEM "file:///etc/hostname"><r><a>1</a></r>')).toEqual({ a: '1' });
	});

	it.each([
		'{"__proto__":{"polluted":"1"},"a":{"__proto__":{"polluted":"1"}}}',
		'{"constructor":{"prototype":{"polluted":"1"}}}',
	])('%s becomes members of its own, and changes no prototype', (text) => {
		const result = read(text);
		expect(JSON.stringify(result)).toBe(text);
		expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	});
});

function chain(depth: number): WireObject {
	return { x: depth === 1 ? 'v' : chain(depth - 1) };
}
