import { createHash } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';

import { EXAMPLE_FORMS, toParameters } from '../support/exampleForms';
import type { ExampleForm } from '../support/exampleForms';
import type { FaultRule } from '../../simulator/index';
import { MARK } from '../../nodes/Yuntongxun/client/transport';
import { credentialType, runNode } from '../support/engine/engine';
import type { NodeRun, NodeSettings, StoredCredential } from '../support/engine/engine';
import {
	getItems,
	getJson,
	oneByOne,
	operation,
	reportIn,
	rowsIn,
} from '../support/engine/expectations';
import { expectNoSecrets } from '../support/engine/secrets';
import { useSimulator } from '../support/engine/simulator';

const service = useSimulator();
const NUMBER = '13800000005';
const CONTINUE: NodeSettings = { onError: 'continueRegularOutput' };

const notify = (parameters: INodeParameters = {}, options: INodeParameters = {}) =>
	operation('call', 'notify', { to: NUMBER, mediaTxt: 'Hello', ...parameters }, options);

const html = (status: number, more: object = {}) => ({
	kind: 'http' as const,
	status,
	body: `<!DOCTYPE html><html><head><title>${status}</title></head><body>Sorry</body></html>`,
	contentType: 'text/html',
	...more,
});

interface Failure {
	what: string;
	fault: FaultRule;
	accepted: string;
	statusCode?: string;
	statusMsg?: string;
	message: RegExp;
}

/** What the table says of a request that failed. */
function expectedRow({
	accepted,
	statusCode = '',
}: Pick<Failure, 'accepted' | 'statusCode'>): object {
	switch (accepted) {
		case 'yes':
			return { state: 'accepted', statusCode: '000000' };
		case 'no':
			return { state: 'refused', statusCode };
		default:
			return { state: 'unclear' };
	}
}

/** Runs a node that stops at failures, and gives its error. */
async function stopped(
	parameters: INodeParameters,
	credential: StoredCredential = service.credential(),
): Promise<NodeRun & { error: NonNullable<NodeRun['error']> }> {
	const run = await runNode({ parameters, credential });
	expectNoSecrets(run, service.simulator, credential);
	if (!run.error) throw new Error('The node did not stop');
	return { ...run, error: run.error };
}

describe('Stop: an API error, after one request', () => {
	it.each<Failure>([
		{
			what: 'a refusal',
			fault: { kind: 'statusCode', statusCode: '160040', statusMsg: '今日已超限' },
			accepted: 'no',
			statusCode: '160040',
			statusMsg: '今日已超限',
			message: /\(code 160040\)\. \S/,
		},
		{
			what: 'a refusal with HTTP 401',
			fault: {
				kind: 'http',
				status: 401,
				body: '{"statusCode":"160040","statusMsg":"超出同模板同号天发送次数上限"}',
				contentType: 'application/json',
			},
			accepted: 'no',
			statusCode: '160040',
			statusMsg: '超出同模板同号天发送次数上限',
			message: /\(code 160040\)\. \S/,
		},
		{
			what: 'a reset after it was accepted',
			fault: { kind: 'reset', accept: true },
			accepted: 'unknown',
			message: /connection/i,
		},
		{
			what: 'a success without its id',
			fault: {
				kind: 'http',
				accept: true,
				body: '{"statusCode":"000000"}',
				contentType: 'application/json',
			},
			accepted: 'yes',
			statusCode: '000000',
			message: /callSid/,
		},
	])('an API error for $what', async ({ fault, statusCode = '', ...want }) => {
		service.simulator.fail({ ...fault, times: Infinity });
		const { error, run } = await stopped(notify());

		expect(error.name).toBe('NodeApiError');
		expect(`${error.message.replace(/ \[item 0\]$/, '')}. ${error.description}`).toMatch(
			want.message,
		);
		expect(error.message).toMatch(/ \[item 0\]$/);
		expect(error).toMatchObject({ node: { name: 'Yuntongxun' } });
		if (statusCode !== '') expect(error).toMatchObject({ httpCode: statusCode });
		if (want.statusMsg) expect(error.description).toContain(want.statusMsg);
		expect(rowsIn(error)).toEqual([
			{ itemIndex: 0, to: NUMBER, ...expectedRow({ ...want, statusCode }) },
		]);
		expect(run.data.resultData.error?.message).toBe(error.message);
		expect(service.simulator.record.requests).toHaveLength(1);
	});
});

