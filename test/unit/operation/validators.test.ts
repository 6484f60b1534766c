import { runInNewContext } from 'node:vm';
import { DateTime } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';

import { FieldError } from '../../../nodes/Yuntongxun/operation/validationError';
import type { Validator } from '../../../nodes/Yuntongxun/operation/field';
import {
	choice,
	fileNames,
	integerText,
	matching,
	spokenText,
	text,
	textList,
	textOrJson,
	trimmed,
	webAddress,
	wholeNumber,
} from '../../../nodes/Yuntongxun/operation/validators';
import { buildForm, buildProperty } from '../../support/form';

// What the rules make of any text, with blanks around it and characters that get lost: properties/text.

const NOW = DateTime.fromISO('2026-01-02T11:04:05.000+08:00', { setZone: true });
const NOTHING = [undefined, null, ''];

const read = <T>(rule: Validator<T>, value: unknown, property = buildProperty(), inXml = false) =>
	rule(value, property, buildForm({}, { inXml }));

const refused = (
	rule: Validator<unknown>,
	value: unknown,
	property?: INodeProperties,
	inXml = false,
) => expect(() => read(rule, value, property, inXml));

describe.each<[string, Validator<unknown>]>([
	['text', text],
	['spokenText', spokenText],
	['trimmed', trimmed],
	['fileNames', fileNames],
	['textOrJson', textOrJson],
	['matching', matching(/^.*$/s, 'anything')],
])('%s', (_name, rule) => {
	it.each(NOTHING)('leaves out %j', (nothing) => {
		expect(read(rule, nothing)).toBeUndefined();
	});

	it.each<[unknown, string]>([
		['x', 'x'],
		['0', '0'],
		[0, '0'],
		[-1.5, '-1.5'],
		['undefined7', 'undefined7'],
		['caf\ufffd', 'caf\ufffd'],
		[13800000000, '13800000000'],
		[true, 'true'],
		[false, 'false'],
		[12345678901234567890n, '12345678901234567890'],
		['not undefined', 'not undefined'],
		['a\r\n\t😀<&>]]>', 'a\r\n\t😀<&>]]>'],
	])('writes out %p, in both formats', (value, written) => {
		expect(read(rule, value)).toBe(written);
		expect(read(rule, value, undefined, true)).toBe(written);
	});

	it.each([NaN, Symbol('x'), () => 'x'])('refuses %p', (value) => {
		refused(rule, value).toThrow(FieldError);
	});

	it.each([
		['a\ud83d', 'a', 'a'],
		['a\ude00b', 'ab', 'ab'],
		['a\u0000b', 'a\u0000b', 'a b'],
		['\u001b[0m', '\u001b[0m', ' [0m'],
	])('reads %j as %j, and in XML as %j', (value, inJson, inXml) => {
		const isTrimmed = rule !== text && rule !== spokenText && rule !== textOrJson;
		expect(read(rule, value)).toBe(inJson);
		expect(read(rule, value, undefined, true)).toBe(isTrimmed ? inXml.trim() : inXml);
	});
});

it.each<[string, unknown]>([
	['an object', { a: 1 }],
	['a list', []],
	['a list', ['x']],
	['an object', new Date(0)],
])('text is not %s: %j', (kind, value) => {
	for (const rule of [text, spokenText, trimmed, matching(/^.*$/s, 'anything')]) {
		refused(rule, value).toThrow(`'The Field' is ${kind}. Use a text`);
	}
});

it('blanks around go with a pattern', () => {
	expect(read(matching(/^[a-z]+$/, 'letters'), ' abc\n')).toBe('abc');
});

describe('textOrJson', () => {
	it.each<[unknown, string]>([
		[{ order: 42, tags: ['a'] }, '{"order":42,"tags":["a"]}'],
		[[1, '2'], '[1,"2"]'],
		[{}, '{}'],
		[[], '[]'],
		[' {"a": 1} ', ' {"a": 1} '],
		['a=1&b=<2>', 'a=1&b=<2>'],
		[{ 'a&b': '<3 & >' }, '{"a\\u0026b":"\\u003c3 \\u0026 >"}'],
	])('%j', (value, written) => {
		expect(read(textOrJson, value)).toBe(written);
	});
});

