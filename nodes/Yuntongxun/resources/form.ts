import type { IDataObject, INodeProperties } from 'n8n-workflow';

/** One item's filled-in form. */
export interface Form {
	/** What the node's parameter of this name holds for the item, expressions worked out. */
	parameter(name: string): unknown;
	/** What the field of this name was read as, for those that depend on it. @throws FieldRefusal */
	chosen(name: string): unknown;
	/** The options that the user added, by name. */
	options: IDataObject;
	/** Whether the user gave an option of this name as an expression. */
	isExpression(option: string): boolean;
	/** Application of the credential; empty where it names none. */
	defaultAppId: string;
	/** Whether the values go out in XML, which cannot carry every character. */
	inXml: boolean;
	/** Whether an AI agent filled in the form. */
	byAgent: boolean;
	/** How many items the node works on. */
	itemCount: number;
	results: ResultAddresses;
}

/** Addresses of this n8n that the service can report call results to. */
export interface ResultAddresses {
	/** The address that resumes this execution. */
	resumeUrl(): string;
	/** Production addresses of the active triggers in this workflow. */
	triggerUrls(): string[];
	/** Whether the workflow was started in production, rather than by hand. */
	inProduction: boolean;
	/** Adds an expiry, in milliseconds since 1970, and the account's signature. */
	sign(url: string, expiresAt: number): string;
}

/** A form that must not go out; the message says what the user has to change. */
export class FormRefusal extends Error {}

/** A value that must not go out. The message names the field, the rule and the kind of value. */
export class FieldRefusal extends FormRefusal {
	/**
	 * @param rule what the value must be, following "must be" or the like
	 * @param value only its kind is told, since it may be private
	 */
	constructor(label: string, rule: string, value: unknown) {
		super(`'${label}' ${rule}, but it holds ${kindOf(value)}`);
	}
}

/** One field of a form: how n8n shows it, and how its value is read and checked. */
export interface Field<T = string | undefined> {
	property: INodeProperties;
	/** @throws FieldRefusal */
	read(form: Form): T;
}

/** Turns what a form holds into what goes out; may look at the property for its bounds. */
export type Rule<T> = (value: unknown, property: INodeProperties, form: Form) => T;

/** A field that stands in the form itself. */
export function parameter<T>(property: INodeProperties, rule: Rule<T>): Field<T | undefined> {
	return {
		property,
		read: (form) =>
			applies(property, form) ? rule(form.parameter(property.name), property, form) : undefined,
	};
}

/** A field that the user adds under Options; it is read only when it was added. */
export function option<T>(property: INodeProperties, rule: Rule<T>): Field<T | undefined> {
	const { name, displayName } = property;
	return {
		property,
		read: (form) => {
			if (!(name in form.options) || !applies(property, form)) return undefined;
			const value = form.options[name];
			if (property.noDataExpression && form.isExpression(name)) {
				throw new FieldRefusal(displayName, 'takes no expression', value);
			}
			return isEmpty(value) ? undefined : rule(value, property, form);
		},
	};
}

/** Whether the choices made elsewhere let the field appear: a value left behind by others is void. */
function applies(property: INodeProperties, form: Form): boolean {
	return Object.entries(property.displayOptions?.show ?? {}).every(
		([name, values]) =>
			name.startsWith('@') || values?.some((value) => value === form.chosen(name.replace('/', ''))),
	);
}

/** Whether a value is none. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

function kindOf(value: unknown): string {
	if (isEmpty(value)) return 'nothing';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	if (typeof value === 'boolean') return 'true or false';
	return typeof value === 'number' ? 'a number' : 'text';
}
