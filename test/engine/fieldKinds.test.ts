import type { GenericValue, IDataObject, INodeParameters } from 'n8n-workflow';

import { CONTINUE } from '../support/engine';
import { EXAMPLE_NUMBER } from '../support/exampleForms';
import { getItems, oneByOne, operation, readReport } from '../support/expectations';
import { useSimulator } from '../support/simulator';

// Each field's rule: test/unit/resources/everyField.test.ts, and what it makes of values: test/unit/operation.
// Here: what n8n's engine hands to the rules.

const service = useSimulator();
/** Stands for the value under test, which comes from the input item. */
const VALUE = '={{ $json.value }}';

type Value = GenericValue | IDataObject | GenericValue[] | IDataObject[] | undefined;

const notify = (parameters: INodeParameters, options: INodeParameters = {}) =>
	operation('call', 'notify', { to: EXAMPLE_NUMBER, mediaTxt: 'Hello', ...parameters }, options);
const sms = (parameters: INodeParameters) =>
	operation('sms', 'send', { to: EXAMPLE_NUMBER, templateId: '100000', ...parameters });

const NOTHING: Array<[Value, string]> = [
	['', 'empty'],
	[null, 'empty'],
	[undefined, 'empty'],
];

/** Label and name in the request; the form with {@link VALUE}; values and what is sent; values and their kind. */
it.each<
	[string, string, INodeParameters, Array<[Value, string | string[]]>, Array<[Value, string]>]
>([
	[
		'Text to Speak',
		'mediaTxt',
		notify({ mediaTxt: VALUE }),
		[
			['  两个空格  ', '  两个空格  '],
			[0, '0'],
			[false, 'false'],
		],
		[...NOTHING, [{ a: 1 }, 'an object'], [[], 'a list']],
	],
	[
		'Variables',
		'datas',
		sms({ templateId: '100002', datas: [VALUE, 'last'] }),
		[
			['first', ['first', 'last']],
			[undefined, ['', 'last']],
			[{ b: 'one' }, ['one', 'last']],
		],
		[[{ a: { b: 1 } }, 'an object']],
	],
	[
		'Variables',
		'datas',
		sms({ templateId: '100002', datas: VALUE }),
		[
			[
				['one', 2],
				['one', '2'],
			],
		],
		[],
	],
	[
		'To',
		'to',
		sms({ to: VALUE }),
		[[['13800000001;13800000002', 13800000003], '13800000001,13800000002,13800000003']],
		[...NOTHING, [[], 'empty'], [[{ to: '1' }], 'an object']],
	],
	[
		'Sub-Account ID',
		'subAccountSid',
		operation('subAccount', 'close', { subAccountSid: VALUE }),
		[],
		[...NOTHING, ['a-b', 'not letters and digits']],
	],
])(
	'an expression in %s (%s) is sent, or refused with field, kind and item',
	async (label, name, form, takes, refuses) => {
		const items = [...takes, ...refuses].map(([value]) => (value === undefined ? {} : { value }));
		const run = await service.run(oneByOne(form), { items, settings: CONTINUE });
		const sent = service.simulator.record.requests.map(
			({ fields }) => (fields as IDataObject)[name],
		);
		expect(sent).toEqual(takes.map(([, value]) => value));
		const failed = getItems(run).filter(({ json }) => json.error !== undefined);
		expect(failed.map(({ json, pairedItem }) => [readReport(json).message, pairedItem])).toEqual(
			refuses.map(([, kind], index) => {
				const item = takes.length + index;
				const words = `^'${label}' is ${kind}\\. [^[]* \\[item ${item}\\]$`;
				return [expect.stringMatching(words), { item }];
			}),
		);
	},
);

it.each<[string, INodeParameters, RegExp]>([
	// n8n makes a rule of each character.
	['all rows of Limits', { limits: { rule: VALUE } }, /^'Limits' has 18 limits \[item 0\]$/],
	// The engine takes the expression for the text itself; n8n 1.123 evaluates it.
	['Allowed Recipients', { allowedRecipients: VALUE }, /Allowed Recipients.*\[item 0\]$/],
])('an expression in the place of %s lets nobody through', async (_what, options, words) => {
	const items = [{ value: '138*' }];
	const { error } = await service.run(notify({}, options), { items });
	expect(error?.message).toMatch(words);
	expect(service.simulator.record.requests).toEqual([]);
});
