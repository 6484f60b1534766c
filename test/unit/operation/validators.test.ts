import type { INodeProperties } from 'n8n-workflow';

import { FieldError } from '../../../nodes/Yuntongxun/operation/validationError';
import type { Validator } from '../../../nodes/Yuntongxun/operation/field';
import {
	choice,
	flag,
	matching,
	text,
	textOrJson,
	texts,
	trimmed,
	visibleText,
	webAddress,
	whole,
	wholeNumber,
} from '../../../nodes/Yuntongxun/operation/validators';
import { formOf, propertyOf } from '../support/form';

const NOTHING = [undefined, null, ''];
const REQUIRED = propertyOf({ required: true });

const read = <T>(rule: Validator<T>, value: unknown, property = propertyOf(), inXml = false) =>
	rule(value, property, formOf({}, { inXml }));

const refused = (
	rule: Validator<unknown>,
	value: unknown,
	property?: INodeProperties,
	inXml = false,
) => expect(() => read(rule, value, property, inXml));

describe.each<[string, Validator<unknown>]>([
	['text', text],
	['visibleText', visibleText],
	['trimmed', trimmed],
	['textOrJson', textOrJson],
	['matching', matching(/^.*$/s, 'anything')],
])('%s', (_name, rule) => {
	it.each(NOTHING)('leaves out %j', (nothing) => {
		expect(read(rule, nothing)).toBeUndefined();
	});

	it.each(NOTHING)('refuses %j where something is required', (nothing) => {
		refused(rule, nothing, REQUIRED).toThrow("'The Field' is required, but it holds nothing");
	});

	it.each<[unknown, string]>([
		['x', 'x'],
		['0', '0'],
		[0, '0'],
		[-1.5, '-1.5'],
		[13800000000, '13800000000'],
		[true, 'true'],
		[false, 'false'],
		['订单 😀', '订单 😀'],
	])('writes out %j', (value, written) => {
		expect([read(rule, value), read(rule, value, REQUIRED)]).toEqual([written, written]);
	});

	it('writes out a large whole number', () => {
		expect(read(rule, 12345678901234567890n)).toBe('12345678901234567890');
	});

	it.each([NaN, Symbol('x'), () => 'x'])('refuses %p', (value) => {
		refused(rule, value).toThrow(FieldError);
	});

	it.each(['a\u0000', '\u001b[0m', '\ufffe'])('refuses %j in XML only', (value) => {
		expect(read(rule, value)).toBe(value);
		refused(rule, value, undefined, true).toThrow(
			"'The Field' must not have control characters or halves of characters when Data Format is XML, but it holds text",
		);
	});

	it.each(['\ud83d', 'a\ude00b'])('refuses half of a character, %j, in both formats', (value) => {
		refused(rule, value).toThrow(
			"'The Field' must not have halves of characters, which are left over where an emoji is cut in two, but it holds text",
		);
		refused(rule, value, undefined, true).toThrow(/halves of characters when Data Format is XML/);
	});

	it('takes what XML can carry', () => {
		expect(read(rule, 'a\r\n\t😀<&>]]>', undefined, true)).toBe('a\r\n\t😀<&>]]>');
	});
});

it.each<[string, unknown]>([
	['an object', { a: 1 }],
	['a list', []],
	['a list', ['x']],
	['an object', new Date(0)],
])('text is not %s: %j', (kind, value) => {
	for (const rule of [text, visibleText, trimmed, matching(/^.*$/s, 'anything')]) {
		refused(rule, value).toThrow(`'The Field' must be text, but it holds ${kind}`);
	}
});

describe('blanks around', () => {
	it('stay with text', () => {
		expect(read(text, ' x\r\n')).toBe(' x\r\n');
		expect(read(text, '  ', REQUIRED)).toBe('  ');
	});

	it('go with trimmed', () => {
		expect(read(trimmed, ' \tx y\r\n')).toBe('x y');
		expect(read(trimmed, ' \t')).toBeUndefined();
		refused(trimmed, ' \t', REQUIRED).toThrow('is required');
	});

	it('go with a pattern', () => {
		expect(read(matching(/^[a-z]+$/, 'letters'), ' abc\n')).toBe('abc');
	});
});

