import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { YuntongxunApi } from '../../credentials/YuntongxunApi.credentials';
import { Yuntongxun } from '../../nodes/Yuntongxun/Yuntongxun.node';
import { YuntongxunTrigger } from '../../nodes/Yuntongxun/YuntongxunTrigger.node';
import { getChoices } from '../../tools/documents/forms';
import { read } from '../../tools/documents/markdown';
import { findDifferences, NO_DIFFERENCE } from '../support/differences';

/*
 * docs/contract.md says what saved workflows rely on. Its tables are read here, and the package is
 * held against them, so that page and package cannot part.
 */

const PAGE = read('docs/contract.md');
const action = new Yuntongxun().description;
const trigger = new YuntongxunTrigger().description;
const credential = new YuntongxunApi();

/** The cells of the rows of the first table below a heading, without the table's own head. */
function getRows(heading: string): string[][] {
	const [, chapter = ''] = PAGE.split(new RegExp(`^#+ ${heading}$`, 'm'));
	const table = /^\|.*\|\n\|[-| :]+\|\n((?:\|.*\|\n)+)/m.exec(chapter)?.[1] ?? '';
	return table
		.trim()
		.split('\n')
		.map((row) => row.split(/(?<!\\)\|/).slice(1, -1))
		.map((cells) => cells.map((cell) => cell.trim()));
}

const getCode = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word);

/** A row of a table of fields. */
interface Row {
	names: string[];
	/** Operations that the row is about, such as `sms.send`; empty: all that have the field. */
	operations: string[];
	/** One for each name, or one for all of them; empty: not fixed. */
	defaults: unknown[];
	values: string[];
}

function getFields(heading: string): Row[] {
	return getRows(heading).map(([field, fixed, values]) => ({
		names: getCode(field).filter((word) => !word.includes('.')),
		operations: getCode(field).filter((word) => word.includes('.')),
		defaults: getCode(fixed).map((json) => JSON.parse(json) as unknown),
		values: getCode(values),
	}));
}

interface Operation {
	key: string;
	isDefaultResource: boolean;
	isDefault: boolean;
	parameters: string[];
	options: string[];
}

const REQUEST_OPTIONS = ['timeout'];
const SENDING_OPTIONS = [
	...['maxConcurrency', 'requestsPerSecond'],
	...['idempotencyKey', 'allowedRecipients', 'limits', 'dryRun'],
];

const OPERATIONS: Operation[] = getRows('Operations').map(
	([resource, operation, endpoint, parameters, options]) => {
		const isSending = /VoiceVerify|LandingCalls|TemplateSMS$/.test(endpoint.replace(/ .*or /, ''));
		return {
			key: `${getCode(resource)[0]}.${getCode(operation)[0]}`,
			isDefaultResource: resource.endsWith('the default'),
			isDefault: operation.endsWith('the default'),
			parameters: getCode(parameters),
			options: [
				...getCode(options),
				...(endpoint.startsWith('none') ? [] : REQUEST_OPTIONS),
				...(isSending ? SENDING_OPTIONS : []),
			],
		};
	},
);

type Entry = INodeProperties | INodePropertyOptions | INodePropertyCollection;
const isProperty = (entry: Entry): entry is INodeProperties => 'type' in entry;
const isGroup = (entry: Entry): entry is INodePropertyCollection => 'values' in entry;

const getProperties = (key: string) => {
	const [resource, operation] = key.split('.');
	return action.properties.filter(({ displayOptions: { show = {}, hide = {} } = {} }) => {
		const isShown =
			(show.resource ?? [resource]).includes(resource) &&
			(show.operation ?? [operation]).includes(operation);
		return isShown && !(hide.resource?.includes(resource) && hide.operation?.includes(operation));
	});
};

const getOptions = (properties: INodeProperties[]) =>
	properties
		.filter(({ name }) => name === 'options')
		.flatMap(({ options = [] }) => options.filter(isProperty));

