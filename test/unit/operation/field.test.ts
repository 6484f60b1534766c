import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	buildEmptyError,
	buildValueError,
	describeValue,
	FieldError,
} from '../../../nodes/Yuntongxun/operation/validationError';
import { guard, option, parameter } from '../../../nodes/Yuntongxun/operation/field';
import type { Validator } from '../../../nodes/Yuntongxun/operation/field';
import { trimmed } from '../../../nodes/Yuntongxun/operation/validators';
import { buildForm, buildProperty } from '../../support/form';

/** Shows what a rule was given. */
const asGiven: Validator<unknown> = (value) => value;

/** What the user entered is an expression. */
const EXPRESSION = { storedOption: () => '={{ 1 }}' };

type Conditions = Record<string, Array<string | boolean>>;

const shown = (show: Conditions) => ({ ...buildProperty(), displayOptions: { show } });

/** A field with nothing to hide it. */
const plain = (changes: Partial<INodeProperties> = {}) => ({
	...buildProperty(changes),
	displayOptions: undefined,
});

describe('the error for a value', () => {
	it.each<[string, unknown[]]>([
		['is empty', [undefined, null, '']],
		['is a list', [['made-up']]],
		['is an object', [{ secret: 'made-up' }]],
		['is false', [false]],
		['is 42', [42]],
		['is 30000', [' 30000 ']],
		['is -1.5', ['-1.5']],
		['is text', ['made-up', '13800000000', '1.5.2']],
		['is the word "undefined"', ['undefined']],
	])('says of a value that it %s: its kind, or the number', (flaw, values) => {
		for (const value of values) {
			expect(describeValue(value)).toBe(flaw);
			expect(buildValueError('The Field', value, 'Use a word.').summary).toBe(
				`'The Field' ${flaw}`,
			);
		}
	});

	it('always says where the word undefined comes from', () => {
		expect(buildValueError('The Field', 'undefined', 'Use a word.', 'is none').message).toBe(
			`'The Field' is the word "undefined". The expression found no such field: check its name, and whether every item has it. Use a word.`,
		);
		expect(buildValueError('The Field', 'x', 'Use a word.', 'is none').message).toBe(
			"'The Field' is none. Use a word.",
		);
	});

	it('says where an empty value may come from', () => {
		expect(buildEmptyError('The Field').message).toBe(
			"'The Field' is empty. Fill it in. If it is an expression, it returned nothing for this item.",
		);
	});
});

describe('parameter', () => {
	it.each<[string, Conditions, boolean]>([
		['no choice asked for', {}, true],
		['the choice made', { kind: ['a'] }, true],
		['one of the choices made', { kind: ['x', 'a'] }, true],
		['another choice made', { kind: ['x'] }, false],
		['one choice made and one not', { kind: ['a'], other: ['x'] }, false],
		['both choices made', { kind: ['a'], other: ['b'] }, true],
		['the choice made at the top', { '/kind': ['a'] }, true],
		['another choice made at the top', { '/kind': ['x'] }, false],
		['a switch in its place', { on: [true] }, true],
		['a switch in the other', { on: [false] }, false],
		['nothing to choose', { kind: [] }, false],
	])('is read if the form shows it: %s', (_what, show, isRead) => {
		const form = buildForm({ theField: 'left over', kind: 'a', other: 'b', on: true });
		const rule = jest.fn(asGiven);
		expect(parameter(rule, shown(show)).read(form)).toBe(isRead ? 'left over' : undefined);
		expect(rule).toHaveBeenCalledTimes(isRead ? 1 : 0);
	});

	it('is refused if it is required, shown, and its rule leaves nothing', () => {
		const read = (required: boolean, theField: string, show: Conditions = {}) =>
			parameter(trimmed, { ...shown(show), required }).read(buildForm({ theField, kind: 'a' }));
		for (const nothing of [' ', '\ud800']) {
			expect(() => read(true, nothing)).toThrow("'The Field' is empty. Fill it in.");
		}
		expect([read(false, ' '), read(true, '0'), read(true, '', { kind: ['x'] })]).toEqual([
			undefined,
			'0',
			undefined,
		]);
	});
});

it('a condition sees the value that was read, not the one that was entered', () => {
	const form = buildForm({ theField: 'x', on: 'false' }, { chosen: () => false });
	expect(parameter(asGiven, shown({ on: [false] })).read(form)).toBe('x');
	expect(parameter(asGiven, shown({ on: ['false'] })).read(form)).toBeUndefined();
});

