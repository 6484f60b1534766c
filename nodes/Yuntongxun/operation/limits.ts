import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Limit } from '../idempotency/limits';
import { translate, translateDescription } from '../language/translate';
import { FILL_GUARD, isExpression } from './field';
import type { Field, ItemForm, Validator } from './field';
import { readIdentifier } from './identifier';
import { FieldError, isEmpty } from './validationError';
import { choice, wholeNumber } from './validators';

/** How many limits an item can have. */
const MAX_RULES = 4;

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
		'Value to count by, usually an expression: the address of a visitor or the ID of a user',
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
	const read = rules.map((rule, index) => readRule(rule, stored[index], item));
	const kinds = new Set(read.map((limit) => `${limit.by} ${limit.period}`));
	if (kinds.size === read.length && read.length <= MAX_RULES) return read;
	throw buildLimitsError(
		translate('has more than {max} limits, or two of one kind', { max: MAX_RULES }),
		'Keep one limit for each combination of Count By and Per.',
	);
}

/** The rows of the option. What n8n would read as no limits at all, without saying so, is refused. */
function readRules(option: unknown): IDataObject[] {
	const rules = (option as { rule?: unknown } | null | undefined)?.rule;
	const rows: unknown[] = Array.isArray(rules) ? rules : [];
	refuseExpressions(option, rules, ...rows);
	if (rows.length > 0) return rows as IDataObject[];
	throw buildLimitsError('is empty', 'Add a limit, or remove the option.');
}

/** @param stored the rule as it is stored, with its expressions */
function readRule(rule: IDataObject, stored: IDataObject, item: ItemForm): Limit {
	refuseExpressions(stored.by, stored.max, stored.per);
	if (isExpression(stored.value) && /\$fromAI\b/i.test(String(stored.value))) {
		throw buildLimitsError('has a Value that the AI model fills in', 'Enter it yourself.');
	}

	const read = <T>(field: INodeProperties, validate: Validator<T | undefined>): T => {
		const displayName = `${property.displayName}${translate(': ')}${translate(field.displayName)}`;
		const given = Object.hasOwn(rule, field.name) ? rule[field.name] : field.default;
		const found = isEmpty(given) ? undefined : validate(given, { ...field, displayName }, item);
		if (found !== undefined) return found;
		throw new FieldError(displayName, 'is empty', FILL_GUARD);
	};
	const readValue: Validator<string | undefined> = (given, field) =>
		readIdentifier(given, stored.value, field, item);

	const counted = read(by, choice<Limit['by']>);
	const maxValue = counted === 'total' ? MAX_IN_TOTAL : MAX_PER_NUMBER;
	return {
		by: counted,
		value: counted === 'value' ? read(value, readValue) : undefined,
		max: read({ ...max, typeOptions: { minValue: 1, maxValue } }, wholeNumber),
		period: read(per, choice<Limit['period']>),
	};
}

const buildLimitsError = (flaw: string, remedy: string) =>
	new FieldError(property.displayName, flaw, remedy);

function refuseExpressions(...stored: unknown[]): void {
	if (!stored.some(isExpression)) return;
	throw buildLimitsError(
		'does not accept an expression',
		'Enter fixed limits. Only the Value of a limit accepts an expression.',
	);
}
