import { createServer, type Server } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';

import { startSimulator } from '../simulator';
import type { FaultRule, Simulator } from '../simulator';
import { runNode } from './support/engine';
import type { NodeRun, StoredCredential } from './support/engine';
import { itemsOf, jsonOf, oneByOne, operation, reportIn } from './support/expectations';
import { expectNoSecrets } from './support/secrets';
import { useSimulator } from './support/simulator';

const service = useSimulator();
const NUMBER = '13800000005';
/** Long enough for an exchange on this machine, however busy it is. */
const PATIENCE = 1500;

const notify = (parameters: INodeParameters = {}, options: INodeParameters = {}) =>
	operation('call', 'notify', { to: NUMBER, mediaTxt: 'Hello', ...parameters }, options);

const html = (status: number, more: object = {}) => ({
	kind: 'http' as const,
	status,
	body: `<!DOCTYPE html><html><head><title>${status}</title></head><body>Sorry</body></html>`,
	contentType: 'text/html',
	...more,
});
const REFUSAL = '{"statusCode":"160040","statusMsg":"超出同模板同号天发送次数上限"}';

interface Failure {
	what: string;
	fault: FaultRule;
	timeout?: number;
	accepted: string;
	statusCode?: string;
	statusMsg?: string;
	message: RegExp;
}

const FAILURES: Failure[] = [
	{
		what: 'a refusal',
		fault: { kind: 'statusCode', statusCode: '160040', statusMsg: '今日已超限' },
		accepted: 'no',
		statusCode: '160040',
		statusMsg: '今日已超限',
		message: /\(code 160040\)\. \S/,
	},
	{
		what: 'a refusal nobody has described',
		fault: { kind: 'statusCode', statusCode: '999999', statusMsg: '未知' },
		accepted: 'no',
		statusCode: '999999',
		statusMsg: '未知',
		message: /\(code 999999\)\. \S/,
	},
	...[401, 403, 404, 405, 429, 500, 502].map((status) => ({
		what: `a refusal with HTTP ${status}`,
		fault: { kind: 'http' as const, status, body: REFUSAL, contentType: 'application/json' },
		accepted: 'no',
		statusCode: '160040',
		statusMsg: '超出同模板同号天发送次数上限',
		message: /\(code 160040\)\. \S/,
	})),
	{
		what: 'no answer in time, though it was accepted',
		fault: { kind: 'silence', accept: true },
		timeout: PATIENCE,
		accepted: 'unknown',
		message: /in time/,
	},
	{
		what: 'no answer in time, and it was not accepted',
		fault: { kind: 'silence' },
		timeout: PATIENCE,
		accepted: 'unknown',
		message: /in time/,
	},
	{
		what: 'an answer that takes too long as a whole',
		fault: { kind: 'http', accept: true, dripMs: 200 },
		timeout: PATIENCE,
		accepted: 'unknown',
		message: /in time/,
	},
	{
		what: 'a reset, though it was accepted',
		fault: { kind: 'reset', accept: true },
		accepted: 'unknown',
		message: /connection/i,
	},
	{
		what: 'a reset before it was accepted',
		fault: { kind: 'reset' },
		accepted: 'unknown',
		message: /connection/i,
	},
	{
		what: 'an answer cut short',
		fault: { kind: 'http', accept: true, cutAfter: 30 },
		accepted: 'unknown',
		message: /connection/i,
	},
	...[500, 502, 503, 504, 599].map((status) => ({
		what: `HTTP ${status} with a page`,
		fault: html(status, { accept: true }),
		accepted: 'unknown',
		message: new RegExp(`${status}`),
	})),
	...[301, 302, 303, 307, 308].map((status) => ({
		what: `HTTP ${status}`,
		fault: html(status),
		accepted: 'no',
		message: new RegExp(`${status}`),
	})),
	{ what: 'HTTP 304', fault: html(304), accepted: 'no', message: /304/ },
	...[401, 403, 404, 405].map((status) => ({
		what: `HTTP ${status} with a page`,
		fault: html(status),
		accepted: 'no',
		message: new RegExp(`${status}`),
	})),
	...[200, 400, 410, 418].map((status) => ({
		what: `HTTP ${status} with a page`,
		fault: html(status, { accept: true }),
		accepted: 'unknown',
		message: /\S/,
	})),
	...[
		'',
		' ',
		'null',
		'[]',
		'"000000"',
		'{}',
		'{"statusCode":""}',
		'<Response/>',
		'<a><b></a>',
	].map((body) => ({
		what: `the answer ${JSON.stringify(body)}`,
		fault: { kind: 'http' as const, accept: true, body, contentType: 'application/json' },
		accepted: 'unknown',
		message: /\S/,
	})),
	...[
		'{"statusCode":"000000"}',
		'{"statusCode":"000000","LandingCall":{"callSid":" ","dateCreated":"2026-01-02 03:04:05"}}',
		'{"statusCode":"000000","LandingCall":""}',
		'<?xml version="1.0"?><Response><statusCode>000000</statusCode></Response>',
	].map((body) => ({
		what: `a success without its id: ${body}`,
		fault: { kind: 'http' as const, accept: true, body, contentType: 'application/json' },
		accepted: 'yes',
		statusCode: '000000',
		message: /callSid/,
	})),
];

