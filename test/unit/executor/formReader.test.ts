import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { createAccountReader } from '../../../nodes/Yuntongxun/client/credential';
import { createFormReader } from '../../../nodes/Yuntongxun/executor/readItem';
import { findOperation } from '../../../nodes/Yuntongxun/operation/defineOperation';
import { RESOURCES } from '../../../nodes/Yuntongxun/resources';
import type { Operation } from '../../../nodes/Yuntongxun/operation/defineOperation';
import { buildNode } from '../../support/fakeN8n';

const CREDENTIAL = {
	accountSid: 'sid',
	authToken: 'made-up-token',
	appId: 'app',
	baseUrl: 'https://example.com',
};
const SEND = findOperation(RESOURCES, 'sms', 'send') as Operation;
const CHECK = findOperation(RESOURCES, 'verificationCode', 'check') as Operation;

/** The forms of a node with these parameters, and the parameters that n8n was asked for. */
function readerFor(
	parameters: INodeParameters,
	{ operation = SEND, mode = 'manual', credential = {}, evaluated = {} as INodeParameters } = {},
) {
	const asked: unknown[][] = [];
	const context = {
		getMode: () => mode,
		getNode: () => buildNode({ parameters }),
		getWorkflow: () => ({ id: 'w', active: true }),
		getNodeParameter: (name: string, index: number, fallback: unknown, more: object) => {
			asked.push([name, index, fallback, more]);
			return evaluated[name] ?? parameters[name] ?? fallback;
		},
	} as unknown as IExecuteFunctions;
	const read = createFormReader(
		context,
		operation,
		createAccountReader({ ...CREDENTIAL, ...credential }),
	);
	return { asked, read };
}

describe('a form', () => {
	it('asks n8n once for a fixed value, and for each item for an expression', () => {
		const list = { values: ['={{ $json.a }}', 'b'] };
		const { asked, read } = readerFor({
			to: '={{ $json.to }}',
			list,
			templateId: '1',
			empty: null,
		});
		for (const index of [0, 1]) {
			for (const name of ['to', 'list', 'templateId', 'empty']) read(index).parameter(name);
		}
		const times = (name: string) => asked.filter(([each]) => each === name).length;
		expect(['to', 'list', 'templateId', 'empty', 'options'].map(times)).toEqual([2, 2, 1, 1, 1]);
	});

	it('asks for the value of a locator, and falls back on the default of its field', () => {
		const { asked, read } = readerFor({});
		expect([read(3).parameter('unknown'), read(3).options]).toEqual(['', {}]);
		read(3).parameter('templateId');
		expect(asked.slice(-1)).toEqual([
			['templateId', 3, { mode: 'list', value: '' }, { extractValue: true }],
		]);
		expect(asked[0]).toEqual(['options', 3, '', { extractValue: false }]);
	});

	it('gives stored parameters and options as they stand in the node', () => {
		const { read } = readerFor({ to: '={{ $json.to }}', options: { timeout: '={{ 5 }}' } });
		const form = read(0);
		expect([form.storedParameter('to'), form.storedOption('timeout')]).toEqual([
			'={{ $json.to }}',
			'={{ 5 }}',
		]);
		expect(readerFor({}).read(0).storedOption('timeout')).toBeUndefined();
	});

	it('reads a field that others depend on once an item', () => {
		const choose = { ...SEND.fields.templateId, read: jest.fn(() => 'chosen') };
		const operation = { ...SEND, fields: { ...SEND.fields, templateId: choose } } as Operation;
		const form = readerFor({}, { operation }).read(0);
		const names = ['templateId', 'templateId', 'unknown'];
		expect(names.map((name) => form.chosen(name))).toEqual(['chosen', 'chosen', undefined]);
		expect(choose.read).toHaveBeenCalledTimes(1);
	});

	it("signs a trigger's address with its account", () => {
		const url = readerFor({}).read(0).buildStartUrl('https://n8n.example.com/webhook/1');
		expect(url).toMatch(/^https:\/\/n8n\.example\.com\/webhook\/1\?yt=/);
	});

	it.each([
		['manual', false],
		['webhook', true],
	])('in mode %s is in production: %s', (mode, expected) => {
		expect(readerFor({}, { mode }).read(0).inProduction).toBe(expected);
	});

	it.each<[string, string, Operation, boolean]>([
		['for an account that sends JSON is not', 'json', SEND, false],
		['for an account that sends XML is', 'xml', SEND, true],
		['of an operation that sends nothing is not', 'xml', CHECK, false],
	])('%s held to the characters of XML', (_what, wireFormat, operation, expected) => {
		const { read } = readerFor({}, { operation, credential: { wireFormat } });
		expect(read(0).inXml).toBe(expected);
	});
});
