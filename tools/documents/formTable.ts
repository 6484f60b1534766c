import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	NodeParameterValueType,
} from 'n8n-workflow';

import { YuntongxunApi } from '../../credentials/YuntongxunApi.credentials';
import { Yuntongxun } from '../../nodes/Yuntongxun/Yuntongxun.node';
import { YuntongxunTrigger } from '../../nodes/Yuntongxun/YuntongxunTrigger.node';
import { read } from './markdown';

/*
 * docs/maintainers/forms.tsv: what saved workflows hold of the forms, a row a field
 *
 * Made from the forms, so that a pull request shows a changed name, type, default, value, bound or
 * condition as a changed row. Fields that several operations share have one row.
 */

/** Where the table stands. */
export const FORM_TABLE = 'docs/maintainers/forms.tsv';

/** What a saved workflow relies on: once released, a value in these columns stays. */
const STORED = ['field', 'type', 'default', 'values'] as const;

const COLUMNS = [
	'forms',
	...STORED,
	'bounds',
	'required',
	'expressions',
	'shown for',
	'label',
	'Chinese label',
] as const;

type Column = (typeof COLUMNS)[number];
type Row = Record<Column, string>;

type Entry = INodeProperties | INodePropertyCollection | INodePropertyOptions;
const isProperty = (entry: Entry): entry is INodeProperties => Object.hasOwn(entry, 'type');
const isGroup = (entry: Entry): entry is INodePropertyCollection => Object.hasOwn(entry, 'values');

const CHINESE = JSON.parse(read('translations/zh-CN.json')) as Record<string, string>;

/** Who decides which form is shown. */
const PICKERS = ['resource', 'operation'];

/** The table of all forms, as text. */
export function buildFormTable(): string {
	const { properties } = new Yuntongxun().description;
	const rows = [
		...properties.flatMap((property) => toRows(findForms(property).join(' '), property)),
		...new YuntongxunTrigger().description.properties.flatMap((each) => toRows('trigger', each)),
		...new YuntongxunApi().properties.flatMap((each) => toRows('credential', each)),
	];
	return [COLUMNS.join('\t'), ...mergeForms(rows).map(toLine), ''].join('\n');
}

/** The operations in whose form a field stands, such as `call.notify`; of a picker, where it stands. */
function findForms({ name, displayOptions: { show = {} } = {} }: INodeProperties): string[] {
	const { resource = [], operation = [] } = show;
	if (PICKERS.includes(name)) return resource.length > 0 ? resource.map(String) : ['action'];
	return resource.flatMap((each) =>
		operation.map((operationName) => `${String(each)}.${String(operationName)}`),
	);
}

/** The row of a field, and those of the fields within. A notice stores nothing. */
function toRows(forms: string, property: INodeProperties, path = ''): Row[] {
	if (property.type === 'notice') return [];

	const field = path + property.name;
	const within = (property.options ?? []).flatMap((entry) => {
		if (isGroup(entry)) {
			return entry.values.flatMap((each) => toRows(forms, each, `${field}.${entry.name}.`));
		}
		return isProperty(entry) ? toRows(forms, entry, `${field}.`) : [];
	});
	return [toRow(forms, field, property), ...within];
}

function toRow(forms: string, field: string, property: INodeProperties): Row {
	const { name, displayName, type, default: initial, required, noDataExpression } = property;
	return {
		forms,
		field,
		type: describeType(type, property.typeOptions?.multipleValues),
		default: JSON.stringify(initial as NodeParameterValueType),
		values: getValues(property).join(' '),
		bounds: describeBounds(property),
		required: required ? 'required' : '',
		expressions: noDataExpression ? 'none' : '',
		'shown for': describeCondition(property),
		label: displayName,
		'Chinese label': CHINESE[`${name}|${displayName}`] ?? CHINESE[displayName] ?? '',
	};
}

const describeType = (type: string, isMany = false) => (isMany ? `${type}, several` : type);

/** What can be chosen: the values of a list, the modes of a locator. */
function getValues({ options = [], modes = [] }: INodeProperties): string[] {
	const choices = options.flatMap((entry) =>
		isProperty(entry) || isGroup(entry) ? [] : [String(entry.value)],
	);
	return [...choices, ...modes.map(({ name }) => name)];
}

function describeBounds({ typeOptions: { minValue, maxValue } = {} }: INodeProperties): string {
	if (minValue === undefined) return maxValue === undefined ? '' : `up to ${maxValue}`;
	return maxValue === undefined ? `from ${minValue}` : `${minValue} to ${maxValue}`;
}

function describeCondition({ displayOptions: { show = {}, hide = {} } = {} }: INodeProperties) {
	const tell = (conditions: object, word: string) =>
		Object.entries(conditions)
			.filter(([name]) => !PICKERS.includes(name))
			.map(([name, values]) => `${word}${name}=${JSON.stringify(values)}`);
	return [...tell(show, ''), ...tell(hide, 'not ')].join(' ');
}

/** Rows that differ in nothing but their forms become one. */
function mergeForms(rows: readonly Row[]): Row[] {
	const merged = new Map<string, Row>();
	for (const row of rows) {
		const id = toLine({ ...row, forms: '' });
		const known = merged.get(id);
		merged.set(id, known ? { ...row, forms: `${known.forms} ${row.forms}` } : row);
	}
	return [...merged.values()];
}

const toLine = (row: Row) => COLUMNS.map((column) => row[column].replace(/\s+/g, ' ')).join('\t');

/**
 * What a table lacks of an earlier one, or has changed: names, types, defaults and values that saved
 * workflows may hold. New fields and values, other labels, bounds and conditions are no break.
 *
 * @param released a table as it was released
 * @param current a table as it is now
 * @returns a sentence for each break
 */
export function findBreaks(released: string, current: string): string[] {
	const now = indexRows(current);
	return [...indexRows(released)].flatMap(([id, before]) => {
		const candidates = now.get(id) ?? [];
		if (candidates.length === 0) return [`${id} is gone`];
		return before.flatMap((row) =>
			candidates.some((each) => keeps(each, row)) ? [] : [`${id} is not what it was`],
		);
	});
}

/** The rows by form and field; a form can have two fields of one name, shown for different choices. */
function indexRows(table: string): Map<string, Row[]> {
	const [head, ...lines] = table.trimEnd().split('\n');
	const columns = head.split('\t');
	const index = new Map<string, Row[]>();
	for (const line of lines) {
		const cells = line.split('\t');
		const row = Object.fromEntries(columns.map((column, at) => [column, cells[at]])) as Row;
		for (const form of row.forms.split(' ')) {
			const id = `${form} ${row.field}`;
			index.set(id, [...(index.get(id) ?? []), row]);
		}
	}
	return index;
}

function keeps(current: Row, released: Row): boolean {
	const values = current.values.split(' ');
	return (
		current.type === released.type &&
		current.default === released.default &&
		released.values.split(' ').every((value) => value === '' || values.includes(value))
	);
}