/** Where a run failed that does not go on. */
async function stopped(
	parameters: INodeParameters,
	credential: StoredCredential = service.credential(),
): Promise<NodeRun & { error: NonNullable<NodeRun['error']> }> {
	const run = await runNode({ parameters, credential });
	expectNoSecrets(run, service.simulator, credential);
	if (!run.error) throw new Error('The node did not stop');
	return { ...run, error: run.error };
}

/** What nobody answers in time is the same in both formats. */
const IN_TIME = FAILURES.filter(({ timeout }) => timeout === undefined);

describe.each([
	['json', FAILURES],
	['xml', IN_TIME],
])('in %s', (wireFormat, failures) => {
	describe.each(failures)('$what', ({ fault, timeout, accepted, statusCode = '', ...want }) => {
		const options = { wireFormat, ...(timeout !== undefined && { timeout }) };

		it('stops the node with an API error, after one request', async () => {
			service.simulator.fail({ ...fault, times: Infinity });
			const { error, run } = await stopped(notify({}, options));

			expect(error.name).toBe('NodeApiError');
			expect(error.message).toMatch(want.message);
			expect(error.message).toMatch(/ \[item 0\]$/);
			expect(error).toMatchObject({ node: { name: 'Yuntongxun' } });
			if (statusCode !== '') expect(error).toMatchObject({ httpCode: statusCode });
			if (want.statusMsg) expect(error.description).toContain(want.statusMsg);
			expect(error.context).toMatchObject({ accepted: [], notAttempted: [] });
			expect(run.data.resultData.error?.message).toBe(error.message);
			expect(service.simulator.record.requests).toHaveLength(1);
			expect(service.simulator.violations()).toEqual([]);
		});

		it('gives an error item where the node continues', async () => {
			service.simulator.fail(fault);
			const run = await runNode({
				parameters: notify({}, options),
				settings: { onError: 'continueRegularOutput' },
				credential: service.credential(),
			});

			expect(itemsOf(run)).toEqual([
				{
					json: {
						error: {
							message: expect.stringMatching(/ \[item 0\]$/) as string,
							statusCode,
							statusMsg: want.statusMsg ?? '',
							accepted,
							to: NUMBER,
						},
					},
					pairedItem: { item: 0 },
				},
			]);
			expect(reportIn(jsonOf(run)[0]).message).toMatch(want.message);
			expect(service.simulator.record.requests).toHaveLength(1);
			expectNoSecrets(run, service.simulator);
		});
	});
});

