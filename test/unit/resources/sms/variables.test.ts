import type { IDataObject } from 'n8n-workflow';

import { ValidationError } from '../../../../nodes/Yuntongxun/operation/validationError';
import {
	variables as mappedVariables,
	fillTemplateText,
	templateText,
} from '../../../../nodes/Yuntongxun/resources/sms/variables';
import { checkedItem } from '../../../support/trip';
import { buildForm } from '../../../support/form';

it.each<[string, string[], string]>([
	[
		'您的验证码为{1}，请在{2}分钟内输入。',
		['384512', '10'],
		'您的验证码为384512，请在10分钟内输入。',
	],
	['{2}, then {1}', ['one', 'two'], 'two, then one'],
	['{1} and {1} again', ['x'], 'x and x again'],
	['No variables', [], 'No variables'],
	['Other braces {}, {a}, {-1}, {1.5}: {1}', ['x'], 'Other braces {}, {a}, {-1}, {1.5}: x'],
	['An empty row keeps its place: [{1}] [{2}]', ['', 'x'], 'An empty row keeps its place: [] [x]'],
	['{1} {2}', ['{2}', '{1}'], '{2} {1}'],
	['{1}', ["$& $1 $'"], "$& $1 $'"],
	[
		'{1}{2}{3}{4}{5}{6}{7}{8}{9}{10}',
		['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'],
		'abcdefghij',
	],
])('%s with %j', (template, variables, filled) => {
	expect(fillTemplateText(template, variables).preview).toEqual({
		preview: filled,
		characters: filled.length,
	});
});

it.each<[string, string[], string]>([
	['{1} {2}', ['x'], '{2}'],
	['{1} {2}', [], '{1}'],
	['{1}', ['x', 'y', 'z'], '{2}'],
	['{1}', ['x', ''], '{2}'],
	['Nothing', ['x'], '{1}'],
	['{1} {3}', ['x', 'y'], '{3}'],
	['{0} {1}', ['x'], '{0}'],
	['{1} {01}', ['x'], '{01}'],
])('%s with %j is refused for %s', (template, variables, place) => {
	expect(() => fillTemplateText(template, variables)).toThrow(
		new ValidationError(
			`'Variables' do not match Template Text: ${place} is only in one of them`,
			'Enter one variable for each placeholder in the text, in order.',
		),
	);
});

describe('an SMS with Template Text', () => {
	const smsWith = (text: string, datas: string[]) => {
		const variablesMode = 'list';
		const form = {
			to: '13800000000',
			templateId: '1',
			variablesMode,
			datas,
			options: { templateText: text },
		};
		const { item } = checkedItem('sms', 'send', form);
		return item.kind === 'message' ? item.task : undefined;
	};

	it('has a preview that is not sent', () => {
		const task = smsWith('Code {1}', ['7']);
		expect(task?.rehearse().preview).toEqual({ preview: 'Code 7', characters: 6 });
		expect(JSON.stringify(task?.requestFor(['13800000000']).fields)).not.toContain('Code');
	});

	it.each([
		[70, []],
		[71, [expect.stringMatching(/longer than 70 characters is probably billed as several/)]],
	])('an SMS of %i characters has the hints %j', (length, hints) => {
		const { hints: given } = smsWith(`{1}${'字'.repeat(length - 2)}`, ['77']) ?? {};
		expect(given).toEqual(hints);
	});
});

it('an empty template text is off, and a blank one is not', () => {
	const read = (text: string) =>
		templateText.read(buildForm({}, { options: { templateText: text } }));
	expect([read(''), read(' ')]).toEqual([undefined, ' ']);
});

describe('variables field by field', () => {
	const sentVariables = (value: unknown) => {
		const variables = { mappingMode: 'defineBelow', value };
		const form = { to: '13800000000', templateId: '1', variablesMode: 'fields', variables };
		const { item } = checkedItem('sms', 'send', form as IDataObject);
		return item.kind === 'message' ? item.task.requestFor(['13800000000']).fields.datas : undefined;
	};

	it.each<[string, unknown, string[] | undefined]>([
		['numbers and switches', { 1: 'one', 2: 42, 3: true }, ['one', '42', 'true']],
		['a gap', { 3: 'three', 1: '' }, ['', '', 'three']],
		['what is not filled in', { 1: 'one', 2: null, 3: undefined }, ['one']],
		['a date', { 1: new Date(0) }, ['1970-01-01T00:00:00.000Z']],
		['the last place', { 100: 'z' }, [...Array.from({ length: 99 }, () => ''), 'z']],
		['no fields', {}, undefined],
		['no values', null, undefined],
	])('takes %s', (_what, value, sent) => {
		expect(sentVariables(value)).toEqual(sent);
	});

	it.each([
		['a list', { 2: ['a'] }, 'has several for {2}'],
		['an object', { 1: { a: 1 } }, 'has several for {1}'],
		['a field 0', { 0: 'a' }, 'has a field that is not a number from 1 to 100'],
		['a field 101', { 101: 'a' }, 'has a field that is not a number from 1 to 100'],
		['a field 1a', { '1a': 'a' }, 'has a field that is not a number from 1 to 100'],
		['a field -1', { '-1': 'a' }, 'has a field that is not a number from 1 to 100'],
		['a field with a name', { name: 'a' }, 'has a field that is not a number from 1 to 100'],
	])('refuses %s', (_what, value, words) => {
		expect(() => sentVariables(value)).toThrow(words);
	});

	it.each<[string, unknown, unknown]>([
		['as n8n 1 stores it', '={{ $json.all }}', { value: { 1: 'a' } }],
		['as n8n 2.41 leaves it', '{{ $json.all }}', '{{ $json.all }}'],
		['for the values', { value: '={{ $json.all }}' }, { value: { 1: 'a' } }],
		['that gives no values', { value: '={{ $json.none }}' }, {}],
		['that gives a list', undefined, { value: [null, 'b'] }],
		['that gives text', undefined, { value: 'b' }],
	])('refuses an expression in the place of all, %s', (_what, stored, value) => {
		const form = buildForm(
			{ variablesMode: 'fields', variables: value as IDataObject },
			{ storedParameter: () => stored },
		);
		expect(() => mappedVariables.read(form)).toThrow(
			"'Values' cannot be a single expression. Set Variables to As List",
		);
	});
});
