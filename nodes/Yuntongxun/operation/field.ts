import type { INodeProperties, IDataObject } from 'n8n-workflow';

import type { AccountDefaults } from '../client/credential';
import { translate, translateDescription } from '../language/translate';
import { buildEmptyError, buildUnevaluatedError, FieldError, isEmpty } from './validationError';

/** The `show` conditions that this package evaluates. In an option, `/name` means a field outside Options. */
type Conditions = Record<string, Array<string | boolean>>;

type FieldProperty = INodeProperties & { displayOptions?: { show: Conditions; hide?: undefined } };

/** A field of a form: how n8n shows it, and how its value is read and checked. */
export interface Field<T = string | undefined> {
	property: INodeProperties;
	/** @throws FieldError */
	read(item: ItemForm): T;
}

/** Checks a value, by the bounds in its property, and converts it to what is sent. @throws FieldError */
export type Validator<T> = (value: unknown, property: INodeProperties, item: ItemForm) => T;

/** A field outside Options that is always shown, and has a value. */
export function parameter<T>(
	validate: Validator<T>,
	property: INodeProperties & { required: true; displayOptions?: undefined },
): Field<NonNullable<T>>;
/** A field outside Options that is always shown. */
export function parameter<T>(
	validate: Validator<T>,
	property: INodeProperties & { displayOptions?: undefined },
): Field<T>;
/** A field outside Options; undefined while another choice hides it. */
export function parameter<T>(validate: Validator<T>, property: FieldProperty): Field<T | undefined>;
export function parameter<T>(
	validate: Validator<T>,
	original: FieldProperty,
): Field<T | undefined> {
	const property = translateDescription(original);
	const isShown = buildVisibilityTest(property);
	return {
		property,
		read: (item) => {
			if (!isShown(item)) return undefined;
			requireEvaluated(property, item.storedParameter(property.name));
			const value = validate(item.parameter(property.name), property, item);
			if (isEmpty(value) && property.required) throw buildEmptyError(property.displayName);
			return value;
		},
	};
}

/**
 * Refuses fixed text in which an expression was meant: it would fail for everybody. What an expression or
 * an AI model filled in is theirs.
 *
 * @param stored as the user entered it
 */
function requireEvaluated({ type, displayName }: INodeProperties, stored: unknown): void {
	// n8n stores the words of a template beside the values.
	const isLocator = type === 'resourceLocator';
	const entered = isLocator ? (stored as { value?: unknown } | undefined)?.value : stored;
	if (holdsText(entered, isFixedBraces)) throw buildUnevaluatedError(displayName);
}

export const isExpression = (stored: unknown): boolean =>
	typeof stored === 'string' && stored.startsWith('=');

/** Whether a stored text is fixed and has `{{ … }}` in it. */
function isFixedBraces(stored: string): boolean {
	const opened = stored.indexOf('{{');
	return !isExpression(stored) && opened >= 0 && stored.includes('}}', opened);
}

/** Whether a stored value is, or holds at any depth, a text that passes the test. */
export function holdsText(stored: unknown, passes: (text: string) => boolean): boolean {
	if (typeof stored === 'string') return passes(stored);
	if (typeof stored !== 'object' || stored === null) return false;
	return Object.values(stored).some((each) => holdsText(each, passes));
}

/** A notice in the form, with nothing to fill in; it may contain links. */
export function notice(
	name: string,
	text: string,
	displayOptions?: INodeProperties['displayOptions'],
): Field<undefined> {
	return {
		property: { displayName: translate(text), name, type: 'notice', default: '', displayOptions },
		read: () => undefined,
	};
}

/** A field under Options; undefined unless the user added it. */
export function option<T>(validate: Validator<T>, original: FieldProperty): Field<T | undefined> {
	const property = translateDescription(original);
	const isShown = buildVisibilityTest(property);
	return {
		property,
		read: (item) => {
			const value = isShown(item) ? readOption(property, item) : undefined;
			if (isEmpty(value)) return undefined;
			requireEvaluated(property, item.storedOption(property.name));
			return validate(value, property, item);
		},
	};
}

/**
 * An option that keeps people from being reached by mistake. Its form never hides it. Once added, it
 * must not be empty: an empty one would silently turn itself off.
 */
export function guard<T>(
	validate: Validator<T>,
	original: INodeProperties & { displayOptions?: undefined },
): Field<T | undefined> {
	const property = translateDescription(original);
	const { name, displayName } = property;
	return {
		property,
		read: (item) => {
			if (!Object.hasOwn(item.options, name)) return undefined;
			const value = readOption(property, item);
			const given = isEmpty(value) ? undefined : validate(value, property, item);
			if (given !== undefined) return given;
			throw new FieldError(displayName, 'is empty', FILL_GUARD);
		},
	};
}

const FILL_GUARD =
	'Fill it in or remove the option. An expression must return a value for every item.';

/** The value of an option; undefined unless the user added it. */
function readOption({ name, displayName, noDataExpression }: INodeProperties, item: ItemForm) {
	if (!Object.hasOwn(item.options, name)) return undefined;
	if (noDataExpression === true && isExpression(item.storedOption(name))) {
		throw new FieldError(displayName, 'does not accept an expression', 'Enter a fixed value.');
	}
	return item.options[name];
}

/** A field that falls back to its default while it is empty or hidden. */
export function withDefault<T>({ property, read }: Field<T | undefined>): Field<T> {
	return { property, read: (item) => read(item) ?? (property.default as T) };
}

/** The same field, which had no conditions, shown only for some choices; undefined for the others. */
export function shownFor<T>(show: Conditions, field: Field<T>): Field<T | undefined> {
	const property = { ...field.property, displayOptions: { show } };
	const isShown = buildVisibilityTest(property);
	return { property, read: (item) => (isShown(item) ? field.read(item) : undefined) };
}

/** Hidden fields may still contain an old value. */
function buildVisibilityTest({ displayOptions }: FieldProperty): (item: ItemForm) => boolean {
	const conditions = Object.entries<readonly unknown[]>(displayOptions?.show ?? {});
	return (item) =>
		conditions.every(([name, values]) => values.includes(item.chosen(name.replace('/', ''))));
}

export interface ItemForm {
	/** The value of a node parameter for this item, with expressions resolved. */
	parameter(name: string): unknown;
	/** The checked value of a field that other fields depend on. @throws FieldError */
	chosen(name: string): unknown;
	/** The options that the user added, by name. */
	options: IDataObject;
	/** A field outside Options as it is stored, with its expressions. */
	storedParameter(name: string): unknown;
	/** An option as it is stored, with its expressions. */
	storedOption(name: string): unknown;
	/** What a field falls back on that the credential has, too. */
	account: AccountDefaults;
	/** A key for a purpose, derived from the account's token. */
	keyFor(purpose: string): Buffer;
	/** Whether the request is XML, which cannot carry every character. */
	inXml: boolean;
	/** Whether an AI agent filled in the form. */
	byAgent: boolean;
	/** Whether the workflow runs in production, rather than by hand. */
	inProduction: boolean;
	/** Adds a token of the account to the address of a trigger, good for a day. */
	buildStartUrl(url: string): string;
}
