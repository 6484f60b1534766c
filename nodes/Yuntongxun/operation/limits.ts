import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Limit } from '../idempotency/limits';
import { translate, translateDescription } from '../language/translate';
import { guard, isExpression, shownFor, withDefault } from './field';
import type { Field, ItemForm } from './field';
import { identifier } from './identifier';
import { FieldError } from './validationError';
import { choice, wholeNumber } from './validators';

const by = guard(choice<Limit['by']>, {
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
});

const value = guard(identifier, {
	displayName: 'Value',
	name: 'value',
	type: 'string',
	default: '',
	placeholder: 'e.g. 203.0.113.7',
	description:
		'Value to count by, usually an expression: the address of a visitor or the ID of a user',
});

const max = guard(wholeNumber, {
	displayName: 'Max',
	name: 'max',
	type: 'number',
	noDataExpression: true,
	typeOptions: { minValue: 1, maxValue: 3000 },
	default: 1,
	description: 'Maximum, from 1 to 3000',
});

const per = guard(choice<Limit['period']>, {
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
});

const property: INodeProperties = translateDescription({
	displayName: 'Limits',
	name: 'limits',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Limit',
	default: {},
	description:
		'How many calls and SMS this node may make to one number, in total, or for one value. If you add no limit, nothing is limited.',
	options: [
		{
			displayName: 'Limit',
			name: 'rule',
			values: [
				by.property,
				shownFor({ by: ['value'] }, value).property,
				max.property,
				per.property,
			],
		},
	],
});

export const limits: Field<Limit[] | undefined> = {
	property,
	read: (item) => (Object.hasOwn(item.options, property.name) ? readLimits(item) : undefined),
};

const MAX_LIMITS = 4;

/** @throws FieldError */
function readLimits(item: ItemForm): Limit[] {
	const stored = readRules(item.storedOption(property.name));
	const rules = readRules(item.options[property.name]);
	const read = rules.map((rule, index) => readRule(rule, stored[index], item));
	const kinds = new Set(read.map((limit) => `${limit.by} ${limit.period}`));
	if (kinds.size === read.length && read.length <= MAX_LIMITS) return read;
	throw buildLimitsError(
		translate('has more than {max} limits, or two of one kind', { max: MAX_LIMITS }),
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
	if (isExpression(stored.value) && /\$fromAI\b/i.test(String(stored.value))) {
		throw buildLimitsError('has a Value that the AI model fills in', 'Enter it yourself.');
	}
	const form = {
		...item,
		// A field whose expression returned nothing stays: `guard` has to see it to refuse it.
		options: { ...stored, value: '', ...rule },
		storedOption: (name: string) => stored[name],
	};
	const counted = withDefault(by).read(form);
	return {
		by: counted,
		value: counted === 'value' ? value.read(form) : undefined,
		max: withDefault(max).read(form),
		period: withDefault(per).read(form),
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