describe.each<[string, Validator<unknown>, (number: number) => unknown]>([
	['integerText', integerText, String],
	['wholeNumber', wholeNumber, Number],
])('%s', (_name, rule, given) => {
	/** Zero has no sign here. */
	const plain = <T>(value: T) => (Object.is(value, -0) ? (0 as T) : value);
	const bounded = (minValue?: number, maxValue?: number) =>
		buildProperty({ type: 'number', typeOptions: { minValue, maxValue } });

	it.each(NOTHING)('leaves out %j', (nothing) => {
		expect(read(rule, nothing, bounded(1, 3))).toBeUndefined();
	});

	it.each<[number, number, unknown[], unknown[]]>([
		[1, 3, [1, 2, 3, '1', ' 3 ', '+2', '003'], [0, 4, -1, '0', '4', 1.5, '1.5', '2.0']],
		[-500, 500, [-500, 500, '-500', '0', -0], [-501, 501, '-501', '501']],
	])('takes whole numbers from %i to %i', (min, max, good, bad) => {
		for (const value of good) {
			expect(plain(read(rule, value, bounded(min, max)))).toBe(given(plain(Number(value))));
		}
		for (const value of bad) {
			refused(rule, value, bounded(min, max)).toThrow(
				`'The Field' is ${String(value)}. Use a whole number from ${min} to ${max}.`,
			);
		}
	});

	it.each<[string, unknown[]]>([
		['is text', ['x', '1,000', '１', '5e2', '0x1', '1 2']],
		['is the word "undefined". The expression found no such field', ['undefined']],
		['is 1.5', [' 1.5 ']],
		['is true', [true]],
		['is NaN', [NaN]],
		['is Infinity', [Infinity]],
		['is a list', [[1]]],
		['is an object', [{}]],
		['is 1e+21', [1e21]],
	])('says of a value that is not a number that it %s: %p', (flaw, values) => {
		for (const value of values) {
			refused(rule, value, bounded(0)).toThrow(`'The Field' ${flaw}`);
			refused(rule, value, bounded(0)).toThrow('Use a whole number of at least 0.');
		}
	});
});

describe('choice', () => {
	const sounds = buildProperty({
		type: 'options',
		default: '0',
		options: ['0', '1', 'zh'].map((value) => ({ name: `Sound ${value}`, value })),
	});

	it.each<[unknown, string]>([
		['1', '1'],
		[1, '1'],
		[0, '0'],
		['zh', 'zh'],
	])('takes %j for %j', (value, expected) => {
		expect(read(choice, value, sounds)).toBe(expected);
	});

	it.each<[string, unknown[]]>([
		['is empty', [undefined, null]],
		['is not one of its choices', ['', '2', 'ZH', ' 1', 'Sound 1']],
		['is 2', [2]],
		['is true', [true]],
		['is a list', [['1']]],
		['is an object', [{ value: '1' }]],
	])('says of what it refuses that it %s', (kind, values) => {
		for (const value of values) {
			refused(choice, value, sounds).toThrow(`'The Field' ${kind}. Use "0", "1", "zh".`);
		}
	});
});

describe('webAddress', () => {
	it.each([
		'http://example.com',
		'https://example.com/a?b=c&d=%20+#e',
		'HTTPS://Example.com:8443/',
		'https://user:word@example.com/',
		'http://192.0.2.1/x',
		'http://[::1]:5678/webhook/a',
		'http://localhost:5678/webhook/a',
		'https://例子.example/路径',
	])('takes %s as it is', (address) => {
		expect([read(webAddress, address), read(webAddress, ` ${address}\n`)]).toEqual([
			address,
			address,
		]);
	});

	it.each([
		['a part of an address', ['example.com', '//example.com', '/webhook/a']],
		['an address without a host', ['https://', 'https:example.com', 'https:///example.com']],
		['another kind of address', ['ftp://example.com', 'xhttps://example.com']],
		['an address with a blank', ['https://example.com/a b', 'https://example.com/\u007fa']],
		['a port that does not exist', ['https://example.com:99999']],
		['no address', ['null', 42]],
	])('refuses %s: %j', (_what, addresses) => {
		for (const address of addresses) {
			refused(webAddress, address).toThrow(
				"'The Field' is not a complete web address. Enter an address that begins with http:// or https://",
			);
		}
	});

	it('may be empty', () => {
		expect(read(webAddress, ' ')).toBeUndefined();
	});
});

