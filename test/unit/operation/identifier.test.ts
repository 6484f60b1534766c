import { identifier } from '../../../nodes/Yuntongxun/operation/identifier';
import { buildForm, buildProperty } from '../../support/form';

/**
 * @param stored as the user entered it
 * @param value what n8n made of it
 */
const read = (stored: unknown, value: unknown) =>
	identifier(value, buildProperty(), buildForm({}, { storedOption: () => stored }));

const A = '{{ $json.a }}';
const B = '{{ $json.b }}';

it('an ID of any length loses the blanks around it', () => {
	const long = 'x'.repeat(100_000);
	expect(read(`=${A}`, ` ${long}\n`)).toBe(long);
	expect(read('order-42', 'order-42')).toBe('order-42');
	expect(read('=order-42', 'order-42')).toBe('order-42');
	expect(read(undefined, 42)).toBe('42');
});

it.each(['', '  ', '\u200b', '\ufeff\u2060 \u00ad', '\u2800', '\u3164'])(
	'an ID counts as empty: %j',
	(given) => {
		expect(read(`=${A}`, given)).toBeUndefined();
	},
);

it.each([
	[`order-${A}`, 'order-7'],
	[`order-${A}`, 'order-7-order-'],
	[`order-${A}-sms`, 'order-7-sms'],
	[`order-${A}-sms`, 'order--sms-sms'],
	[`${A}-${B}`, '1-2'],
	[`${A}-${B}`, '--2'],
	[`${A}${B}`, '12'],
	[` ${A} at ${B} `, '1 at 2'],
	[`a-${A}-a`, 'a-1-a'],
	['{{ $json.a || "}" }}:x', '}:x'],
])('for %s accepts %j: every expression gave something', (stored, given) => {
	expect(read(`=${stored}`, given)).toBe(given);
});

it.each([
	[`order-${A}`, 'order-'],
	[`order-${A}-sms`, 'order--sms'],
	[`order-${A}-sms`, 'order-7'],
	[`${A}-${B}`, '-2'],
	[`${A}-${B}`, '1-'],
	[`${A}-${B}`, '12'],
	[`${A}${B}`, '1'],
	[`${A} ${B}`, ' 2'],
	[`${A} ${B}`, '1 '],
	[`a-${A}-a`, 'a-a'],
])('for %s refuses %j: an expression gave nothing', (stored, given) => {
	expect(() => read(`=${stored}`, given)).toThrow(
		"An expression in 'The Field' returned nothing. Without this part, it would be the same for everybody. Use a field that every item has, or set a fallback: {{ $json.name || 'none' }}.",
	);
});

it.each(['order-{{ $json.id }}', '{{ $json.id }}', 'a {{', '=CORP\\{{ $json.user }}'])(
	'refuses braces that are not evaluated: %j',
	(stored) => {
		expect(() => read(stored, stored)).toThrow(
			"'The Field' contains {{ that n8n does not evaluate. Switch the field to Expression, and remove any backslash in front of {{.",
		);
	},
);

it('accepts braces that an expression gives', () => {
	expect(read(`=${A}`, 'a {{ b }}')).toBe('a {{ b }}');
});

it.each([
	['undefined', 'undefined'],
	['order-undefined', 'undefined'],
	['order_undefined', 'undefined'],
	['undefined-order', 'undefined'],
	['null 7', 'null'],
	['NaN/7', 'NaN'],
	['order-[object Object]', '[object Object]'],
	['to [object Object] at 7', '[object Object]'],
])('refuses %j, the result of a wrong expression', (given, word) => {
	for (const stored of [given, "={{ 'order-' + $json.id }}", undefined]) {
		expect(() => read(stored, given)).toThrow(`'The Field' holds "${word}".`);
	}
});

it.each([
	...['nullable-7', 'NaNcy', 'ordernull', '7NaN', '编号null', 'is-undefinedly-x', 'Undefined'],
	...['an undefined thing', 'x null y', 'NULL', 'Nan', 'a-null-b'],
])('takes %j', (given) => {
	expect(read(`=${A}`, given)).toBe(given);
});

it.each([{ a: 1 }, ['a'], NaN])('refuses a value that is not text: %j', (given) => {
	expect(() => read(`=${A}`, given)).toThrow('Use a text');
});
