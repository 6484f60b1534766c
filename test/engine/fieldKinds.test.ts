import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CONTINUE } from '../support/engine';
import { EXAMPLE_NUMBER } from '../support/exampleForms';
import { getItems, oneByOne, operation, readReport } from '../support/expectations';
import { useSimulator } from '../support/simulator';

// Each field's rule: test/unit/resources/everyField.test.ts, and what it makes of values: test/unit/operation.
// Here: what n8n's engine hands to the rules.

const service = useSimulator();
/** Stands for the value under test, which comes from the input item. */
const VALUE = '={{ $json.value }}';

const TO = ['13800000001;13800000002', 13800000003];

/** Values that are sent, what goes out of them, and values that are refused. */
it.each<[string, INodeParameters, unknown[], unknown[], unknown[], RegExp]>([
	[
		'datas',
		{ to: EXAMPLE_NUMBER, templateId: '100002', datas: [VALUE, 'last'] },
		['first', undefined, { b: 'one' }],
		['first', '', 'one'].map((first) => [first, 'last']),
		[{ a: { b: 1 } }],
		/^'Variables' .*is an object\. .* \[item 3\]$/,
	],
	[
		'to',
		{ to: VALUE, templateId: '100000' },
		[TO],
		['13800000001,13800000002,13800000003'],
		['', null, undefined, [{ to: '1' }]],
		/^'To' .*is (empty|an object)\. .* \[item [1-4]\]$/,
	],
])('an expression in %s is sent, or refused', async (name, form, takes, sent, refuses, words) => {
	const items = [...takes, ...refuses].map((value) =>
		value === undefined ? {} : ({ value } as IDataObject),
	);
	const parameters = oneByOne(operation('sms', 'send', form));
	const output = getItems(await service.run(parameters, { items, settings: CONTINUE }));
	const fields = service.simulator.record.requests.map((each) => each.fields as IDataObject);
	expect(fields.map((each) => each[name])).toEqual(sent);
	const failed = output.slice(takes.length);
	expect(failed.map(({ pairedItem }) => pairedItem)).toEqual(
		refuses.map((_value, at) => ({ item: takes.length + at })),
	);
	for (const { json } of failed) expect(readReport(json).message).toMatch(words);
});

it.each<[string, INodeParameters, RegExp]>([
	// n8n makes a rule of each character.
	[
		'all rows of Limits',
		{ limits: { rule: VALUE } },
		/^'Limits' has more than 4 limits.* \[item 0\]$/,
	],
	// The engine takes the expression for the text itself; n8n 1.123 evaluates it.
	['Allowed Recipients', { allowedRecipients: VALUE }, /Allowed Recipients.*\[item 0\]$/],
])('an expression for %s refuses the item', async (_what, options, words) => {
	const form = { to: EXAMPLE_NUMBER, mediaTxt: 'Hello' };
	const parameters = operation('call', 'notify', form, options);
	const { error } = await service.run(parameters, { items: [{ value: '138*' }] });
	expect(error?.message).toMatch(words);
	expect(service.simulator.record.requests).toEqual([]);
});
