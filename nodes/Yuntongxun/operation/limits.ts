import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Limit } from '../idempotency/quotas';
import { translate, translateDescription } from '../language/translate';
import { isExpression } from './field';
import type { Field, ItemForm } from './field';
import { readIdentifier } from './identifier';
import { FieldError, isEmpty } from './validationError';
import { choice, wholeNumber } from './validators';

/** How many rules an item can have. Each takes a record of the node for every number. */
const MAX_RULES = 4;

/** The longest value that a rule counts by, in characters. */
const MAX_VALUE_LENGTH = 200;

/** The highest limit of a rule. */
const MAX_PER_NUMBER = 1000;
const MAX_IN_TOTAL = 3000;

const by: INodeProperties = {
	displayName: 'Count By',
	name: 'by',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Phone Number',
			value: 'number',
			description: 'How often this node may call or text one phone number',
		},
		{
			name: 'All of This Node',
			value: 'total',
			description: 'How many calls and SMS this node may make',
		},
		{
			name: 'Value',
			value: 'value',
			description: 'How many calls and SMS this node may make for one value',
		},
	],
	default: 'number',
	description:
		'What to count. Each accepted call counts as one, and so does each number of an accepted SMS.',
};

const value: INodeProperties = {
	displayName: 'Value',
	name: 'value',
	type: 'string',
	default: '',
	placeholder: 'e.g. 203.0.113.7',
	description:
		'Value to count by, at most 200 characters, usually an expression: the address of a visitor or the ID of a user',
	displayOptions: { show: { by: ['value'] } },
};

const max: INodeProperties = {
	displayName: 'Max',
	name: 'max',
	type: 'number',
	noDataExpression: true,
	typeOptions: { minValue: 1, maxValue: MAX_IN_TOTAL },
	default: 1,
	description: 'Maximum, from 1 to 1000, or up to 3000 for all of this node',
};

const per: INodeProperties = {
	displayName: 'Per',
	name: 'per',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Day',
			value: 'day',
			description: "Calendar day in the service's time zone, presumably UTC+8",
		},
		{
			name: 'Hour',
			value: 'hour',
			description: "Clock hour in the service's time zone, presumably UTC+8",
		},
		{ name: 'Minute', value: 'minute', description: 'Any 60 seconds' },
	],
	default: 'day',
	description: 'Period that the maximum applies to',
};

const property: INodeProperties = translateDescription({
	displayName: 'Limits',
	name: 'limits',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Limit',
	default: {},
	description:
		'How many calls and SMS this node may make to one number, in total, or for one value. If you add no limit, nothing is limited.',
	options: [{ displayName: 'Limit', name: 'rule', values: [by, value, max, per] }],
});

/** How often people may be reached; undefined unless the user added the option. */
export const limits: Field<Limit[] | undefined> = {
	property,
	read: (item) => (Object.hasOwn(item.options, property.name) ? readLimits(item) : undefined),
};

/** @throws FieldError */
function readLimits(item: ItemForm): Limit[] {
	const stored = readRules(item.storedOption(property.name));
	const rules = readRules(item.options[property.name]);
	if (rules.length > MAX_RULES) throw buildCountError(rules);
	const read = rules.map((rule, index) => {
		const entered = stored[index];
		if (!isRule(rule) || !isRule(entered)) {
			const flaw = 'does not accept an expression in place of limit {position}';
			throw buildExpressionError(translate(flaw, { position: index + 1 }));
		}
		return readRule(rule, entered, item);
	});
	const names = read.map((limit) => `${limit.by} ${limit.period}`);
	const repeated = names.findIndex((name, index) => names.indexOf(name) < index);
	if (repeated < 0) return read;
	throw buildLimitsError(
		translate('repeats an earlier limit: limit {position}', { position: repeated + 1 }),
		'Keep one limit for each combination of Count By and Per.',
	);
}

/** The rows of the option. What n8n would read as no limits at all, without saying so, is refused. */
function readRules(option: unknown): unknown[] {
	const rules = (option as { rule?: unknown } | null | undefined)?.rule;
	if (isExpression(option) || isExpression(rules)) {
		throw buildExpressionError('does not accept an expression');
	}
	if (Array.isArray(rules) && rules.length > 0) return rules;
	throw buildLimitsError('is empty', 'Add a limit, or remove the option.');
}

const isRule = (row: unknown): row is IDataObject => typeof row === 'object' && row !== null;

function buildCountError(rules: readonly unknown[]): FieldError {
	const count = rules.length;
	// n8n gives a rule for each character of an expression in the place of all rows.
	if (new Set(rules.map((rule) => JSON.stringify(rule))).size > 1) {
		return buildLimitsError(
			translate('has {count} limits', { count }),
			translate('Use at most {max}.', { max: MAX_RULES }),
		);
	}
	return buildLimitsError(
		translate('has {count} limits that are all alike', { count }),
		'n8n makes so many of an expression in their place. Enter fixed limits. Only the Value of a limit accepts an expression.',
	);
}

/** @param stored the rule as it is stored, with its expressions */
function readRule(rule: IDataObject, stored: IDataObject, item: ItemForm): Limit {
	const fixed = [by, max, per].find(({ name }) => isExpression(stored[name]));
	if (fixed) {
		const field = translate(fixed.displayName);
		throw buildExpressionError(translate('does not accept an expression for {field}', { field }));
	}
	if (isExpression(stored.value) && /\$fromAI\b/i.test(String(stored.value))) {
		throw buildLimitsError('has a Value that the AI model fills in', 'Enter it yourself.');
	}

	const read = (field: INodeProperties): unknown => {
		const given = Object.hasOwn(rule, field.name) ? rule[field.name] : field.default;
		if (!isEmpty(given)) return given;
		throw buildMissingError(field);
	};
	const counted = choice<Limit['by']>(read(by), inLimits(by));
	const maxValue = counted === 'total' ? MAX_IN_TOTAL : MAX_PER_NUMBER;
	const bounded = { ...inLimits(max), typeOptions: { minValue: 1, maxValue } };
	return {
		by: counted,
		value: counted === 'value' ? readValue(read(value), stored.value, item) : undefined,
		max: wholeNumber(read(max), bounded, item) ?? 1,
		period: choice<Limit['period']>(read(per), inLimits(per)),
	};
}

/** @param stored as the user entered it */
function readValue(given: unknown, stored: unknown, item: ItemForm): string {
	const text = readIdentifier(given, stored, inLimits(value), item);
	if (text === undefined) throw buildMissingError(value);
	if (text.length <= MAX_VALUE_LENGTH) return text;
	throw buildLimitsError(
		translate('has a Value of {count} characters', { count: text.length }),
		translate('Use at most {max}.', { max: MAX_VALUE_LENGTH }),
	);
}

const FILL_RULE =
	'Fill it in or remove the limit. An expression must return a value for every item.';

/** The same field, named as part of the option in what is said about its value. */
const inLimits = (field: INodeProperties): INodeProperties => ({
	...field,
	displayName: `${property.displayName}${translate(': ')}${translate(field.displayName)}`,
});

const buildLimitsError = (flaw: string, remedy: string) =>
	new FieldError(property.displayName, flaw, remedy);

const buildMissingError = ({ displayName }: INodeProperties) =>
	buildLimitsError(translate('has no {field}', { field: translate(displayName) }), FILL_RULE);

const buildExpressionError = (flaw: string) =>
	buildLimitsError(flaw, 'Enter fixed limits. Only the Value of a limit accepts an expression.');