const getNames = (properties: INodeProperties[]) => [
	...new Set(properties.map(({ name }) => name)),
];
const OWN = ['resource', 'operation', 'options'];
/** What only speaks to the user, and stores nothing. */
const isStored = ({ type }: INodeProperties) => type !== 'notice';

test('The page has its tables', () => {
	expect(OPERATIONS).toHaveLength(13);
	expect(getFields('Fields').length).toBeGreaterThan(30);
	expect(getFields('Limits').map(({ names }) => names[0])).toEqual(['by', 'value', 'max', 'per']);
	expect(getFields('Credential')).toHaveLength(6);
	expect(getFields('Trigger')).toHaveLength(3);
});

describe('The package', () => {
	test('has both nodes and the credential under their names', () => {
		expect(action).toMatchObject({
			name: 'yuntongxun',
			displayName: 'Yuntongxun',
			version: 1,
			usableAsTool: true,
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'yuntongxunApi', required: true }],
			webhooks: [{ name: 'default', restartWebhook: true, path: 'yuntongxun-result' }],
		});
		expect(trigger).toMatchObject({
			name: 'yuntongxunTrigger',
			displayName: 'Yuntongxun Trigger',
			version: 1,
			group: ['trigger'],
			inputs: [],
			outputs: ['main'],
			credentials: [{ name: 'yuntongxunApi', required: false }],
			webhooks: [{ name: 'default', httpMethod: 'POST', path: 'yuntongxun' }],
		});
		expect(trigger.usableAsTool).toBeUndefined();
		expect(credential).toMatchObject({ name: 'yuntongxunApi', displayName: 'Yuntongxun API' });
	});
});

describe('The operations', () => {
	test('are those of the contract, with its defaults', () => {
		const pickers = action.properties.filter(({ name }) => name === 'operation');
		const keys = pickers.flatMap((picker) =>
			getChoices(picker).map(
				({ value }) => `${picker.displayOptions?.show?.resource?.join()}.${value}`,
			),
		);
		const keysOfPage = OPERATIONS.map(({ key }) => key);
		expect(findDifferences(keysOfPage, keys)).toEqual(NO_DIFFERENCE);
		const defaults = pickers.map(
			(picker) => `${picker.displayOptions?.show?.resource?.join()}.${picker.default}`,
		);
		const wanted = OPERATIONS.filter(({ isDefault }) => isDefault).map(({ key }) => key);
		expect(defaults.sort()).toEqual(wanted.sort());
		const [resource] = OPERATIONS.filter(({ isDefaultResource }) => isDefaultResource);
		expect(action.properties[0]).toMatchObject({ default: resource.key.split('.')[0] });
	});

	test.each(OPERATIONS)('$key: docs/contract.md names its fields and no other', (operation) => {
		const properties = getProperties(operation.key);
		const fields = getNames(properties.filter(isStored)).filter((name) => !OWN.includes(name));
		const told = [...operation.parameters, ...operation.options];
		const options = getNames(getOptions(properties));
		expect(findDifferences(told, [...fields, ...options])).toEqual(NO_DIFFERENCE);
	});
});

/** A property has the default and choices that a row names. */
function expectLike(property: INodeProperties, row: Row) {
	const { names, defaults, values } = row;
	const at = defaults.length === 1 ? 0 : names.indexOf(property.name);
	if (defaults.length > 0) expect(property.default).toEqual(defaults[at]);
	const choices = getChoices(property).map(({ value }) => String(value));
	if (choices.length > 0) expect(choices.sort()).toEqual([...values].sort());
}

const getBetween = (properties: INodeProperties[], names: string[]) =>
	[...properties, ...getOptions(properties)].filter(({ name }) => names.includes(name));

