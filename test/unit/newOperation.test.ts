import { RESOURCES } from '../../nodes/Yuntongxun/resources';
import type { Operation, Resource } from '../../nodes/Yuntongxun/operation/defineOperation';
import { OPERATIONS as SIMULATED } from '../../simulator/operations';
import { ANSWERS } from '../support/corpus';
import { isChineseDue } from '../support/chinese';
import { EXAMPLE_FORMS } from '../support/exampleForms';
import { read as readSource } from '../../tools/documents/markdown';

type Check = (resource: Resource, operation: Operation) => boolean;

const SERVICE = readSource('simulator/service.ts');
const CHINESE = JSON.parse(readSource('translations/zh-CN.json')) as Record<string, string>;

const findForm = ({ value }: Resource, { value: operation }: Operation) =>
	EXAMPLE_FORMS.find((form) => form.resource === value && form.operation === operation);

const isTranslated: Check = (_, { name, action, description, fields, options }) =>
	[
		['', name],
		['', action],
		['', description],
		...Object.values({ ...fields, ...options }).flatMap(({ property }) => [
			[property.name, property.displayName],
			[property.name, property.description ?? ''],
		]),
	].every(([owner, text]) => text === '' || (CHINESE[`${owner}|${text}`] ?? CHINESE[text]));

/** What an operation needs beside its own file and its place in resources/index.ts. */
const PLACES: ReadonlyArray<readonly [string, Check]> = [
	[
		'simulator/operations.ts: its fields, from the specification',
		(_, { endpoint }) =>
			endpoint === undefined || SIMULATED.some(({ name }) => name === endpoint.name),
	],
	[
		'simulator/service.ts: what it does, in OPERATE',
		(_, { endpoint }) => endpoint === undefined || SERVICE.includes(`\n\t${endpoint.name}: `),
	],
	[
		'test/support/exampleForms.ts: an example form',
		(...operation) => findForm(...operation) !== undefined,
	],
	[
		'test/corpus/answers: an answer of the service to it, and what comes out',
		({ value: resource }, { value: operation, endpoint }) =>
			endpoint === undefined ||
			ANSWERS.some((row) => row.output && row.operation === `${resource}.${operation}`),
	],
	...(isChineseDue
		? ([['translations/zh-CN.json: a row for each text of its form', isTranslated]] as const)
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