describe('textOrJson', () => {
	it.each<[unknown, string]>([
		[{ order: 42, tags: ['a'] }, '{"order":42,"tags":["a"]}'],
		[[1, '2'], '[1,"2"]'],
		[{}, '{}'],
		[[], '[]'],
		[' {"a": 1} ', ' {"a": 1} '],
	])('%j', (value, written) => {
		expect(read(textOrJson, value)).toBe(written);
	});
});

describe.each<[string, Validator<unknown>, (number: number) => unknown]>([
	['whole', whole, String],
	['wholeNumber', wholeNumber, Number],
])('%s', (_name, rule, given) => {
	/** Zero has no sign here. */
	const plain = <T>(value: T) => (Object.is(value, -0) ? (0 as T) : value);
	const bounded = (minValue?: number, maxValue?: number) =>
		propertyOf({ type: 'number', typeOptions: { minValue, maxValue } });

	it.each(NOTHING)('leaves out %j', (nothing) => {
		expect(read(rule, nothing, bounded(1, 3))).toBeUndefined();
	});

	it.each<[number, number, unknown[], unknown[]]>([
		[1, 3, [1, 2, 3, '1', ' 3 ', '+2', '003'], [0, 4, -1, '0', '4', 1.5, '1.5', '2.0']],
		[-500, 500, [-500, 500, '-500', '0', -0], [-501, 501, '-501', '501', '5e2']],
		[-20, 20, [-20, 20], [-21, 21]],
		[0, 6, [0, 6], [-1, 7]],
	])('takes whole numbers from %i to %i', (min, max, good, bad) => {
		for (const value of good) {
			expect(plain(read(rule, value, bounded(min, max)))).toBe(given(plain(Number(value))));
		}
		for (const value of bad) {
			refused(rule, value, bounded(min, max)).toThrow(
				`'The Field' must be a whole number from ${min} to ${max}, but it holds `,
			);
		}
	});

	it.each(['x', '1,000', '１', '0x1', '1 2', true, NaN, Infinity, [1], {}, 1e21])(
		'takes no %p for a number',
		(value) => {
			refused(rule, value).toThrow("'The Field' must be a whole number, but it holds ");
		},
	);

	it('may have a lower bound only', () => {
		expect(read(rule, 1, bounded(1))).toBe(given(1));
		expect(read(rule, Number.MAX_SAFE_INTEGER, bounded(1))).toBe(given(Number.MAX_SAFE_INTEGER));
		refused(rule, 0, bounded(1)).toThrow('must be a whole number of at least 1');
		refused(rule, Number.MAX_SAFE_INTEGER + 1, bounded(1)).toThrow(FieldError);
	});
});