describe('The fields', () => {
	const rows = getFields('Fields');

	test.each(rows.map((row): [string, Row] => [[...row.names, ...row.operations].join(', '), row]))(
		'%s: default and choices are those of the contract',
		(_, row) => {
			const keys = row.operations.length > 0 ? row.operations : OPERATIONS.map(({ key }) => key);
			const found = keys.flatMap((key) => getBetween(getProperties(key), row.names));
			expect(getNames(found).sort()).toEqual([...row.names].sort());
			for (const property of found) expectLike(property, row);
		},
	);

	test.each([
		['templateId', 'searchTemplates'],
		['subAccountSid', 'searchSubAccounts'],
	])('%s is chosen from a list or by ID', (name, searchListMethod) => {
		const found = action.properties.filter((property) => property.name === name);
		expect(found.length).toBeGreaterThan(0);
		expect(new Yuntongxun().methods.listSearch).toHaveProperty(searchListMethod);
		for (const property of found) {
			expect(property).toMatchObject({
				type: 'resourceLocator',
				default: { mode: 'list', value: '' },
				modes: [
					{ name: 'list', type: 'list', typeOptions: { searchListMethod, searchable: true } },
					{ name: 'id', type: 'string' },
				],
			});
		}
	});

	test('the variables of a template are mapped by a method that the node has', () => {
		const [{ typeOptions }] = getBetween(getProperties('sms.send'), ['variables']);
		const { resourceMapperMethod = '' } = typeOptions?.resourceMapper ?? {};
		expect(new Yuntongxun().methods.resourceMapping).toHaveProperty(resourceMapperMethod);
	});

	test('are empty texts where the page names no default', () => {
		const named = rows.filter(({ defaults }) => defaults.length > 0).flatMap(({ names }) => names);
		const found = OPERATIONS.flatMap(({ key }) => {
			const properties = getProperties(key).filter(isStored);
			return [...properties, ...getOptions(properties)];
		}).filter(({ name, type }) => ![...named, ...OWN].includes(name) && type === 'string');
		expect(getNames(found).length).toBeGreaterThan(10);
		expect(found.filter((property) => property.default !== '')).toEqual([]);
	});

	test('limits are rows of rules', () => {
		const limits = getBetween(getProperties('sms.send'), ['limits']);
		expect(limits).toHaveLength(1);
		const [{ type, typeOptions, options = [] }] = limits;
		expect({ type, typeOptions }).toMatchObject({
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
		});
		const [rule] = options.filter(isGroup);
		expect(rule.name).toBe('rule');
		const wanted = getFields('Limits');
		expect(getNames(rule.values.filter(isStored))).toEqual(wanted.flatMap(({ names }) => names));
		for (const row of wanted) {
			for (const property of getBetween(rule.values, row.names)) expectLike(property, row);
		}
	});

	test('allowedRecipients takes no expression', () => {
		const found = OPERATIONS.flatMap(({ key }) =>
			getBetween(getProperties(key), ['allowedRecipients']),
		);
		expect(found.map(({ noDataExpression }) => noDataExpression)).toEqual(found.map(() => true));
	});
});

describe.each([
	['The credential', getFields('Credential'), credential.properties],
	['The trigger', getFields('Trigger'), trigger.properties],
] as const)('%s', (_what, rows, properties) => {
	const stored = [...properties, ...getOptions([...properties])].filter(isStored);

	test.each(rows)('has $names as the contract says', (row) => {
		const found = stored.filter(({ name }) => row.names.includes(name));
		expect(found).toHaveLength(1);
		expectLike(found[0], row);
	});

	test('has no other field', () => {
		const names = getNames(stored).filter((name) => !OWN.includes(name));
		expect(names.sort()).toEqual(rows.flatMap((row) => row.names).sort());
	});
});

test('The credential hides the token', () => {
	const masked = credential.properties.filter(({ typeOptions }) => typeOptions?.password);
	expect(getNames(masked)).toEqual(['authToken']);
	const required = credential.properties.filter((property) => property.required);
	expect(getNames(required)).toEqual(['accountSid', 'authToken', 'baseUrl']);
	const hidden = credential.properties.filter(({ type }) => type === 'hidden');
	expect(getNames(hidden)).toEqual(['softVersion']);
});
