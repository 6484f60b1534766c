import type { IDataObject, INodeProperties } from 'n8n-workflow';

/** One item's form, filled in. */
export interface Form {
	/** The value of a node parameter for this item, expressions resolved. */
	parameter(name: string): unknown;
	/** The checked value of a field, for fields that depend on it. @throws FieldRefusal */
	chosen(name: string): unknown;
	/** The options that the user added, by name. */
	options: IDataObject;
	/** Whether the user entered this option as an expression. */
	isExpression(option: string): boolean;
	/** App ID of the credential; empty if it has none. */
	defaultAppId: string;
	/** A key for a purpose, derived from the account's token. */
	keyFor(purpose: string): Buffer;
	/** Whether the request is XML, which cannot carry every character. */
	inXml: boolean;
	/** Whether an AI agent filled in the form. */
	byAgent: boolean;
	/** How many items this run of the node has. */
	itemCount: number;
	results: ResultAddresses;
}

/** Addresses of this n8n that the service can report call results to. */
export interface ResultAddresses {
	/** The address at which this run of the node waits for results; not signed. */
	waitAddress(): string;
	/** Production URLs of the active triggers in this workflow. */
	triggerUrls(): string[];
	/** Production URL of the active trigger in this workflow that has the same account. */
	relayUrl(): string | undefined;
	/** Whether the workflow was started in production, rather than by hand. */
	inProduction: boolean;
	/** Adds an expiry, in milliseconds since 1970, and the account's signature. */
	sign(url: string, expiresAt: number): string;
}

/** A form that must not be sent; the message says what the user has to change. */
export class FormRefusal extends Error {
	override readonly name: string = 'FormRefusal';
}

/** A value that must not be sent. The message names the field, the rule and the kind of value. */
export class FieldRefusal extends FormRefusal {
	override readonly name = 'FieldRefusal';

	/**
	 * @param rule what the field asks for, such as "must be a whole number"
	 * @param value may be private, so the message tells its kind only
	 * @param flaw what is wrong with it, in words that do not give it away
	 */
	constructor(label: string, rule: string, value: unknown, flaw = `it holds ${kindOf(value)}`) {
		super(`'${label}' ${rule}, but ${flaw}`);
	}
}

/** One field of a form: how n8n shows it, and how its value is read and checked. */
export interface Field<T = string | undefined> {
	property: INodeProperties;
	/** @throws FieldRefusal */
	read(form: Form): T;
}

/** Checks a value and turns it into what is sent; the property has its bounds. @throws FieldRefusal */
export type Rule<T> = (value: unknown, property: INodeProperties, form: Form) => T;

/** A field of the form itself; undefined while another choice hides it. */
export function parameter<T>(property: INodeProperties, rule: Rule<T>): Field<T | undefined> {
	return {
		property,
		read: (form) =>
			applies(property, form) ? rule(form.parameter(property.name), property, form) : undefined,
	};
}

/** A field under Options; undefined unless the user added it. */
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

/** Whether the form shows the field: a value left over in a hidden one is not sent. */
function applies(property: INodeProperties, form: Form): boolean {
	return Object.entries(property.displayOptions?.show ?? {}).every(
		([name, values]) =>
			name.startsWith('@') || values?.some((value) => value === form.chosen(name.replace('/', ''))),
	);
}

/** Whether nothing was entered. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** The kind of a value, in words. */
export function kindOf(value: unknown): string {
	if (isEmpty(value)) return 'nothing';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	if (typeof value === 'boolean') return 'true or false';
	return typeof value === 'number' ? 'a number' : 'text';
}
