import type { INodeParameters } from 'n8n-workflow';

import { applicationId } from '../../simulator/index';
import type { Acceptance } from '../../simulator/index';
import { OPERATIONS as SIMULATED } from '../../simulator/operations';
import { EXAMPLE_FORMS, exampleForm, takesAppId } from '../support/exampleForms';
import { issueCode } from '../support/sealing';
import { useDeduplication } from '../support/deduplication';
import { getItems, getJson, operation, serviceDates } from '../support/expectations';
import { useSimulator } from '../support/simulator';

const NOW = Date.now();
const { spaced, compact, iso } = serviceDates(NOW);
const service = useSimulator({ now: () => NOW });
useDeduplication();

/** No result ever comes for a call to a number that ends in 5. */
const NUMBER = '13800000005';
const OTHER_APP = applicationId('notLive');
const HARD_TEXT = 'Tom & <Jerry> said "don\'t" \u{1f4de}\r\n您的验证码]]>';

const onlyAcceptance = (): Acceptance => {
	const [only, ...more] = service.simulator.accepted();
	if (only === undefined || more.length > 0) throw new Error('Not exactly one acceptance');
	return only;
};

const callOutput = (to = NUMBER) => {
	const call = onlyAcceptance();
	return {
		statusCode: '000000',
		callSid: call.kind === 'call' ? call.callSid : '',
		dateCreated: spaced,
		createdAt: iso,
		to,
	};
};

const smsOutput = (to: string) => {
	const message = onlyAcceptance();
	return {
		statusCode: '000000',
		smsMessageSid: message.kind === 'message' ? message.smsMessageSid : '',
		dateCreated: compact,
		createdAt: iso,
		to,
	};
};

const SUB_ACCOUNT_SECRETS = {
	subToken: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
	voipPwd: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
};

const subAccountOutput = (friendlyName: string) => ({
	statusCode: '000000',
	subAccountSid: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
	dateCreated: spaced,
	createdAt: iso,
	voipAccount: expect.stringMatching(/^\d{14}$/) as string,
	friendlyName,
});

/** As it is entered and as it is sent. */
const SPOKEN = { to: NUMBER, mediaTxt: HARD_TEXT, mediaName: 'a.wav;b.wav' };

interface Case {
	what: string;
	/** Prepares the service. */
	given?: () => void;
	parameters: INodeParameters;
	options?: INodeParameters;
	/** The fields that the service gets. */
	sent: () => Record<string, string | string[]>;
	/** The json of the output items. */
	output: () => Array<Record<string, unknown>>;
}

const appId = () => service.simulator.credentials.appId;
const seeded = (count: number) => () => service.simulator.seedSubAccounts(count);

const TOKEN = {
	verificationToken: expect.stringMatching(/^[A-Za-z0-9._-]+$/) as string,
	expiresAt: expect.stringMatching(/^20\d\d-\d\d-\d\dT.*Z$/) as string,
};

/** The only status that is known is 1; a variable that stands twice counts once. */
const SHIPPED = {
	statusCode: '000000',
	id: '100001',
	title: 'Order shipped',
	content: 'Your order {1} has left; track it with {1}.',
	variables: 1,
	status: '1',
	statusName: 'Approved',
	type: '0',
	dateCreated: '2024-01-15 10:30:00',
	createdAt: '2024-01-15T10:30:00+08:00',
	dateUpdated: '2025-06-01 14:05:09',
	updatedAt: '2025-06-01T14:05:09+08:00',
};

const template = (members: object) =>
	expect.objectContaining({ statusCode: '000000', ...members }) as Record<string, unknown>;