describe('textList', () => {
	it.each<[string, unknown, string[] | undefined]>([
		['no rows', [], undefined],
		['nothing', undefined, undefined],
		['one text', 'a', ['a']],
		['rows', ['a', 'b'], ['a', 'b']],
		['empty rows, which keep their place', ['', 'a', null, undefined, ''], ['', 'a', '', '', '']],
		['numbers and switches', [1, 2.5, true, false], ['1', '2.5', 'true', 'false']],
		['a list in its row, spread', ['a', ['b', '', 3], 'c'], ['a', 'b', '', '3', 'c']],
		[
			'an object in its row, its values spread',
			[{ b: 'x', a: 2, c: null }, 'y'],
			['x', '2', '', 'y'],
		],
		['an object for all rows', { code: '384512', minutes: 10 }, ['384512', '10']],
		[
			'a date in its row',
			['a', new Date(Date.UTC(2026, 0, 2, 3, 4, 5)), 'b'],
			['a', '2026-01-02T03:04:05.000Z', 'b'],
		],
		['a date of n8n in its own zone', [NOW], ['2026-01-02T11:04:05.000+08:00']],
		[
			'dates in a list and in an object',
			[[NOW], { at: NOW }],
			['2026-01-02T11:04:05.000+08:00', '2026-01-02T11:04:05.000+08:00'],
		],
		['a date alone', NOW, ['2026-01-02T11:04:05.000+08:00']],
		['an object without a prototype', [Object.assign(Object.create(null), { a: 'x' })], ['x']],
		['a list and an object of another realm', runInNewContext("['a', { b: 'c' }]"), ['a', 'c']],
	])('%s', (_what, value, expected) => {
		expect(read(textList, value)).toEqual(expected);
	});

	it.each<[string, unknown]>([
		['an object in an object', [{ a: { b: 1 } }]],
		['a list in an object', [{ a: ['b'] }]],
		['an object in a list in its row', [['a', {}]]],
		['a list in a list in its row', [['a', ['b']]]],
		['a row that is no number', [NaN]],
		['a function', [() => 'x']],
	])('refuses %s', (_what, value) => {
		refused(textList, value).toThrow(/^'The Field' is .+\. Use a text/);
	});

	it.each<[number, unknown]>([
		[1, [[]]],
		[2, ['a', [], 'b']],
		[2, ['a', {}]],
		[1, { a: [] }],
		...[new Date(NaN), new Map([['a', 'b']]), new Error('x')].map((odd): [number, unknown] => [
			2,
			['a', odd],
		]),
	])('refuses an empty row %i, which would shift the rows after it', (position, value) => {
		refused(textList, value).toThrow(
			`'The Field' has an unfilled row, number ${position}. Fill it in or remove it`,
		);
	});

	it('refuses a row as n8n adds it, with the whole default', () => {
		const property = buildProperty({ default: ['{code}', '{minutes}'] });
		const added = ['{code}', '{minutes}', ['{code}', '{minutes}']];
		refused(textList, added, property).toThrow("'The Field' has an unfilled row, number 3");
		expect(read(textList, added.slice(0, 2), property)).toEqual(['{code}', '{minutes}']);
		expect(read(textList, [['{code}', '5']], property)).toEqual(['{code}', '5']);
	});
});

const INVISIBLE = [' ', '\t\n', '\u00a0\u3000', '\u200b\ufeff', '\u0001\u0002', '\u2800'];
const FILLERS = ['\u115f', '\u1160', '\u3164', '\uffa0', '\u200d\ufe0f', '\ud83d'];

describe.each([false, true])('invisible and silent characters, in XML: %s', (inXml) => {
	it.each([...INVISIBLE, ...FILLERS])(
		'%j is refused, unless something stands beside it',
		(blank) => {
			const words = "'The Field' contains nothing that can be spoken. Enter a text with letters";
			refused(spokenText, blank, undefined, inXml).toThrow(words);
			refused(textList, ['a', blank], undefined, inXml).toThrow(
				"'The Field' has a row with only invisible characters. Enter some visible text",
			);
			expect(read(spokenText, `${blank}x`, undefined, inXml)).toMatch(/x$/);
			expect(read(textList, [`${blank}-`], undefined, inXml)?.[0]).toMatch(/-$/);
		},
	);

	it.each(['-', '。', '!?', '\u0301'])('%j cannot be spoken', (mark) => {
		refused(spokenText, mark, undefined, inXml).toThrow('nothing that can be spoken');
	});

	it.each(['7', '＋', '😀', '好'])('%j can be spoken', (mark) => {
		expect(read(spokenText, mark, undefined, inXml)).toBe(mark);
	});
});

describe('fileNames', () => {
	it.each<[unknown, string | undefined]>([
		['a.wav', 'a.wav'],
		['a.wav;b.wav', 'a.wav;b.wav'],
		[' a.wav ; b c.wav；d.wav；', 'a.wav;b c.wav;d.wav'],
		[';；; a.wav;\n;', 'a.wav'],
		[['a.wav', ' b.wav;c.wav ', '', null, 7], 'a.wav;b.wav;c.wav;7'],
		[' ;； ', undefined],
		[[], undefined],
		[['', ' ;'], undefined],
	])('reads %j as %j', (value, expected) => {
		expect(read(fileNames, value)).toBe(expected);
	});

	it('refuses a value that is not text', () => {
		refused(fileNames, [{ name: 'a.wav' }]).toThrow("'The Field' is an object");
		refused(fileNames, [['a.wav']]).toThrow("'The Field' is a list");
	});
});
