import {
	applicationId,
	startSimulator,
	type AccountKey,
	type ApplicationState,
	type Simulator,
} from '../../simulator';
import {
	goodFields,
	NOW,
	request,
	send,
	statusCodeOf,
	withHeader,
	type Fields,
	type RawAnswer,
} from './client';

let simulator: Simulator;
let good: Record<string, Fields>;

beforeAll(async () => {
	simulator = await startSimulator({ now: () => NOW });
	good = goodFields(simulator.credentials.appId);
});
afterAll(async () => await simulator.stop());
beforeEach(() => simulator.reset());

const ask = async (operation: string, fields?: Fields, key: AccountKey = 'default') =>
	await send(
		simulator,
		request(
			simulator.credentialsOf(key),
			operation,
			fields && { appId: simulator.credentialsOf(key).appId, ...fields },
		),
	);
const askXml = async (operation: string, fields?: Fields): Promise<RawAnswer> => {
	const raw = request(simulator.credentials, operation, fields);
	return await send(simulator, withHeader(raw, 'Accept', 'application/xml'));
};
const json = ({ body }: RawAnswer): Record<string, never> =>
	JSON.parse(body) as Record<string, never>;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const CALL_SID = /^\d{32}$/;

describe('the shape of answers', () => {
	test('VoiceVerify', async () => {
		expect(json(await ask('VoiceVerify', good.VoiceVerify))).toEqual({
			statusCode: '000000',
			VoiceVerify: {
				callSid: expect.stringMatching(CALL_SID),
				dateCreated: '2026-01-02 11:04:05',
			},
		});
	});

	test('VoiceVerify in XML, for a request in JSON', async () => {
		const answer = await askXml('VoiceVerify', good.VoiceVerify);
		expect(answer.headers['content-type']).toBe('application/xml;charset=utf-8');
		expect(answer.body.replace(/\d{32}/, 'SID')).toBe(
			`${XML}<Response><statusCode>000000</statusCode><VoiceVerify><callSid>SID</callSid>` +
				'<dateCreated>2026-01-02 11:04:05</dateCreated></VoiceVerify></Response>',
		);
	});

	test('LandingCalls, with orderid always, never and sometimes', async () => {
		const members = async (): Promise<string[]> =>
			Object.keys(json(await ask('LandingCalls', good.LandingCalls)).LandingCall).sort();
		const [withOrder, without] = [
			['callSid', 'dateCreated', 'orderid'],
			['callSid', 'dateCreated'],
		];
		const seen = new Set([(await members()).length, (await members()).length]);
		expect(seen).toEqual(new Set([2, 3]));
		simulator.configure({ orderId: 'always' });
		expect([await members(), await members()]).toEqual([withOrder, withOrder]);
		simulator.configure({ orderId: 'never' });
		expect([await members(), await members()]).toEqual([without, without]);
	});

	test('TemplateSMS, whose first letter is lower case in JSON', async () => {
		expect(json(await ask('TemplateSMS', good.TemplateSMS))).toEqual({
			statusCode: '000000',
			templateSMS: {
				smsMessageSid: expect.stringMatching(CALL_SID),
				dateCreated: '20260102110405',
			},
		});
		expect((await askXml('TemplateSMS', good.TemplateSMS)).body).toMatch(
			/<TemplateSMS><smsMessageSid>\d{32}<\/smsMessageSid><dateCreated>20260102110405</,
		);
	});

	test('AccountInfo', async () => {
		expect(json(await ask('AccountInfo'))).toEqual({
			statusCode: '000000',
			Account: {
				friendlyName: 'default@example.com',
				type: '1',
				status: '1',
				dateCreated: '2024-01-15 10:30:00',
				dateUpdated: '2025-06-01 14:05:09',
				balance: '1024.50',
				subBalance: '12.00',
			},
		});
	});

	test('a failure has words, a success has none, in both formats', async () => {
		const failure = await ask('VoiceVerify', { ...good.VoiceVerify, lang: 'fr' });
		expect(json(failure)).toEqual({ statusCode: '160031', statusMsg: '【短信】参数解析失败' });
		expect((await askXml('VoiceVerify', { ...good.VoiceVerify, lang: 'fr' })).body).toBe(
			`${XML}<Response><statusCode>160031</statusCode>` +
				'<statusMsg>【短信】参数解析失败</statusMsg></Response>',
		);
		expect(failure.status).toBe(200);
	});

	test('the order of members follows the setting', async () => {
		const first = async (): Promise<string> => Object.keys(json(await ask('AccountInfo')))[0];
		expect(new Set([await first(), await first()])).toEqual(new Set(['statusCode', 'Account']));
		simulator.configure({ memberOrder: 'specification' });
		expect([await first(), await first()]).toEqual(['statusCode', 'statusCode']);
		simulator.configure({ memberOrder: 'reversed' });
		expect([await first(), await first()]).toEqual(['Account', 'Account']);
	});

	test('ids start with a blank if the setting says so', async () => {
		simulator.configure({ leadingBlanks: true });
		expect((await ask('VoiceVerify', good.VoiceVerify)).body).toMatch(/"callSid":" \d{32}"/);
		expect((await askXml('TemplateSMS', good.TemplateSMS)).body).toMatch(/<smsMessageSid> \d{32}</);
	});

	test('every id is different', async () => {
		for (let count = 0; count < 5; count++) await ask('VoiceVerify', good.VoiceVerify);
		const sids = simulator.accepted().map((one) => (one.kind === 'call' ? one.callSid : ''));
		expect(new Set(sids).size).toBe(5);
	});
});