describe('where the service answers, its answer counts', () => {
	it.each<[string, FaultRule]>([
		['a label that is wrong', { kind: 'http', contentType: 'text/html' }],
		['a label of the other format', { kind: 'http', contentType: 'application/xml' }],
		['no label', { kind: 'http', contentType: '' }],
		['HTTP 500', { kind: 'http', status: 500 }],
		['HTTP 401', { kind: 'http', status: 401 }],
		['HTTP 404', { kind: 'http', status: 404 }],
		['HTTP 201', { kind: 'http', status: 201 }],
		['chunks', { kind: 'http', chunked: true }],
		['a byte at a time', { kind: 'http', dripMs: 1 }],
		['a redirect', { kind: 'http', status: 302, headers: { Location: '/elsewhere' } }],
	])('with %s', async (_, fault) => {
		for (const wireFormat of ['json', 'xml']) {
			service.simulator.reset();
			service.simulator.fail({ ...fault, accept: true, times: Infinity });
			const run = await runNode({
				parameters: notify({}, { wireFormat }),
				credential: service.credential(),
			});
			expect(jsonOf(run)).toEqual([expect.objectContaining({ statusCode: '000000', to: NUMBER })]);
			expect(service.simulator.record.requests).toHaveLength(1);
		}
	});

	it('in the other format than was asked for', async () => {
		const body =
			'\ufeff<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Response><statusCode>000000</statusCode><LandingCall><callSid> 42 </callSid><dateCreated>some day</dateCreated></LandingCall></Response>';
		service.simulator.fail({ kind: 'http', body, contentType: 'application/json' });
		const run = await runNode({ parameters: notify(), credential: service.credential() });
		expect(jsonOf(run)).toEqual([
			{ statusCode: '000000', callSid: '42', dateCreated: 'some day', to: NUMBER },
		]);
	});
});

describe('a redirect', () => {
	let elsewhere: Simulator;
	beforeAll(async () => {
		elsewhere = await startSimulator();
	});
	afterAll(async () => await elsewhere.stop());

	it.each([301, 302, 303, 307, 308])('HTTP %i is not followed', async (status) => {
		for (const origin of [elsewhere.url, service.simulator.url]) {
			service.simulator.reset();
			const headers = { Location: `${origin}/2013-12-26/AccountInfo` };
			service.simulator.fail(html(status, { headers }));
			await stopped(notify());
			expect(service.simulator.record.requests).toHaveLength(1);
		}
		expect(elsewhere.record.requests).toEqual([]);
		expect(elsewhere.record.connectionViolations).toEqual([]);
	});
});

describe('where the service cannot be reached', () => {
	const other = {
		foreign: undefined as Simulator | undefined,
		plain: undefined as Server | undefined,
	};
	const caFolder = mkdtempSync(join(tmpdir(), 'other-ca-'));
	let everywhere: Simulator;
	let refusing = 0;

	beforeAll(async () => {
		other.foreign = await startSimulator({ caFolder });
		everywhere = await startSimulator({ host: '0.0.0.0' });
		const plain = createServer((socket) => {
			socket.on('error', () => undefined);
			socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
		});
		other.plain = plain;
		await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
		const closed = createServer();
		await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
		refusing = portOf(closed);
		await new Promise((resolve) => closed.close(resolve));
	});
	afterAll(async () => {
		await other.foreign?.stop();
		await everywhere.stop();
		other.plain?.close();
		rmSync(caFolder, { recursive: true });
	});
	const portOf = (server: Server | undefined): number => {
		const address = server?.address();
		return typeof address === 'object' && address !== null ? address.port : 0;
	};

	it.each<[string, () => string, RegExp]>([
		['nobody listens', () => `https://127.0.0.1:${refusing}`, /nothing answers/i],
		['the name does not exist', () => 'https://yuntongxun.invalid:8883', /not known/],
		['nobody vouches for it', () => other.foreign?.url ?? '', /trusts/],
		[
			'its certificate is for another name',
			() => everywhere.url.replace('localhost', '127.0.0.2'),
			/another address/,
		],
		[
			'it speaks without encryption',
			() => `https://127.0.0.1:${portOf(other.plain)}`,
			/encrypted connection/,
		],
	])('%s: nothing was accepted', async (_, baseUrl, words) => {
		const credential = service.credential({ baseUrl: baseUrl() });
		const { error } = await stopped(notify(), credential);
		expect(error.name).toBe('NodeApiError');
		expect(error.message).toMatch(words);
		expect(error.message).toMatch(/ \[item 0\]$/);

		const run = await runNode({
			parameters: notify(),
			settings: { onError: 'continueRegularOutput' },
			credential,
		});
		expect(reportIn(jsonOf(run)[0])).toEqual({
			message: error.message,
			statusCode: '',
			statusMsg: '',
			accepted: 'no',
			to: NUMBER,
		});
		expectNoSecrets(run, service.simulator);
		expect(service.simulator.record.requests).toEqual([]);
		expect(everywhere.record.requests).toEqual([]);
	});
});