/** Of operations whose example form does not say what comes of it. */
const CASES: Record<string, Record<string, Case[]>> = {
	call: {
		notify: [
			{
				what: 'a text and then audio',
				parameters: { ...SPOKEN, content: 'textAndAudio' },
				sent: () => ({ ...SPOKEN, appId: appId(), playMode: '1' }),
				output: () => [{ ...callOutput(), orderid: expect.stringMatching(/^CM\d{22}$/) as string }],
			},
		],
		verify: [
			{
				what: 'the platform voice, to an extension',
				parameters: {
					appId: '={{ $json.appId }}',
					to: '01012345675-801123',
					voice: 'default',
					verifyCode: 'aB3d',
				},
				sent: () => ({ appId: appId(), to: '01012345675-801123', verifyCode: 'aB3d' }),
				output: () => [callOutput('01012345675-801123')],
			},
		],
	},
	sms: {
		send: [
			{
				what: 'a text to several numbers',
				parameters: {
					appId: OTHER_APP,
					to: '13800000000, 138-0000-0001；+86 138 0000 0002\n13800000000',
					templateId: '100002',
					datas: [HARD_TEXT, ''],
				},
				sent: () => ({
					appId: OTHER_APP,
					to: '13800000000,13800000001,13800000002',
					templateId: '100002',
					datas: [HARD_TEXT, ''],
				}),
				output: () => [smsOutput('13800000000,13800000001,13800000002')],
			},
		],
	},
	smsTemplate: {
		getAll: [
			{
				what: 'all there are, whatever their status',
				parameters: { returnAll: true, simplify: false },
				sent: () => ({ appId: appId(), templateId: '' }),
				output: () => [
					template({ id: '1', title: '测试模板', variables: 2 }),
					template({ id: '100002', title: 'Verification code', variables: 2 }),
					template({ id: '100000', title: '欢迎', variables: 0 }),
					SHIPPED,
					template({ id: '100300', variables: 1, status: '0', statusName: 'Unknown' }),
				],
			},
			{
				what: 'the first of them, simplified',
				parameters: { returnAll: false, limit: 1 },
				sent: () => ({ appId: appId(), templateId: '' }),
				output: () => [
					{
						id: '1',
						title: '测试模板',
						content: expect.stringContaining('您的验证码是{1}') as string,
						variables: 2,
						statusName: 'Approved',
					},
				],
			},
		],
	},
	verificationCode: {
		send: [
			{
				what: 'a call, and what SMS left behind',
				parameters: {
					to: '01012345675-8',
					channel: 'call',
					templateId: ['left over'],
					datas: [],
					codeLength: 8,
					codeLifetime: 1440,
				},
				sent: () => ({
					appId: appId(),
					to: '01012345675-8',
					verifyCode: expect.stringMatching(/^\d{8}$/) as string,
				}),
				output: () => [{ ...callOutput('01012345675-8'), channel: 'call', ...TOKEN }],
			},
		],
	},
	account: {
		get: [
			{
				what: 'the account',
				parameters: { simplify: false },
				options: { timeout: 20_000 },
				sent: () => ({}),
				output: () => [
					{
						statusCode: '000000',
						friendlyName: 'default@example.com',
						type: '1',
						status: '1',
						dateCreated: '2024-01-15 10:30:00',
						dateUpdated: '2025-06-01 14:05:09',
						balance: '1024.50',
						subBalance: '12.00',
						typeName: 'Registered',
						statusName: 'Activated',
						balanceAmount: 1024.5,
						subBalanceAmount: 12,
						createdAt: '2024-01-15T10:30:00+08:00',
						updatedAt: '2025-06-01T14:05:09+08:00',
					},
				],
			},
		],
	},
	subAccount: {
		create: [
			{
				what: 'only what is required',
				parameters: { friendlyName: 'shop-42@example.com' },
				sent: () => ({ appId: appId(), friendlyName: 'shop-42@example.com' }),
				output: () => [{ ...subAccountOutput('shop-42@example.com'), ...SUB_ACCOUNT_SECRETS }],
			},
		],
		getByName: [
			{
				what: 'only what is required',
				given: seeded(2),
				parameters: { friendlyName: '李雷0002' },
				sent: () => ({ appId: appId(), friendlyName: '李雷0002' }),
				output: () => [{ ...subAccountOutput('李雷0002'), ...SUB_ACCOUNT_SECRETS }],
			},
		],
		getAll: [
			{
				what: 'only what is required',
				given: seeded(2),
				parameters: {},
				sent: () => ({ appId: appId(), startNo: '0', offset: '50' }),
				output: () => [
					{ ...subAccountOutput('北京分公司0001'), totalCount: '2' },
					{ ...subAccountOutput('李雷0002'), totalCount: '2' },
				],
			},
		],
	},
};

