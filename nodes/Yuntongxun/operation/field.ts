import type { INodeProperties } from 'n8n-workflow';

import type { ItemForm } from './itemForm';
import { FieldError, isEmpty } from './validationError';

/** A field of a form: how n8n shows it, and how its value is read and checked. */
export interface Field<T = string | undefined> {
	property: INodeProperties;
	/** @throws FieldError */
	read(item: ItemForm): T;
}

/** Checks a value, by the bounds in its property, and converts it to what is sent. @throws FieldError */
export type Validator<T> = (value: unknown, property: INodeProperties, item: ItemForm) => T;

/** A field outside Options; undefined while another choice hides it. */
export function parameter<T>(
	validate: Validator<T>,
	property: INodeProperties,
): Field<T | undefined> {
	checkConditions(property);
	return {
		property,
		read: (item) =>
			applies(property, item) ? validate(item.parameter(property.name), property, item) : undefined,
	};
}

/** A notice in the form, with nothing to fill in; it may contain links. */
export function notice(
	name: string,
	text: string,
	displayOptions?: INodeProperties['displayOptions'],
): Field<undefined> {
	return {
		property: { displayName: text, name, type: 'notice', default: '', displayOptions },
		read: () => undefined,
	};
}

/** A field under Options; undefined unless the user added it. */
export function option<T>(validate: Validator<T>, property: INodeProperties): Field<T | undefined> {
	checkConditions(property);
	return {
		property,
		read: (item) => {
			const value = readOption(property, item);
			return isEmpty(value) ? undefined : validate(value, property, item);
		},
	};
}

/**
 * An option that limits who is reached, and how often. It is always offered. Once added it must not be empty, for whatever
 * reason: an empty one would silently turn itself off.
 */
export function guard<T>(validate: Validator<T>, property: INodeProperties): Field<T | undefined> {
	const { name, displayName, displayOptions } = property;
	if (displayOptions !== undefined) throw new Error(`${name}: a guard cannot be hidden`);
	return {
		property,
		read: (item) => {
			if (!Object.hasOwn(item.options, name)) return undefined;
			const value = readOption(property, item);
			const given = isBlank(value) ? undefined : validate(value, property, item);
			if (given !== undefined) return given;
			throw new FieldError(displayName, 'is empty', FILL_GUARD);
		},
	};
}

const FILL_GUARD =
	'Fill it in, or remove the option to go without it. An expression has to give something for every item.';

const isBlank = (value: unknown): boolean =>
	isEmpty(value) || (typeof value === 'string' && value.trim() === '');

/** The value of an option; undefined unless the user added it and the form shows it. */
function readOption(property: INodeProperties, item: ItemForm): unknown {
	const { name, displayName } = property;
	if (!Object.hasOwn(item.options, name) || !applies(property, item, 'options')) return undefined;
	if (property.noDataExpression === true && item.isExpression(name)) {
		throw new FieldError(displayName, 'takes no expression', 'Enter a fixed value.');
	}
	return item.options[name];
}

/** A field that falls back to its default while it is empty or hidden. */
export function withDefault<T>({ property, read }: Field<T | undefined>): Field<T> {
	return { property, read: (item) => read(item) ?? (property.default as T) };
}

/**
 * The same field, shown only for some choices; undefined for the others.
 *
 * @param show conditions on fields of the form; for an option each begins with a slash
 */
export function shownFor<T>(
	show: NonNullable<INodeProperties['displayOptions']>['show'],
	field: Field<T>,
): Field<T | undefined> {
	const property = { ...field.property, displayOptions: { show } };
	checkConditions(property);
	return { property, read: (item) => (applies(property, item) ? field.read(item) : undefined) };
}

/**
 * Whether the form shows the field. Hidden fields may still contain an old value.
 *
 * @param place where the field is. Conditions of an option: `/x` is a form field, `x` another option.
 */
function applies(
	property: INodeProperties,
	item: ItemForm,
	place: 'form' | 'options' = 'form',
): boolean {
	return Object.entries(property.displayOptions?.show ?? {}).every(([name, conditions = []]) => {
		if (name.startsWith('@')) return true;
		const isBeside = place === 'options' && !name.startsWith('/');
		const value = isBeside ? item.options[name] : item.chosen(name.replace('/', ''));
		return conditions.some((condition) => meets(value, condition));
	});
}

/** Evaluates a condition as n8n does: a certain value, or any value at all. */
function meets(value: unknown, condition: unknown): boolean {
	if (!isExistence(condition)) return value === condition;
	return !isEmpty(value);
}

/** Whether a condition asks for any value at all. */
function isExistence(condition: unknown): condition is { _cnd: { exists: true } } {
	return JSON.stringify(condition) === '{"_cnd":{"exists":true}}';
}

/** Refuses, when a form is defined, conditions that {@link applies} does not judge as n8n does. */
function checkConditions({ name, displayOptions = {} }: INodeProperties): void {
	const conditions: unknown[] = Object.values(displayOptions.show ?? {}).flat();
	const isKnown = conditions.every((each) => !isOperator(each) || isExistence(each));
	if (displayOptions.hide !== undefined || !isKnown) {
		throw new Error(`${name}: only conditions under show, for values or for existence, are read`);
	}
}

const isOperator = (condition: unknown): boolean =>
	typeof condition === 'object' && condition !== null;