describe('choice', () => {
	const sounds = propertyOf({
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

	it.each<unknown>([...NOTHING, '2', 2, 'ZH', ' 1', 'Sound 1', true, ['1'], { value: '1' }, []])(
		'refuses %j',
		(value) => {
			refused(choice, value, sounds).toThrow(
				`'The Field' must be one of "0", "1", "zh", but it holds `,
			);
		},
	);
});

describe('flag', () => {
	const off = propertyOf({ type: 'boolean', default: false });
	const on = propertyOf({ type: 'boolean', default: true });

	it.each<[unknown, boolean]>([
		[true, true],
		['true', true],
		[false, false],
		['false', false],
	])('takes %j', (value, expected) => {
		expect([read(flag, value, off), read(flag, value, on)]).toEqual([expected, expected]);
	});

	it.each(NOTHING)('refuses %j', (nothing) => {
		refused(flag, nothing, on).toThrow("'The Field' must be true or false, but it holds nothing");
	});

	it.each<unknown>([0, 1, 'yes', 'TRUE', ' true', [], {}, [true]])('refuses %j', (value) => {
		refused(flag, value, off).toThrow("'The Field' must be true or false, but it holds ");
	});
});

describe('matching', () => {
	const code = matching(/^[A-Za-z0-9]{4,8}$/, '4 to 8 letters and digits');

	it.each<[unknown, string]>([
		['abcd', 'abcd'],
		['aB3dE6gH', 'aB3dE6gH'],
		['0000', '0000'],
		[384512, '384512'],
		['', ''],
	])('takes %j', (value, expected) => {
		expect(read(code, value) ?? '').toBe(expected);
	});

	it.each<unknown>(['abc', 'aB3dE6gH9', 'ab cd', 'ab-cd', 'abcé', '１２３４', 'abcd\nefgh', 999])(
		'refuses %j',
		(value) => {
			refused(code, value).toThrow("'The Field' must be 4 to 8 letters and digits, but it holds ");
		},
	);
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
		'example.com',
		'//example.com',
		'/webhook/a',
		'https://',
		'https:example.com',
		'ftp://example.com',
		'xhttps://example.com',
		'https:///example.com',
		'https://example.com/a b',
		'https://example.com/\u007fa',
		'https://example.com:99999',
		'null',
		42,
	])('refuses %j', (address) => {
		refused(webAddress, address).toThrow(
			"'The Field' must be a whole address that begins with http:// or https://, but it holds ",
		);
	});

	it('may be empty unless it is required', () => {
		expect(read(webAddress, ' ')).toBeUndefined();
		refused(webAddress, ' ', REQUIRED).toThrow('is required');
	});
});

describe('texts', () => {
	it.each<[string, unknown, string[] | undefined]>([
		['no rows', [], undefined],
		['nothing', undefined, undefined],
		['an empty text', '', undefined],
		['null', null, undefined],
		['a row whose list is empty', [[]], undefined],
		['one text', 'a', ['a']],
		['one number', 0, ['0']],
		['rows', ['a', 'b'], ['a', 'b']],
		['empty rows, which keep their place', ['', 'a', null, undefined, ''], ['', 'a', '', '', '']],
		['one empty row', [''], ['']],
		['numbers and switches', [1, 2.5, true, false], ['1', '2.5', 'true', 'false']],
		['a list in its row, spread', ['a', ['b', '', 3], 'c'], ['a', 'b', '', '3', 'c']],
		[
			'an object in its row, its values spread',
			[{ b: 'x', a: 2, c: null }, 'y'],
			['x', '2', '', 'y'],
		],
		['an object for all rows', { code: '384512', minutes: 10 }, ['384512', '10']],
		['a row whose object is empty', ['a', {}], ['a']],
		['blanks, kept', [' a '], [' a ']],
		['a comma within a row', ['a,b'], ['a,b']],
	])('%s', (_what, value, expected) => {
		expect(read(texts, value)).toEqual(expected);
	});

	it.each<[string, unknown]>([
		['an object in an object', [{ a: { b: 1 } }]],
		['a list in an object', [{ a: ['b'] }]],
		['an object in a list in its row', [['a', {}]]],
		['a list in a list in its row', [['a', ['b']]]],
		['a row that is no number', [NaN]],
	])('refuses %s', (_what, value) => {
		refused(texts, value).toThrow("'The Field' must be text, but it holds ");
	});

	it('minds what XML can carry', () => {
		expect(read(texts, ['a', '\u0001'])).toEqual(['a', '\u0001']);
		refused(texts, ['a', ['\u0001']], undefined, true).toThrow('Data Format is XML');
	});
});

it.each([' ', '\t\n', '\u00a0\u3000', '\u200b\ufeff'])('visibleText refuses %j', (blank) => {
	refused(visibleText, blank, REQUIRED).toThrow("'The Field' must hold more than blanks, but");
	expect(read(visibleText, ` ${blank}x `)).toBe(` ${blank}x `);
});