describe.each(['json', 'xml'])('in %s', (wireFormat) => {
	// Answers without these oddities come in every other test.
	beforeEach(() => service.simulator.configure({ leadingBlanks: true }));

	const holdCase = async (resource: string, name: string, each: Case) => {
		each.given?.();
		const { endpoint } = exampleForm(resource, name);
		const { method, path = [] } = SIMULATED.find((known) => known.name === endpoint) ?? {};

		const form = operation(resource, name, each.parameters, each.options);
		const items = [{ appId: appId() }];
		const run = await service.run(form, { items, account: { wireFormat } });

		const { accountSid } = service.simulator.credentials;
		expect(service.simulator.violations()).toEqual([]);
		expect(service.simulator.record.requests).toEqual([
			expect.objectContaining({
				operation: endpoint,
				method,
				path: ['/2013-12-26/Accounts', accountSid, ...path].join('/'),
				...(method === 'POST' && { requestFormat: wireFormat }),
				answerFormat: wireFormat,
				fields: each.sent(),
			}),
		]);
		const expected = each.output();
		expect(getItems(run)).toEqual(expected.map((json) => ({ json, pairedItem: { item: 0 } })));
	};

	for (const [resource, operations] of Object.entries(CASES)) {
		describe.each(Object.entries(operations))(`${resource}.%s`, (name, cases) => {
			it.each(cases)('$what', async (each) => await holdCase(resource, name, each));
		});
	}

	it.each(EXAMPLE_FORMS.filter(({ output }) => output !== undefined))(
		'the example form of $resource $operation',
		async ({ resource, operation: name, parameters, sent, output = {} }) => {
			await holdCase(resource, name, {
				what: 'the example form',
				parameters,
				options: { timeout: 20_000 },
				sent: () => ({ ...(takesAppId(`${resource}.${name}`) && { appId: appId() }), ...sent }),
				output: () => [output],
			});
		},
	);

	it('a sub-account is closed once', async () => {
		service.simulator.seedSubAccounts(1);
		const account = { wireFormat };
		const find = operation('subAccount', 'getAll', { returnAll: true });
		const [{ subAccountSid }] = getJson(await service.run(find, { account }));
		const close = operation('subAccount', 'close', { subAccountSid: String(subAccountSid) });
		const [json] = getJson(await service.run(close, { account }));
		expect(json).toEqual({ statusCode: '000000', subAccountSid, closed: true });
		const { operation: name, fields } = service.simulator.record.requests[1];
		expect([name, fields]).toEqual(['CloseSubAccount', { subAccountSid }]);
		expect(getJson(await service.run(find, { account }))).toEqual([]);

		const again = await service.run(close, { account });
		expect(again.error).toMatchObject({ httpCode: '111156' });
		expect(service.simulator.violations()).toEqual([]);
	});
});

it('an operation without a request gives an item for each item', async () => {
	const check = operation('verificationCode', 'check', {
		verificationToken: '={{ $json.token }}',
		code: '={{ $json.code }}',
	});
	const items = [NUMBER, '01012345678-801'].map((to) => ({
		...issueCode(service.simulator.credentials, to, 8),
	}));
	const checked = await service.run(check, { items });
	const valid = { valid: true, reason: 'valid', attemptsLeft: 4 };
	expect(getItems(checked)).toEqual([
		{ json: { ...valid, to: NUMBER }, pairedItem: { item: 0 } },
		{ json: { ...valid, to: '01012345678-801' }, pairedItem: { item: 1 } },
	]);
	expect(checked.hints).toEqual([]);
	expect(service.simulator.record.requests).toEqual([]);
});
