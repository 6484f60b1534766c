import { startSimulator, type AccountKey, type Simulator } from '../../simulator';
import {
	goodFields,
	NOW,
	request,
	send,
	statusCodeOf,
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
const json = ({ body }: RawAnswer): Record<string, never> =>
	JSON.parse(body) as Record<string, never>;

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
