import type { INodeProperties } from 'n8n-workflow';

import type { ItemForm } from './itemForm';
import { FieldError, isEmpty } from './validationError';

/** One field of a form: how n8n shows it, and how its value is read and checked. */
export interface Field<T = string | undefined> {
	property: INodeProperties;
	/** @throws FieldError */
	read(item: ItemForm): T;
}

/** Checks a value and turns it into what is sent; the property has its bounds. @throws FieldError */
export type Validator<T> = (value: unknown, property: INodeProperties, item: ItemForm) => T;

/** A field of the form itself; undefined while another choice hides it. */
export function parameter<T>(
	validate: Validator<T>,
	property: INodeProperties,
): Field<T | undefined> {
	return {
		property,
		read: (item) =>
			applies(property, item) ? validate(item.parameter(property.name), property, item) : undefined,
	};
}

/** A text that the form shows, with nothing to fill in; it may hold links. */
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
	const { name, displayName } = property;
	return {
		property,
		read: (item) => {
			if (!(name in item.options) || !applies(property, item)) return undefined;
			const value = item.options[name];
			if (property.noDataExpression && item.isExpression(name)) {
				throw new FieldError(displayName, 'takes no expression', value);
			}
			return isEmpty(value) ? undefined : validate(value, property, item);
		},
	};
}

/** A field that holds its default while it is empty or hidden. */
export function withDefault<T>({ property, read }: Field<T | undefined>): Field<T> {
	return { property, read: (item) => read(item) ?? (property.default as T) };
}

/** The same field in a form that shows it for some choices; undefined for the others. */
export function shownFor<T>(
	show: NonNullable<INodeProperties['displayOptions']>['show'],
	field: Field<T>,
): Field<T | undefined> {
	const property = { ...field.property, displayOptions: { show } };
	return { property, read: (item) => (applies(property, item) ? field.read(item) : undefined) };
}

/** Whether the form shows the field: a value left over in a hidden one is not sent. */
function applies(property: INodeProperties, item: ItemForm): boolean {
	return Object.entries(property.displayOptions?.show ?? {}).every(
		([name, values]) =>
			name.startsWith('@') || values?.some((value) => value === item.chosen(name.replace('/', ''))),
	);
}
