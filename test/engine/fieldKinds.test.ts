import type { GenericValue, IDataObject, INodeParameters } from 'n8n-workflow';

import { CONTINUE } from '../support/engine';
import { getItems, oneByOne, operation, readReport } from '../support/expectations';
import { useSimulator } from '../support/simulator';

// Each field's rule: test/unit/resources/everyField.test.ts, and what it makes of values: test/unit/operation.
// Here: what n8n's engine hands to the rules.

const service = useSimulator();
const NUMBER = '13800000005';
/** Stands for the value under test, which comes from the input item. */
const VALUE = '={{ $json.value }}';

type Value = GenericValue | IDataObject | GenericValue[] | IDataObject[] | undefined;

const notify = (parameters: INodeParameters, options: INodeParameters = {}) =>
	operation('call', 'notify', { to: NUMBER, mediaTxt: 'Hello', ...parameters }, options);
const sms = (parameters: INodeParameters, options: INodeParameters = {}) =>
	operation('sms', 'send', { to: NUMBER, templateId: '100000', ...parameters }, options);

const itemWith = (value: Value) => (value === undefined ? {} : { value });
const sent = (name: string) =>
	service.simulator.record.requests.map(({ fields }) => (fields as IDataObject)[name]);

interface ExpressionRow {
	/** Name of the field in the request. */
	wire: string;
	label: string;
	/** Parameters of the node in which the field holds {@link VALUE}. */
	form: INodeParameters;
	/** Given and sent; undefined if the field is left out. */
	takes: Array<[Value, string | string[] | undefined]>;
	/** Values that break the rule, with the kind that the message names. */
	refuses: Array<[Value, string]>;
}

const NOTHING: ExpressionRow['refuses'] = [
	['', 'empty'],
	[null, 'empty'],
	[undefined, 'empty'],
];

/** One field of each kind that n8n has; an option: engine/idempotency. */
const EXPRESSIONS: Record<string, ExpressionRow> = {
	'a required text': {
		wire: 'mediaTxt',
		label: 'Text to Speak',
		form: notify({ mediaTxt: VALUE }),
		takes: [
			['  两个空格  ', '  两个空格  '],
			[0, '0'],
			[false, 'false'],
		],
		refuses: [...NOTHING, [{ a: 1 }, 'an object'], [[], 'a list']],
	},
	'a row': {
		wire: 'datas',
		label: 'Variables',
		form: sms({ templateId: '100002', datas: [VALUE, 'last'] }),
		takes: [
			['first', ['first', 'last']],
			[undefined, ['', 'last']],
			[{ b: 'one' }, ['one', 'last']],
		],
		refuses: [[{ a: { b: 1 } }, 'an object']],
	},
	'all rows': {
		wire: 'datas',
		label: 'Variables',
		form: sms({
			templateId: '={{ $json.value.length ? "100002" : "100000" }}',
			datas: VALUE,
		}),
		takes: [
			[[], undefined],
			[
				['one', 2],
				['one', '2'],
			],
		],
		refuses: [],
	},
	'a list of numbers': {
		wire: 'to',
		label: 'To',
		form: sms({ to: VALUE }),
		takes: [[['13800000001;13800000002', 13800000003], '13800000001,13800000002,13800000003']],
		refuses: [...NOTHING, [[], 'empty'], [[{ to: NUMBER }], 'an object']],
	},
	'an ID': {
		wire: 'subAccountSid',
		label: 'Sub-Account ID',
		form: operation('subAccount', 'close', { subAccountSid: VALUE }),
		takes: [],
		refuses: [...NOTHING, ['a-b', 'not letters and digits']],
	},
};

describe.each(Object.entries(EXPRESSIONS))(
	'an expression in %s',
	(_, { wire, label, form, takes, refuses }) => {
		it('is sent, or refused with field, kind and item', async () => {
			const items = [...takes, ...refuses].map(([value]) => itemWith(value));
			const run = await service.run(oneByOne(form), { items, settings: CONTINUE });
			expect(sent(wire)).toEqual(takes.map(([, value]) => value));
			const failed = getItems(run).filter(({ json }) => json.error !== undefined);
			expect(failed.map(({ json, pairedItem }) => [readReport(json), pairedItem])).toEqual(
				refuses.map(([, kind], index) => {
					const item = takes.length + index;
					const words = `^'${label}' is ${kind}\\. [^[]* \\[item ${item}\\]$`;
					return [
						expect.objectContaining({
							message: expect.stringMatching(words) as string,
							statusCode: '',
							statusMsg: '',
						}),
						{ item },
					];
				}),
			);
		});
	},
);

// n8n makes a rule of each character.
it('an expression in the place of all rows of Limits is refused', async () => {
	const limits = { rule: '={{ $json.limits }}' };
	const { error } = await service.run(notify({}, { limits }), {
		items: [{ limits: [{ max: 3 }] }],
	});
	expect(error?.message).toBe("'Limits' has 19 limits [item 0]");
	expect(error?.description).toContain('An expression cannot take their place.');
	expect(service.simulator.record.requests).toEqual([]);
});

// The engine takes the expression for the text itself; n8n 1.123 evaluates it.
it('an expression in Allowed Recipients lets nobody through', async () => {
	const parameters = notify({}, { allowedRecipients: '={{ $json.allowed }}' });
	const { error } = await service.run(parameters, { items: [{ allowed: '138*' }] });
	expect(error?.message).toMatch(/Allowed Recipients.*\[item 0\]$/);
	expect(service.simulator.record.requests).toEqual([]);
});