describe('an answer that echoes what signed the request', () => {
	/** Signatures and Authorization values of the coming seconds. Specification section 5. */
	const echo = () => {
		const { accountSid, authToken } = service.simulator.credentials;
		const now = Date.now() + 8 * 3_600_000;
		const values = Array.from({ length: 60 }, (_each, second) => {
			const time = new Date(now + second * 1000).toISOString().replace(/\D/g, '').slice(0, 14);
			const hash = createHash('md5').update(accountSid + authToken + time);
			const authorization = Buffer.from(`${accountSid}:${time}`).toString('base64');
			return `sig=${hash.digest('hex').toUpperCase()} ${authorization}`;
		});
		return `Refused: ${values.join(' ')} ${authToken}`;
	};

	it.each(['json', 'xml'])('shows none of it, with %s', async (wireFormat) => {
		service.simulator.fail({
			kind: 'statusCode',
			statusCode: '160040',
			statusMsg: echo(),
			times: Infinity,
		});
		const run = await runNode({
			parameters: notify(),
			settings: CONTINUE,
			credential: service.credential({ wireFormat }),
		});
		expect(reportIn(getJson(run)[0]).statusMsg).toMatch(/^Refused: sig=/);
		expectNoSecrets(run, service.simulator);
		const { error } = await stopped(notify(), service.credential({ wireFormat }));
		expect(error.description).toContain('Refused: sig=');
	});
});

