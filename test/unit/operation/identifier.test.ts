import { runInNewContext } from 'node:vm';
import { DateTime } from 'luxon';

import { readIdentifier } from '../../../nodes/Yuntongxun/operation/identifier';
import { buildForm, buildProperty } from '../../support/form';

/**
 * @param stored as the user entered it
 * @param value what n8n made of it as a whole
 * @param parts what each `{{ … }}` by itself comes to
 */
function read(stored: unknown, value: unknown, parts: Record<string, unknown> = {}) {
	const asked: string[] = [];
	const evaluate = (expression: string) => {
		asked.push(expression);
		return parts[expression];
	};
	const id = readIdentifier(value, stored, buildProperty(), buildForm({}, { evaluate }));
	return { id, asked };
}

const A = '{{ $json.a }}';
const B = '{{ $json.b }}';

it('an ID goes without the blanks around it, whatever its length', () => {
	const long = 'x'.repeat(100_000);
	expect(read(`=${A}`, ` ${long}\n`)).toEqual({ id: long, asked: [] });
	expect(read('order-42', 'order-42').id).toBe('order-42');
	expect(read(undefined, 42).id).toBe('42');
});

it.each(['', '  ', '\u200b', '\ufeff\u2060 \u00ad'])(
	'one of invisible marks is none: %j',
	(given) => {
		expect(read(`=${A}`, given).id).toBeUndefined();
	},
);

it.each([
	0,
	false,
	'x',
	42,
	' a ',
	10n,
	new Date(0),
	DateTime.fromMillis(0),
	runInNewContext('new Date(0)'),
])('takes what an expression inside gives: %p', (given) => {
	expect(read(`=order-${A}`, 'order-x', { [A]: given })).toEqual({ id: 'order-x', asked: [A] });
});

it.each<[string, unknown[]]>([
	['nothing', [undefined, null, '', ' ', '\u200b', ' undefined ', 'null', NaN, -Infinity, 'NaN']],
	['nothing', ['[object Object]']],
	['an object or a list', [[], ['a'], {}, { a: 1 }, new Date(NaN), new Map()]],
])('refuses an expression inside that gives %s', (what, values) => {
	for (const given of values) {
		expect(() => read(`=order-${A}-${B}`, 'order-1-', { [A]: 1, [B]: given })).toThrow(
			`'The Field' has an expression that gives ${what}: ${B}. Without this part, it would be the same for everybody. Use a field that every item has, or set a fallback: {{ $json.name || 'none' }}.`,
		);
	}
});

it.each([
	[`a ${A}${B} }}`, [A, B]],
	["{{ ({ a: 1 }).a }}-{{ '\\}}' }}", ['{{ ({ a: 1 }).a }}', "{{ '\\}}' }}"]],
	['a-{{ 1', ['{{ 1']],
])('judges each part of %s as n8n divides it', (stored, parts) => {
	const values = Object.fromEntries(parts.map((part) => [part, 1]));
	expect(read(`=${stored}`, 'x', values).asked).toEqual(parts);
});

it('shows the beginning of a long expression, in one line', () => {
	const long = `{{ $json\n\t.${'x'.repeat(100)} }}`;
	expect(() => read(`=a${long}`, 'a')).toThrow(`nothing: {{ $json .${'x'.repeat(50)}…. With`);
});

it.each(['order-{{ $json.id }}', '{{ $json.id }}', 'a {{', '=CORP\\{{ $json.user }}'])(
	'refuses braces that are not evaluated: %j',
	(stored) => {
		expect(() => read(stored, stored)).toThrow(
			"'The Field' contains {{ that n8n does not evaluate. Switch the field to Expression, and remove any backslash in front of {{.",
		);
	},
);

it('takes braces that an expression gives', () => {
	expect(read(`=${A}`, 'a {{ b }}').id).toBe('a {{ b }}');
});

it.each([
	['order-undefined', 'undefined'],
	['undefined-order', 'undefined'],
	['ordernull', 'null'],
	['null 7', 'null'],
	['orderNaN', 'NaN'],
	['NaN/7', 'NaN'],
	['order-[object Object]', '[object Object]'],
	['[object Object],[object Object]', '[object Object]'],
])('refuses %j, which a wrong expression made', (given, word) => {
	for (const stored of [given, "={{ 'order-' + $json.id }}", undefined]) {
		expect(() => read(stored, given)).toThrow(`'The Field' holds "${word}".`);
	}
});

it.each([
	['order-undefined-sms', 'undefined'],
	['2026-01-02:undefined:sms', 'undefined'],
	['order=NaN&day=7', 'NaN'],
	['a_null_b', 'null'],
	['to [object Object] at 7', '[object Object]'],
])('refuses %j, in which one expression joined a part that was missing', (given, word) => {
	const stored = '={{ `order-${$json.id}-sms` }}';
	expect(() => read(stored, given)).toThrow(`'The Field' holds "${word}".`);
});

it.each([
	'an undefined thing',
	'is-undefinedly-x',
	'a-nullable-b',
	'x/annul/y',
	'1-NaNa-2',
	'Undefined',
	'NULL',
	'x null y',
	'Nan',
])('takes %j', (given) => {
	expect(read(`=${A}`, given).id).toBe(given);
});

it.each([{ a: 1 }, ['a'], NaN])('refuses a whole value that is no text: %j', (given) => {
	expect(() => read(`=${A}`, given)).toThrow('Use a text');
});
