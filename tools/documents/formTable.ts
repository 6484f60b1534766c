import type { INodeProperties, NodeParameterValueType } from 'n8n-workflow';

import { action, credential, isCollection, isProperty, toChinese, trigger } from './forms';

/*
 * docs/maintainers/forms.tsv: what saved workflows hold of the forms, one row per field
 *
 * Made from the forms, so that a pull request shows a changed name, type, default, value, bound or
 * condition as a changed row. Fields that several operations share have one row.
 */

/** The path of the table. */
export const FORM_TABLE = 'docs/maintainers/forms.tsv';

const COLUMNS = [
	'forms',
	'field',
	'type',
	'default',
	'values',
	'bounds',
	'required',
	'expressions',
	'shown for',
	'label',
	'Chinese label',
] as const;

type Column = (typeof COLUMNS)[number];
type Row = Record<Column, string>;

/** The fields that decide which form is shown. */
const PICKERS = ['resource', 'operation'];

/** The table of all forms, as text. */
export function buildFormTable(): string {
	const rows = [
		...action.properties.flatMap((property) => toRows(findForms(property).join(' '), property)),
		...trigger.properties.flatMap((property) => toRows('trigger', property)),
		...credential.properties.flatMap((property) => toRows('credential', property)),
	];
	return [COLUMNS.join('\t'), ...mergeForms(rows).map(toLine), ''].join('\n');
}

/** The operations whose form has a field, such as `call.notify`; for a picker, where it is. */
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
		if (isCollection(entry)) {
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
		'Chinese label': toChinese(name, displayName),
	};
}

const describeType = (type: string, isMany = false) => (isMany ? `${type}, several` : type);

/** What can be chosen: the values of a list, the modes of a locator. */
function getValues({ options = [], modes = [] }: INodeProperties): string[] {
	const choices = options.flatMap((entry) =>
		isProperty(entry) || isCollection(entry) ? [] : [String(entry.value)],
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

/** Merges rows that differ only in their forms. */
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

/** What saved workflows may hold of a table, line by line: fields with type and default, and values to choose. */
export const listHeld = (table: string): string[] =>
	table.split('\n').flatMap((row) => {
		const [forms, field, type, initial, values = ''] = row.split('\t');
		return forms
			.split(' ')
			.flatMap((form) => [
				`${form} ${field}: ${type}, ${initial}`,
				...(values.match(/\S+/g) ?? []).map((value) => `${form} ${field} can be ${value}`),
			]);
	});