describe('sub-accounts', () => {
	const SECRETS = {
		subAccountSid: expect.stringMatching(/^[a-z0-9]{32}$/),
		subToken: expect.stringMatching(/^[a-z0-9]{32}$/),
		dateCreated: '2026-01-02 11:04:05',
		voipAccount: expect.stringMatching(/^\d{14}$/),
		voipPwd: expect.stringMatching(/^[a-z0-9]{8}$/),
	};
	const list = async (fields: Fields = {}) => json(await ask('GetSubAccounts', fields));

	test('are created once, read by name, closed once', async () => {
		const created = json(await ask('SubAccounts', { friendlyName: '客服' }));
		expect(created).toEqual({ statusCode: '000000', SubAccount: SECRETS });
		expect(json(await ask('SubAccounts', { friendlyName: '客服' }))).toEqual({
			statusCode: '111150',
			statusMsg: '【账号】子账户名称重复',
		});
		expect(json(await ask('QuerySubAccountByName', { friendlyName: '客服' }))).toEqual(created);
		expect(statusCodeOf(await ask('QuerySubAccountByName', { friendlyName: 'x' }))).toBe('111157');
		const { subAccountSid } = created.SubAccount as { subAccountSid: string };
		const close = async (): Promise<RawAnswer> =>
			await send(simulator, request(simulator.credentials, 'CloseSubAccount', { subAccountSid }));
		expect(json(await close())).toEqual({ statusCode: '000000' });
		expect(statusCodeOf(await close())).toBe('111156');
		expect(statusCodeOf(await ask('QuerySubAccountByName', { friendlyName: '客服' }))).toBe(
			'111156',
		);
		expect(await list()).toMatchObject({ totalCount: '0' });
		expect(simulator.accepted()).toHaveLength(1);
	});

	test('of another application cannot be read, unknown ones not closed', async () => {
		const raw = request(simulator.credentials, 'CloseSubAccount', { subAccountSid: 'abc' });
		expect(statusCodeOf(await send(simulator, raw))).toBe('111157');
		await ask('SubAccounts', { friendlyName: 'a' });
		const appId = applicationId('default', 'notLive');
		expect(statusCodeOf(await ask('QuerySubAccountByName', { friendlyName: 'a', appId }))).toBe(
			'111157',
		);
	});

	test('a list is an array, one object, or nothing, in JSON', async () => {
		expect(await list()).toEqual({ statusCode: '000000', totalCount: '0', SubAccount: '' });
		simulator.configure({ emptyList: 'emptyArray' });
		expect(await list()).toMatchObject({ SubAccount: [] });
		simulator.configure({ emptyList: 'absent' });
		expect(await list()).toEqual({ statusCode: '000000', totalCount: '0' });
		simulator.seedSubAccounts(1);
		expect(await list()).toMatchObject({
			totalCount: '1',
			SubAccount: { ...SECRETS, friendlyName: expect.any(String) },
		});
		simulator.configure({ singleInList: 'array' });
		expect((await list()).SubAccount).toHaveLength(1);
	});

	test('a list is repeated elements in XML', async () => {
		simulator.seedSubAccounts(2);
		const { appId } = simulator.credentials;
		const { body } = await askXml('GetSubAccounts', { appId });
		expect(body.match(/<SubAccount><subAccountSid>/g)).toHaveLength(2);
		expect(body).toContain('<totalCount>2</totalCount>');
	});

	test('pages start anywhere and overlap nowhere', async () => {
		simulator.seedSubAccounts(25);
		const names = async (startNo: string, offset?: string): Promise<string[]> => {
			const { SubAccount } = await list({ startNo, ...(offset && { offset }) });
			return (SubAccount as Array<{ friendlyName: string }>).map((one) => one.friendlyName);
		};
		const all = await names('0', '100');
		expect(all).toHaveLength(25);
		expect(new Set(all).size).toBe(25);
		expect(all.some((name) => /\p{Script=Han}/u.test(name))).toBe(true);
		expect(await names('5', '7')).toEqual(all.slice(5, 12));
		expect(await names('20', '100')).toEqual(all.slice(20));
		expect(await names('0')).toEqual(all.slice(0, 10));
		expect(await list({ startNo: '25' })).toMatchObject({ totalCount: '25', SubAccount: '' });
	});
});

