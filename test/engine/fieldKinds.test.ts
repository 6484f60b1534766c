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

/** Values with what is sent, and values that are refused with their kind. */
it.each<[string, string, INodeParameters, Array<[unknown, unknown]>, Array<[unknown, string]>]>([
	[
		'Variables',
		'datas',
		{ templateId: '100002', datas: [VALUE, 'last'] },
		[
			['first', ['first', 'last']],
			[undefined, ['', 'last']],
			[{ b: 'one' }, ['one', 'last']],
		],
		[[{ a: { b: 1 } }, 'an object']],
	],
	[
		'To',
		'to',
		{ to: VALUE },
		[[['13800000001;13800000002', 13800000003], '13800000001,13800000002,13800000003']],
		[
			['', 'empty'],
			[null, 'empty'],
			[undefined, 'empty'],
			[[{ to: '1' }], 'an object'],
		],
	],
])(
	'an expression in %s (%s) is sent, or refused with field, kind and item',
	async (label, name, fields, takes, refuses) => {
		const form = { to: EXAMPLE_NUMBER, templateId: '100000', ...fields };
		const items = [...takes, ...refuses].map(([value]) =>
			value === undefined ? {} : ({ value } as IDataObject),
		);
		const parameters = oneByOne(operation('sms', 'send', form));
		const run = await service.run(parameters, { items, settings: CONTINUE });
		const requests = service.simulator.record.requests;
		expect(requests.map((each) => (each.fields as IDataObject)[name])).toEqual(
			takes.map(([, value]) => value),
		);
		const failed = getItems(run).filter(({ json }) => json.error !== undefined);
		expect(failed.map(({ json, pairedItem }) => [readReport(json).message, pairedItem])).toEqual(
			refuses.map(([, kind], index) => {
				const item = takes.length + index;
				const words = `^'${label}' .*is ${kind}\\. [^[]* \\[item ${item}\\]$`;
				return [expect.stringMatching(words), { item }];
			}),
		);
	},
);

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
