import type { IDisplayOptions } from 'n8n-workflow';

import { FieldError, ValidationError } from '../../../nodes/Yuntongxun/operation/validationError';
import { option, parameter } from '../../../nodes/Yuntongxun/operation/field';
import type { Validator } from '../../../nodes/Yuntongxun/operation/field';
import { formOf, propertyOf } from '../support/form';

/** Shows what a rule was given. */
const asGiven: Validator<unknown> = (value) => value;

const shown = (show: IDisplayOptions['show']) => propertyOf({ displayOptions: { show } });

describe('FieldError', () => {
	it.each<[unknown, string]>([
		[undefined, 'nothing'],
		[null, 'nothing'],
		['', 'nothing'],
		[['made-up'], 'a list'],
		[{ secret: 'made-up' }, 'an object'],
		[false, 'true or false'],
		[42, 'a number'],
		['made-up', 'text'],
	])('names field, rule and kind of %j', (value, kind) => {
		const refusal = new FieldError('The Field', 'must be so', value);
		expect(refusal.message).toBe(`'The Field' must be so, but it holds ${kind}`);
		expect(refusal).toBeInstanceOf(ValidationError);
		expect([refusal.name, new ValidationError('').name]).toEqual(['FieldError', 'ValidationError']);
	});
});

describe('parameter', () => {
	it('hands value, property and form to its rule', () => {
		const rule = jest.fn(asGiven);
		const property = propertyOf();
		const form = formOf({ theField: 'x' });
		expect(parameter(rule, property).read(form)).toBe('x');
		expect(rule).toHaveBeenCalledWith('x', property, form);
	});

	it.each<[string, IDisplayOptions['show'], boolean]>([
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
		['a number', { count: [1] }, true],
		['nothing to choose', { kind: [] }, false],
		['only the version asked for', { '@version': [2] }, true],
	])('is read where the form shows it: %s', (_what, show, isRead) => {
		const form = formOf({ theField: 'left over', kind: 'a', other: 'b', on: true, count: 1 });
		const rule = jest.fn(asGiven);
		expect(parameter(rule, shown(show)).read(form)).toBe(isRead ? 'left over' : undefined);
		expect(rule).toHaveBeenCalledTimes(isRead ? 1 : 0);
	});
});

it('what a field depends on counts as it was read, not as it was given', () => {
	const form = formOf({ theField: 'x', on: 'false' }, { chosen: () => false });
	expect(parameter(asGiven, shown({ on: [false] })).read(form)).toBe('x');
	expect(parameter(asGiven, shown({ on: ['false'] })).read(form)).toBeUndefined();
});

describe('option', () => {
	const optionForm = (options: Record<string, unknown>, isExpression = false) =>
		formOf({ kind: 'a' }, { options: options as never, isExpression: () => isExpression });

	it.each([['x'], [0], [false]])('that was added is read: %j', (value) => {
		expect(option(asGiven, propertyOf()).read(optionForm({ theField: value }))).toBe(value);
	});

	it.each([[''], [null], [undefined]])('that holds nothing is left out: %j', (value) => {
		const rule = jest.fn(asGiven);
		expect(option(rule, propertyOf()).read(optionForm({ theField: value }))).toBeUndefined();
		expect(rule).not.toHaveBeenCalled();
	});

	it('that equals its default is read all the same', () => {
		const property = propertyOf({ default: 7 });
		expect(option(asGiven, property).read(optionForm({ theField: 7 }))).toBe(7);
	});

	it('that was not added is not read', () => {
		const rule = jest.fn(asGiven);
		expect(option(rule, propertyOf({ default: 7 })).read(optionForm({ other: 1 }))).toBeUndefined();
		expect(rule).not.toHaveBeenCalled();
	});

	it('that another choice made disappear is not read', () => {
		const rule = jest.fn(asGiven);
		const form = optionForm({ theField: 'left over' });
		expect(option(rule, shown({ '/kind': ['x'] })).read(form)).toBeUndefined();
		expect(rule).not.toHaveBeenCalled();
		expect(option(rule, shown({ '/kind': ['a'] })).read(form)).toBe('left over');
	});

	it('that takes no expression refuses one, even if its value is right', () => {
		const property = propertyOf({ noDataExpression: true });
		expect(option(asGiven, property).read(optionForm({ theField: 'x' }))).toBe('x');
		expect(() => option(asGiven, property).read(optionForm({ theField: 'x' }, true))).toThrow(
			new FieldError('The Field', 'takes no expression', 'x'),
		);
	});

	it('that takes an expression takes it', () => {
		expect(option(asGiven, propertyOf()).read(optionForm({ theField: 'x' }, true))).toBe('x');
	});
});