it.each<[string, StoredCredential, RegExp]>([
	['plain HTTP', { baseUrl: 'http://localhost:8883' }, /https:\/\//],
	['a password', { baseUrl: 'https://:secretsecret@localhost:8883' }, /Base URL/],
	['no token', { authToken: '' }, /Auth Token/],
])('a credential with %s is refused before a request', async (_, changes, words) => {
	const credential = service.credential(changes);
	const run = await runNode({ parameters: notify(), credential });
	expect(run.error?.message).toMatch(words);
	expect(JSON.stringify(run)).not.toContain('secretsecret');
	expect(service.simulator.record.requests).toEqual([]);
	expect(service.simulator.record.connectionViolations).toEqual([]);
});

describe('what the service says', () => {
	it('a wrong token is a failure that does not show it', async () => {
		const credential = service.credential({ authToken: 'wrong-token-0123456789' });
		const { error } = await stopped(notify(), credential);
		expect(error).toMatchObject({ httpCode: '111109' });
		expect(service.simulator.record.requests).toHaveLength(1);
	});
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
			[html(502), 'unknown'],
			...(form.essential === undefined ? [] : [[EMPTY_SUCCESS, 'yes'] as [FaultRule, string]]),
		];
		for (const [fault, accepted] of faults) {
			service.simulator.fail(fault);
			const run = await runNode({
				parameters: toParameters(form),
				settings: CONTINUE,
				credential: service.credential(),
			});
			const report = reportIn(getJson(run)[0]);
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
		const run = await runNode({
			parameters: notify({ to: '={{ $json.to }}' }),
			items: [{ to: '13800000000' }, { to: '138000000000' }],
			credential: service.credential(),
		});
		expect(run.error?.message).toMatch(/^'To' has .*\[item 1\]$/);
		expect(run.error?.description).toMatch(
			/Nothing was sent\. To skip rows like this, set On Error to Continue\.$/,
		);
		expect(service.simulator.record.requests).toEqual([]);
	});

	it('Stop: texts and sub-accounts are listed by their own ids', async () => {
		service.simulator.fail({ kind: 'reset', operation: 'TemplateSMS', nth: 2 });
		const texts = await runNode({
			parameters: oneByOne(
				operation('sms', 'send', { to: '={{ $json.to }}', templateId: '100000' }),
			),
			items,
			credential: service.credential(),
		});
		const [message] = service.simulator.accepted();
		expect(rowsIn(texts.error)).toEqual([
			{
				itemIndex: 0,
				statusCode: '000000',
				to: NUMBERS[0],
				smsMessageSid: message.kind === 'message' ? message.smsMessageSid : '',
				state: 'accepted',
			},
			{ itemIndex: 1, to: NUMBERS[1], state: 'unclear' },
			{ itemIndex: 2, to: NUMBERS[2], state: 'notSent' },
			{ itemIndex: 3, to: NUMBERS[3], state: 'notSent' },
		]);
		expect(texts.error?.description).toContain(
			'1 other item was accepted: do not run all items again (Send Once per ID guards against that).',
		);

		service.simulator.reset();
		service.simulator.fail({ kind: 'reset', operation: 'SubAccounts', nth: 2 });
		const created = await runNode({
			parameters: oneByOne(operation('subAccount', 'create', { friendlyName: '={{ $json.to }}' })),
			items,
			credential: service.credential(),
		});
		const subAccounts = service.simulator
			.accepted()
			.map((each) => (each.kind === 'subAccount' ? each.subAccountSid : ''));
		expect(subAccounts).toHaveLength(3);
		const rows = rowsIn(created.error);
		expect(rows).toEqual(
			expect.arrayContaining([
				...subAccounts.map((subAccountSid) =>
					expect.objectContaining({ state: 'accepted', statusCode: '000000', subAccountSid }),
				),
				expect.objectContaining({ state: 'unclear' }),
			]),
		);
		expect(rows).toHaveLength(4);
		expectNoSecrets(created, service.simulator);
		expect(JSON.stringify(created.error)).not.toMatch(/subToken|voipPwd/);
	});

	it('Continue: the failed item is an error item in its place', async () => {
		refuse(NUMBERS[1]);
		const run = await runNode({
			parameters: each,
			items,
			settings: CONTINUE,
			credential: service.credential(),
		});
		expect(run.outputs).toHaveLength(1);
		expect(getItems(run).map(({ json, pairedItem }) => [json.callSid, pairedItem])).toEqual([
			[sids()[0], { item: 0 }],
			[undefined, { item: 1 }],
			[sids()[1], { item: 2 }],
			[sids()[2], { item: 3 }],
		]);
		expect(getItems(run)[1]).toEqual({ json: { error: report(1) }, pairedItem: { item: 1 } });
	});

	it('Continue (using error output): it goes there, with the fields of its input', async () => {
		refuse(NUMBERS[0]);
		refuse(NUMBERS[3]);
		const run = await runNode({
			parameters: each,
			items,
			settings: { onError: 'continueErrorOutput' },
			credential: service.credential(),
		});
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
	const run = await runNode({ parameters, credential: service.credential() });
	const jsons = run.outputs.flat().map(({ json }) => json);
	expect(jsons).toEqual([expect.objectContaining({ statusCode: '000000' })]);
});

type Sign = Extract<typeof credentialType.authenticate, (...given: never[]) => unknown>;

describe('a credential that n8n cannot read in the middle of a run', () => {
	const { authenticate } = credentialType;

	/** What n8n's database answers: for the second request of the run nothing. */
	const signing = () => {
		const marks: unknown[] = [];
		credentialType.authenticate = async (credential, options) => {
			marks.push((options as { [MARK]?: unknown })[MARK]);
			if (marks.length === 2) throw new Error('timeout exceeded when trying to connect');
			return await (authenticate as Sign)(credential, options);
		};
		return marks;
	};
	afterEach(() => {
		credentialType.authenticate = authenticate;
	});

	it('sends nothing, says so, and leaves the key free; and each request is marked', async () => {
		const marks = signing();
		const once = async (): Promise<NodeRun> =>
			await runNode({
				parameters: notify({}, { maxConcurrency: 1 }),
				items: [{}, {}, {}],
				settings: CONTINUE,
				credential: service.credential(),
			});
		const [first, second, third] = getJson(await once());
		expect([first.statusCode, third.statusCode]).toEqual(['000000', '000000']);
		expect(reportIn(second)).toMatchObject({
			accepted: 'no',
			message: expect.stringMatching(/^n8n did not get to signing the request/) as string,
		});
		expect(service.simulator.record.requests).toHaveLength(2);
		expect(marks.every((mark) => typeof mark === 'string')).toBe(true);
		expect(new Set(marks).size).toBe(3);
	});
});