describe('accounts, applications and templates', () => {
	const code = async (operation: string, fields?: Fields, key?: AccountKey): Promise<string> =>
		statusCodeOf(await ask(operation, fields, key));
	const call = { to: '13800000000', mediaTxt: 'x' };

	test.each<[AccountKey, string, string]>([
		['default', '000000', '000000'],
		['notActivated', '111138', '111138'],
		['suspended', '111139', '111139'],
		['closed', '111140', '111140'],
		['notActivatedReadable', '000000', '111138'],
		['suspendedReadable', '000000', '111139'],
		['closedReadable', '000000', '111140'],
		['lowBalance', '000000', '111142'],
		['ipNotAllowed', '111115', '111115'],
	])('the account %s reads %s and calls %s', async (key, reading, calling) => {
		expect(await code('AccountInfo', undefined, key)).toBe(reading);
		expect(await code('LandingCalls', call, key)).toBe(calling);
		expect(simulator.violations()).toEqual([]);
		expect(simulator.accepted()).toHaveLength(calling === '000000' ? 1 : 0);
	});

	test('an unknown account', async () => {
		const nobody = { accountSid: 'a'.repeat(32), authToken: 'b'.repeat(32) };
		const raw = request(nobody, 'AccountInfo', undefined);
		expect(statusCodeOf(await send(simulator, raw))).toBe('111141');
		expect(simulator.violations()).toEqual([]);
	});

	test.each<[ApplicationState, string]>([
		['live', '000000'],
		['notLive', '000000'],
		['deleted', '111176'],
		['disabled', '111177'],
		['unpublished', '111178'],
		['underReview', '111179'],
		['suspended', '111180'],
	])('the application %s answers %s', async (state, expected) => {
		const appId = applicationId('default', state);
		expect(await code('LandingCalls', { ...call, appId })).toBe(expected);
		expect(await code('GetSubAccounts', { appId })).toBe(expected);
	});

	test('an unknown application, and one of another account', async () => {
		expect(await code('LandingCalls', { ...call, appId: 'none' })).toBe('111181');
		const appId = applicationId('trial', 'live');
		expect(await code('LandingCalls', { ...call, appId })).toBe('111182');
	});

	test.each<[string, Fields, string]>([
		['every variable', { templateId: '100002', datas: ['a', 'b'] }, '000000'],
		['one too few', { templateId: '100002', datas: ['a'] }, '160052'],
		['one too many', { templateId: '100002', datas: ['a', 'b', 'c'] }, '160052'],
		['none of them', { templateId: '100002' }, '112308'],
		['a template without any', { templateId: '100000' }, '000000'],
		['a template that does not exist', { templateId: '999' }, '112311'],
		['a template of another application', { templateId: '100200', datas: ['1'] }, '160043'],
		['the test template', { templateId: '1', datas: ['1', '2'] }, '000000'],
		['text in the test template', { templateId: '1', datas: ['1', 'x'] }, '160069'],
		[
			'the test template to a stranger',
			{ templateId: '1', datas: ['1', '2'], to: '13800000010' },
			'113302',
		],
	])('template with %s', async (_name, fields, expected) => {
		expect(await code('TemplateSMS', { to: '13800000000', ...fields })).toBe(expected);
	});

	test.each<[string, Fields, string]>([
		['an ordinary template', { templateId: '100002', datas: ['1', '2'] }, '160032'],
		['the test template', { templateId: '1', datas: ['1', '2'] }, '000000'],
		['a stranger', { templateId: '100002', datas: ['1', '2'], to: '13900000000' }, '112310'],
	])('a trial account with %s', async (_name, fields, expected) => {
		expect(await code('TemplateSMS', { to: '13800000000', ...fields }, 'trial')).toBe(expected);
	});

	test('trial accounts and applications not live reach registered numbers only', async () => {
		const appId = applicationId('default', 'notLive');
		const stranger = '13800000010';
		expect(await code('VoiceVerify', { appId, to: stranger, verifyCode: '1234' })).toBe('111212');
		expect(await code('LandingCalls', { ...call, to: stranger }, 'trial')).toBe('111212');
		const message = { appId, templateId: '100001', datas: ['1'] };
		expect(await code('TemplateSMS', { ...message, to: `13800000009,${stranger}` })).toBe('112310');
		expect(await code('TemplateSMS', { ...message, to: '13800000009' })).toBe('000000');
	});
});

