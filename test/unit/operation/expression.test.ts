import { holdsFixedBraces } from '../../../nodes/Yuntongxun/operation/field';
import { splitExpression } from '../../../nodes/Yuntongxun/operation/identifier';

// Where n8n itself divides each of these was read in @n8n/tournament, which both generations use.

it.each<[string, string[]]>([
	['', []],
	['order-42', []],
	['{{ $json.id }}', ['{{ $json.id }}']],
	['a {{ 1 }}{{ 2 }} b', ['{{ 1 }}', '{{ 2 }}']],
	['{{ a\n  .b }}', ['{{ a\n  .b }}']],
	['{{ ({ a: 1 }).a }}-x', ['{{ ({ a: 1 }).a }}']],
	['{{ { a: { b: 1 } }.a }}', ['{{ { a: { b: 1 } }.a }}']],
	["{{ '}}' }}", ["{{ '}}"]],
	["{{ '\\}}' }}", ["{{ '\\}}' }}"]],
	["{{ '{{' }}-{{ 2 }}", ["{{ '{{' }}", '{{ 2 }}']],
	['a }} b {{ 1 }}', ['{{ 1 }}']],
	['{{{ 1 }}}', ['{{{ 1 }}']],
	['a-{{ 1', ['{{ 1']],
	['C:\\\\{{ 1 }}', ['{{ 1 }}']],
])('of %j the parts are %j', (expression, placeholders) => {
	expect(splitExpression(expression)).toEqual({ placeholders, hasEscapedBraces: false });
});

it('a backslash takes the braces their meaning', () => {
	expect(splitExpression('CORP\\{{ $json.user }}-{{ 2 }}')).toEqual({
		placeholders: ['{{ 2 }}'],
		hasEscapedBraces: true,
	});
});

it.each<[boolean, unknown]>([
	[true, { 1: '=a', 2: '{{\n1 }}' }],
	[false, 'Code {1}, {{'],
	[false, '}} {{'],
	[false, '{"a":{"b":1}}'],
	[false, null],
	[false, 42],
])('whether braces stand in fixed text: %s of %j', (is, stored) => {
	expect(holdsFixedBraces(stored)).toBe(is);
});