describe('option', () => {
	const optionForm = (options: Record<string, unknown>) =>
		buildForm({ kind: 'a' }, { options: options as never });

	it.each([['x'], [0], [false], [7]])('an option that was added is read: %j', (value) => {
		const property = plain({ default: 7 });
		expect(option(asGiven, property).read(optionForm({ theField: value }))).toBe(value);
	});

	it.each([{ theField: '' }, { theField: null }, { theField: undefined }, { other: 1 }])(
		'an option that holds nothing, or was not added, is left out: %j',
		(options) => {
			const rule = jest.fn(asGiven);
			const property = plain({ default: 7 });
			expect(option(rule, property).read(optionForm(options))).toBeUndefined();
			expect(rule).not.toHaveBeenCalled();
		},
	);

	it('an option that another choice hides is not read', () => {
		const rule = jest.fn(asGiven);
		const form = optionForm({ theField: 'left over' });
		expect(option(rule, shown({ '/kind': ['x'] })).read(form)).toBeUndefined();
		expect(rule).not.toHaveBeenCalled();
		expect(option(rule, shown({ '/kind': ['a'] })).read(form)).toBe('left over');
	});

	it('an option that takes no expression refuses one even if its value is right', () => {
		const expression = buildForm({}, { ...EXPRESSION, options: { theField: 'x' } });
		const fixed = option(asGiven, plain({ noDataExpression: true }));
		expect(fixed.read(optionForm({ theField: 'x' }))).toBe('x');
		expect(() => fixed.read(expression)).toThrow(
			new FieldError('The Field', 'does not accept an expression', 'Enter a fixed value.'),
		);
		expect(option(asGiven, plain()).read(expression)).toBe('x');
	});
});

describe('guard', () => {
	const read = (options: IDataObject) => guard(trimmed, plain()).read(buildForm({}, { options }));

	it('is off until the user adds it', () => {
		expect(read({})).toBeUndefined();
		expect(read({ other: '' })).toBeUndefined();
	});

	it.each([['x'], [7], [false]])('is read once added: %j', (value) => {
		expect(read({ theField: value })).toBe(String(value));
	});

	it.each([[''], [null], [undefined], ['  '], ['\n'], ['\u3000']])(
		'never turns itself off by holding %j',
		(value) => {
			expect(() => read({ theField: value })).toThrow(
				"'The Field' is empty. Fill it in or remove the option. An expression must return a value for every item.",
			);
		},
	);

	it('a guard that takes no expression refuses one', () => {
		const fixed = guard(asGiven, plain({ noDataExpression: true }));
		const form = buildForm({}, { ...EXPRESSION, options: { theField: 'x' } });
		expect(() => fixed.read(form)).toThrow("'The Field' does not accept an expression");
	});
});

describe('fixed text in which an expression was meant', () => {
	const FIXED = 'Order {{ $json.id }}';
	const words =
		"'The Field' contains {{ that n8n does not evaluate. Switch the field to Expression, and remove any backslash in front of {{.";
	const readParameter = (stored: unknown, type: INodeProperties['type'] = 'string') =>
		parameter(asGiven, plain({ type })).read(
			buildForm({ theField: 'x' }, { storedParameter: () => stored }),
		);
	const readOption = (stored: unknown) =>
		option(asGiven, plain()).read(
			buildForm({}, { options: { theField: 'x' }, storedOption: () => stored }),
		);

	it('is refused, wherever it stands in a field', () => {
		for (const stored of [FIXED, ['a', FIXED], { 1: '=a', 2: '{{\n1 }}' }]) {
			expect(() => readParameter(stored)).toThrow(words);
			expect(() => readOption(stored)).toThrow(words);
		}
		expect(() => readParameter({ mode: 'id', value: FIXED }, 'resourceLocator')).toThrow(words);
	});

	it('is allowed inside an expression and in the text of a picked template', () => {
		const plain = ['a {1}, {{', '}} {{', '{"a":{"b":1}}', null, undefined, 42];
		for (const stored of [`=${FIXED}`, ['={{ 1 }}'], ...plain]) {
			expect(readParameter(stored)).toBe('x');
			expect(readOption(stored)).toBe('x');
		}
		const picked = { mode: 'list', value: '1', cachedResultName: FIXED };
		expect(readParameter(picked, 'resourceLocator')).toBe('x');
		expect(readParameter(undefined, 'resourceLocator')).toBe('x');
	});
});