describe('the record', () => {
	test('has each accepted call, SMS and sub-account once', async () => {
		await ask('VoiceVerify', { ...good.VoiceVerify, userData: 'order 42' });
		await ask('TemplateSMS', { ...good.TemplateSMS, to: '13800000000,13800000001' });
		await ask('SubAccounts', { friendlyName: 'a' });
		await ask('GetSubAccounts', {});
		expect(simulator.accepted()).toMatchObject([
			{ kind: 'call', request: 1, operation: 'VoiceVerify', userData: 'order 42' },
			{ kind: 'message', request: 2, to: ['13800000000', '13800000001'], datas: ['1', '2'] },
			{ kind: 'subAccount', request: 3, friendlyName: 'a' },
		]);
		const accepted = simulator.record.requests.map((one) => one.accepted);
		expect(accepted).toEqual([true, true, true, false]);
	});

	test('has each request as it came', async () => {
		const raw = request(simulator.credentials, 'VoiceVerify', good.VoiceVerify);
		await send(simulator, raw);
		expect(simulator.record.requests).toMatchObject([
			{
				sequence: 1,
				at: '2026-01-02T03:04:05.000Z',
				method: 'POST',
				path: raw.path,
				query: raw.query,
				headers: { accept: 'application/json', host: 'localhost' },
				body: raw.body,
				operation: 'VoiceVerify',
				requestFormat: 'json',
				answerFormat: 'json',
				fields: good.VoiceVerify,
				inProgress: 1,
				end: 'answered',
				answer: { httpStatus: 200, statusCode: '000000' },
			},
		]);
	});

	test('keeps no more than its limit', async () => {
		simulator.configure({ recordLimit: 3 });
		for (let count = 0; count < 5; count++) await ask('AccountInfo');
		expect(simulator.record.requests.map(({ sequence }) => sequence)).toEqual([3, 4, 5]);
	});

	test('is empty after a reset, and the settings are as at the start', async () => {
		simulator.configure({ latencyMs: 1, emptyList: 'absent' });
		simulator.seedSubAccounts(2);
		await ask('SubAccounts', { friendlyName: 'a' });
		simulator.fail({ kind: 'reset' });
		simulator.reset();
		expect(simulator.record).toEqual({
			requests: [],
			accepted: [],
			notifications: [],
			connectionViolations: [],
		});
		expect(simulator.settings()).toMatchObject({ latencyMs: 0, emptyList: 'emptyString' });
		expect(json(await ask('GetSubAccounts', {}))).toMatchObject({ totalCount: '0' });
	});
});

test('the default account can be changed', async () => {
	const other = await startSimulator({ now: () => NOW, account: { status: '7', balance: '0' } });
	try {
		const raw = request(other.credentials, 'AccountInfo', undefined);
		expect(json(await send(other, raw)).Account).toMatchObject({ status: '7', balance: '0' });
	} finally {
		await other.stop();
	}
});
