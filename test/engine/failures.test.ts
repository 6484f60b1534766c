import type { INodeParameters } from 'n8n-workflow';

import { EXAMPLE_FORMS, toParameters } from '../support/exampleForms';
import type { ExampleForm } from '../support/exampleForms';
import type { FaultRule } from '../../simulator/index';
import { CONTINUE, credentialType } from '../support/engine';
import { getItems, getJson, oneByOne, operation, readReport } from '../support/expectations';
import { useSimulator } from '../support/simulator';

const service = useSimulator();
const NUMBER = '13800000005';

const notify = (parameters: INodeParameters = {}, options: INodeParameters = {}) =>
	operation('call', 'notify', { to: NUMBER, mediaTxt: 'Hello', ...parameters }, options);

it('a credential with a password in its address is refused before a request', async () => {
	const account = { baseUrl: 'https://:secretsecret@localhost:8883' };
	const run = await service.run(notify(), { account });
	expect(run.error?.message).toMatch(/Base URL/);
	expect(JSON.stringify(run)).not.toContain('secretsecret');
	expect(service.simulator.record.requests).toEqual([]);
	expect(service.simulator.record.connectionViolations).toEqual([]);
});

describe('every operation', () => {
	const requesting = EXAMPLE_FORMS.filter(({ endpoint }) => endpoint !== undefined);
	const titled = (forms: readonly ExampleForm[]) =>
		forms.map((form) => [`${form.resource}.${form.operation}`, form] as const);
	const EMPTY_SUCCESS = {
		kind: 'http' as const,
		body: '{"statusCode":"000000"}',
		contentType: 'x/y',
	};

	it.each(titled(requesting))('%s tells only what means something', async (_, form) => {
		const more = [...(form.changes ? ['accepted'] : []), ...(form.to ? ['to'] : [])];
		const faults: Array<[FaultRule, accepted: string]> = [
			[{ kind: 'statusCode', statusCode: '111181' }, 'no'],
			[{ kind: 'reset' }, 'unknown'],
			...(form.essential === undefined ? [] : [[EMPTY_SUCCESS, 'yes'] as [FaultRule, string]]),
		];
		for (const [fault, accepted] of faults) {
			service.simulator.fail(fault);
			const run = await service.run(toParameters(form), { settings: CONTINUE });
			const report = readReport(getJson(run)[0]);
			const isSentCode = form.resource === 'verificationCode' && accepted !== 'no';
			const token = isSentCode ? ['verificationToken', 'expiresAt'] : [];
			expect(Object.keys(report).sort()).toEqual(
				['message', 'statusCode', 'statusMsg', ...more, ...token].sort(),
			);
			if (form.changes) expect(report.accepted).toBe(accepted);
			if (fault === EMPTY_SUCCESS) expect(report.message).toContain(form.essential);
		}
	});
});

describe('with several items', () => {
	const NUMBERS = ['13800000005', '13900000005', '13700000005', '13600000005'];
	const items = NUMBERS.map((to, order) => ({ to, order }));
	const each = oneByOne(notify({ to: '={{ $json.to }}' }));
	const refuse = (number: string) =>
		service.simulator.fail({
			kind: 'statusCode',
			statusCode: '160040',
			statusMsg: '超限',
			number,
		});
	const sids = () =>
		service.simulator.accepted().map((one) => (one.kind === 'call' ? one.callSid : undefined));
	const report = (item: number) => ({
		message: expect.stringMatching(new RegExp(`\\(code 160040\\).* \\[item ${item}\\]$`)) as string,
		statusCode: '160040',
		statusMsg: '超限',
		accepted: 'no',
		to: NUMBERS[item],
	});

	it('Stop: one wrong row keeps all from going out, and the error says so', async () => {
		const run = await service.run(notify({ to: '={{ $json.to }}' }), {
			items: [{ to: '13800000000' }, { to: '138000000000' }],
		});
		expect(run.error?.message).toMatch(/^'To' is not a phone number .*\[item 1\]$/);
		expect(run.error?.description).toMatch(
			/Nothing was sent\. To skip rows like this, set On Error to Continue\.$/,
		);
		expect(service.simulator.record.requests).toEqual([]);
	});

	it('Continue (using error output): it goes there, with the fields of its input', async () => {
		refuse(NUMBERS[0]);
		refuse(NUMBERS[3]);
		const run = await service.run(each, { items, settings: { onError: 'continueErrorOutput' } });
		expect(run.outputs).toHaveLength(2);
		expect(getItems(run).map(({ json, pairedItem }) => [json.callSid, pairedItem])).toEqual([
			[sids()[0], { item: 1 }],
			[sids()[1], { item: 2 }],
		]);
		expect(getJson(run, 1)).toEqual([
			{ ...items[0], error: report(0) },
			{ ...items[3], error: report(3) },
		]);
		expect(getItems(run, 1).map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 3 },
		]);
	});
});

it('options that are null are no options', async () => {
	const parameters = { ...notify(), options: null as unknown as INodeParameters };
	expect(getJson(await service.run(parameters))[0].statusCode).toBe('000000');
});

type Sign = Extract<typeof credentialType.authenticate, (...given: never[]) => unknown>;

describe('a credential that n8n cannot read in the middle of a run', () => {
	const { authenticate } = credentialType;

	afterEach(() => {
		credentialType.authenticate = authenticate;
	});

	it('keeps its request from going out, which says so', async () => {
		let count = 0;
		credentialType.authenticate = async (credential, options) => {
			count += 1;
			if (count === 2) throw new Error('timeout exceeded when trying to connect');
			return await (authenticate as Sign)(credential, options);
		};

		const items = [{}, {}, {}];
		const run = await service.run(oneByOne(notify()), { items, settings: CONTINUE });
		const [first, second, third] = getJson(run);
		expect([first.statusCode, third.statusCode]).toEqual(['000000', '000000']);
		expect(readReport(second)).toMatchObject({
			accepted: 'no',
			message: expect.stringMatching(/^n8n could not read the credential/) as string,
		});
		expect(service.simulator.record.requests).toHaveLength(2);
	});
});
