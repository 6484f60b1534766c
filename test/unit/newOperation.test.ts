import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { RESOURCES } from '../../nodes/Yuntongxun/resources';
import type { Operation, Resource } from '../../nodes/Yuntongxun/operation/defineOperation';
import { OPERATIONS as SIMULATED } from '../../simulator/operations';
import { isChineseDue } from '../support/chinese';
import { EXAMPLE_FORMS } from '../support/exampleForms';

const readSource = (file: string) => readFileSync(resolve(__dirname, '../..', file), 'utf8');

type Check = (resource: Resource, operation: Operation) => boolean;

/** The row of an operation in a table of a document: its labels, in two cells or in one. */
const rowIn = (file: string): Check => {
	const rows = readSource(file)
		.split('\n')
		.filter((line) => line.startsWith('|'));
	return (resource, { name }) =>
		rows.some((row) => row.includes(resource.name) && row.includes(name));
};

/** Cases of an operation: an entry of a nested table, or a test of its own. */
const casesIn = (file: string): Check => {
	const text = readSource(file);
	return ({ value: resource }, { value: operation }) =>
		new RegExp(`^\t${resource}: \\{$[^]*?^\t\t${operation}: \\[`, 'm').test(text) ||
		new RegExp(`operation\\(\\s*'${resource}',\\s*'${operation}'`).test(text);
};

/** What an operation needs beside its own file and its place in resources/index.ts. */
const PLACES: ReadonlyArray<readonly [string, Check]> = [
	[
		'test/support/exampleForms.ts: an example form',
		({ value }, { value: operation }) =>
			EXAMPLE_FORMS.some((form) => form.resource === value && form.operation === operation),
	],
	[
		'simulator/operations.ts: its fields, from the specification',
		(_, { endpoint }) =>
			endpoint === undefined || SIMULATED.some(({ name }) => name === endpoint.name),
	],
	[
		'test/engine/operations.test.ts: what is sent and what comes out',
		casesIn('test/engine/operations.test.ts'),
	],
	['README.md: a row of its table of operations', rowIn('README.md')],
	...(isChineseDue
		? [['docs/zh-CN/README.md: a row of its table', rowIn('docs/zh-CN/README.md')] as const]
		: []),
];

const EVERY = RESOURCES.flatMap((resource) =>
	resource.operations.map((operation) => ({
		title: `${resource.value}.${operation.value}`,
		resource,
		operation,
	})),
);

it.each(EVERY)('$title is complete', ({ resource, operation }) => {
	const lacking = PLACES.filter(([, check]) => !check(resource, operation));
	expect(lacking.map(([place]) => place)).toEqual([]);
});

it('every example form belongs to an operation', () => {
	const known = EVERY.map(({ title }) => title);
	const forms = EXAMPLE_FORMS.map(({ resource, operation }) => `${resource}.${operation}`);
	expect(forms.filter((form) => !known.includes(form))).toEqual([]);
	expect(new Set(forms).size).toBe(forms.length);
});