describe('a credential that breaks a rule', () => {
	it.each<[string, StoredCredential, RegExp]>([
		['no address', { baseUrl: '' }, /Base URL/],
		['plain HTTP', { baseUrl: 'http://localhost:8883' }, /https:\/\//],
		['no scheme', { baseUrl: 'localhost:8883' }, /https:\/\//],
		['a query', { baseUrl: 'https://localhost:8883?a=b' }, /Base URL/],
		['an empty query', { baseUrl: 'https://localhost:8883/?' }, /Base URL/],
		['a fragment', { baseUrl: 'https://localhost:8883/#x' }, /Base URL/],
		['a user name', { baseUrl: 'https://me@localhost:8883' }, /Base URL/],
		['a password', { baseUrl: 'https://:secretsecret@localhost:8883' }, /Base URL/],
		['no account', { accountSid: ' ' }, /Account SID/],
		['no token', { authToken: '' }, /Auth Token/],
	])('%s: refused before a request', async (_, changes, words) => {
		const credential = service.credential(changes);
		const run = await runNode({ parameters: notify(), credential });
		expect(run.error?.message).toMatch(words);
		expect(JSON.stringify(run)).not.toContain('secretsecret');
		expect(service.simulator.record.requests).toEqual([]);
		expect(service.simulator.record.connectionViolations).toEqual([]);
	});
});

describe('what the service says', () => {
	it('is escaped in the description, and left alone in the error item', async () => {
		const statusMsg = '<img src=x onerror="alert(1)"> & \'引号\'';
		service.simulator.fail({ kind: 'statusCode', statusCode: '160040', statusMsg, times: 2 });
		const { error } = await stopped(notify());
		expect(error.description).toContain(
			'&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; &#39;引号&#39;',
		);
		expect(error.description).not.toMatch(/[<>]/);
		const run = await runNode({
			parameters: notify(),
			settings: { onError: 'continueRegularOutput' },
			credential: service.credential(),
		});
		expect(reportIn(jsonOf(run)[0])).toMatchObject({ statusCode: '160040', statusMsg });
	});

	it('reaches the user also where n8n has words of its own for it', async () => {
		for (const statusMsg of ['ECONNREFUSED', 'ETIMEDOUT', 'ENOENT']) {
			service.simulator.fail({ kind: 'statusCode', statusCode: '160040', statusMsg });
			const { error } = await stopped(notify());
			expect(error.message).toMatch(/\(code 160040\).* \[item 0\]$/);
			expect(error.description).toContain(statusMsg);
		}
	});

	it.each([
		['112310', /trial|go live|not live/i],
		['111142', /top up/i],
		['111115', /allow-list/i],
	])('%s comes with what to do', async (statusCode, advice) => {
		service.simulator.fail({ kind: 'statusCode', statusCode });
		const { error } = await stopped(notify());
		expect(error.message).toMatch(advice);
	});

	it('names the base URL where sandbox and production were mixed up', async () => {
		const { error } = await stopped(notify(), service.credential({ accountSid: 'a'.repeat(32) }));
		expect(error).toMatchObject({ httpCode: '111141' });
		expect(error.message).toContain(service.simulator.url);
	});

	it('a wrong token is a failure that does not show it', async () => {
		const credential = service.credential({ authToken: 'wrong-token-0123456789' });
		const { error } = await stopped(notify(), credential);
		expect(error).toMatchObject({ httpCode: '111109' });
		expect(service.simulator.record.requests).toHaveLength(1);
	});
});

describe('every operation', () => {
	const subAccountSid = { __rl: true, mode: 'id', value: 'a'.repeat(32) };
	const CHANGES = ['accepted'];
	const REACHES = ['accepted', 'to'];
	it.each<[string, INodeParameters, string[]]>([
		['call.notify', notify(), REACHES],
		['call.verify', operation('call', 'verify', { to: NUMBER, verifyCode: '1234' }), REACHES],
		['sms.send', operation('sms', 'send', { to: NUMBER, templateId: '100000' }), REACHES],
		['account.get', operation('account', 'get'), []],
		['subAccount.create', operation('subAccount', 'create', { friendlyName: 'one' }), CHANGES],
		['subAccount.getByName', operation('subAccount', 'getByName', { friendlyName: 'one' }), []],
		['subAccount.getAll', operation('subAccount', 'getAll'), []],
		['subAccount.close', operation('subAccount', 'close', { subAccountSid }), CHANGES],
	])('%s tells only what means something', async (_, parameters, more) => {
		for (const fault of [
			{ kind: 'statusCode', statusCode: '111181' },
			{ kind: 'reset' },
			html(502),
		] as FaultRule[]) {
			service.simulator.fail(fault);
			const run = await runNode({
				parameters,
				settings: { onError: 'continueRegularOutput' },
				credential: service.credential(),
			});
			const report = reportIn(jsonOf(run)[0]);
			expect(Object.keys(report).sort()).toEqual(
				['message', 'statusCode', 'statusMsg', ...more].sort(),
			);
			if (more.includes('accepted')) {
				expect(report.accepted).toBe(fault.kind === 'statusCode' ? 'no' : 'unknown');
			}
		}
	});

	it.each<[string, INodeParameters, string]>([
		['call.verify', operation('call', 'verify', { to: NUMBER, verifyCode: '1234' }), 'callSid'],
		['sms.send', operation('sms', 'send', { to: NUMBER, templateId: '100000' }), 'smsMessageSid'],
		[
			'subAccount.create',
			operation('subAccount', 'create', { friendlyName: 'one' }),
			'subAccountSid',
		],
	])('%s that succeeds without its id was accepted', async (_, parameters, id) => {
		service.simulator.fail({ kind: 'http', body: '{"statusCode":"000000"}', contentType: 'x/y' });
		const run = await runNode({
			parameters,
			settings: { onError: 'continueRegularOutput' },
			credential: service.credential(),
		});
		expect(reportIn(jsonOf(run)[0])).toMatchObject({
			accepted: 'yes',
			statusCode: '000000',
			message: expect.stringContaining(id) as string,
		});
	});

	it.each<[string, INodeParameters]>([
		['account.get', operation('account', 'get')],
		['subAccount.getByName', operation('subAccount', 'getByName', { friendlyName: 'one' })],
		['subAccount.getAll', operation('subAccount', 'getAll')],
	])('%s without what it is about cannot be read', async (_, parameters) => {
		service.simulator.fail({ kind: 'http', body: '{"statusCode":"000000"}', contentType: 'x/y' });
		await stopped(parameters);
	});

	it('an account in each state and of each kind is put into words', async () => {
		const seen: unknown[] = [];
		for (const [type, status] of [
			['0', '0'],
			['1', '1'],
			['0', '2'],
			['1', '3'],
			['9', '9'],
		]) {
			const body = JSON.stringify({
				statusCode: '000000',
				Account: { friendlyName: 'a', type, status, balance: '-1.5', subBalance: 'n/a' },
			});
			service.simulator.fail({ kind: 'http', body, contentType: 'application/json' });
			const run = await runNode({
				parameters: operation('account', 'get'),
				credential: service.credential(),
			});
			const [json] = jsonOf(run);
			seen.push([json.typeName, json.statusName, json.balanceAmount]);
			expect(json).not.toHaveProperty('createdAt');
		}
		expect(seen).toEqual([
			['Trial', 'Not Activated', -1.5],
			['Registered', 'Activated', -1.5],
			['Trial', 'Suspended', -1.5],
			['Registered', 'Closed', -1.5],
			['Unknown', 'Unknown', -1.5],
		]);
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

	it('Stop: the error lists what was accepted and what was never sent', async () => {
		refuse(NUMBERS[2]);
		const { error, outputs } = await runNode({
			parameters: each,
			items,
			credential: service.credential(),
		});
		expect(outputs).toEqual([]);
		expect(error?.message).toMatch(/\[item 2\]$/);
		expect(error?.context).toMatchObject({
			itemIndex: 2,
			accepted: [0, 1].map((itemIndex) => ({
				itemIndex,
				statusCode: '000000',
				to: NUMBERS[itemIndex],
				callSid: sids()[itemIndex],
			})),
			notAttempted: [3],
		});
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
		expect(texts.error?.context).toMatchObject({
			accepted: [
				{
					itemIndex: 0,
					statusCode: '000000',
					to: NUMBERS[0],
					smsMessageSid: message.kind === 'message' ? message.smsMessageSid : '',
				},
			],
			notAttempted: [2, 3],
		});

		service.simulator.reset();
		service.simulator.fail({ kind: 'reset', operation: 'SubAccounts', nth: 2 });
		const created = await runNode({
			parameters: oneByOne(operation('subAccount', 'create', { friendlyName: '={{ $json.to }}' })),
			items,
			credential: service.credential(),
		});
		const [subAccount] = service.simulator.accepted();
		expect(created.error?.context).toMatchObject({
			accepted: [
				{
					itemIndex: 0,
					statusCode: '000000',
					subAccountSid: subAccount.kind === 'subAccount' ? subAccount.subAccountSid : '',
				},
			],
			notAttempted: [2, 3],
		});
		expectNoSecrets(created, service.simulator);
		expect(JSON.stringify(created.error)).not.toMatch(/subToken|voipPwd/);
	});

	it('Continue: the failed item is an error item in its place', async () => {
		refuse(NUMBERS[1]);
		const run = await runNode({
			parameters: each,
			items,
			settings: { onError: 'continueRegularOutput' },
			credential: service.credential(),
		});
		expect(run.outputs).toHaveLength(1);
		expect(itemsOf(run).map(({ json, pairedItem }) => [json.callSid, pairedItem])).toEqual([
			[sids()[0], { item: 0 }],
			[undefined, { item: 1 }],
			[sids()[1], { item: 2 }],
			[sids()[2], { item: 3 }],
		]);
		expect(itemsOf(run)[1]).toEqual({ json: { error: report(1) }, pairedItem: { item: 1 } });
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
		expect(itemsOf(run).map(({ json, pairedItem }) => [json.callSid, pairedItem])).toEqual([
			[sids()[0], { item: 1 }],
			[sids()[1], { item: 2 }],
		]);
		expect(jsonOf(run, 1)).toEqual([
			{ ...items[0], error: report(0) },
			{ ...items[3], error: report(3) },
		]);
		expect(itemsOf(run, 1).map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 3 }]);
	});
});
