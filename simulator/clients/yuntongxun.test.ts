import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

import { ensureInstalled } from '../../test/harness/datedInstall';
import { Progress } from '../../test/harness/progress';
import { startSimulator, type Simulator } from '../index';

/*
 * The npm package `yuntongxun` of 2014 talks JSON to the service by itself, so a simulator that it
 * can use is a service to somebody who never read ours. Its dependencies (`request` and some fifty
 * packages of its time, several with published advisories) stay out of the project's own: they are
 * installed into `.cache`, without their scripts, and run in a process of their own that talks to the
 * simulator only.
 */
const TARGET = resolve(__dirname, '../../.cache/clients/yuntongxun-0.0.1');
const INSTALL_LIMIT_MS = 5 * 60_000;

const text = expect.stringMatching(/./);
const SUB_ACCOUNT = {
	subAccountSid: text,
	subToken: text,
	dateCreated: text,
	voipAccount: text,
	voipPwd: text,
};
const CALL = { callSid: text, dateCreated: text };

let simulator: Simulator;
let answers: Record<string, unknown>;

async function everyOperation(caFile: string): Promise<Record<string, unknown>> {
	const { accountSid, authToken, appId } = simulator.credentials;
	const { stdout } = await promisify(execFile)(
		process.execPath,
		['--no-deprecation', resolve(__dirname, 'yuntongxun/everyOperation.mjs'), TARGET],
		{
			env: {
				ACCOUNT_SID: accountSid,
				AUTH_TOKEN: authToken,
				APP_ID: appId,
				BASE_URL: simulator.url,
				NODE_EXTRA_CA_CERTS: caFile,
				// The client signs with the machine's own clock.
				TZ: 'Asia/Shanghai',
			},
		},
	);
	return JSON.parse(stdout) as Record<string, unknown>;
}

beforeAll(async () => {
	await ensureInstalled(
		{
			title: 'yuntongxun 0.0.1',
			manifest: { dependencies: { yuntongxun: '0.0.1' } },
			librariesOf: '2026-10-03',
			target: TARGET,
			env: process.env,
			nativeModules: [],
			builtFor: 'any Node.js',
		},
		new Progress(process.stderr),
	);
	simulator = await startSimulator({ maxClockSkewMs: 60_000 });
	answers = await everyOperation(simulator.caFile);
}, INSTALL_LIMIT_MS);
afterAll(async () => await simulator?.stop());

test.each<[string, object]>([
	['accountInfo', { Account: { friendlyName: text, type: '1', status: '1', balance: text } }],
	['createSubAccount', { SubAccount: SUB_ACCOUNT }],
	['querySubAccountByName', { SubAccount: SUB_ACCOUNT }],
	['getSubAccounts', { totalCount: '1', SubAccount: [{ ...SUB_ACCOUNT, friendlyName: text }] }],
	['closeSubAccount', {}],
	['templateSMS', { templateSMS: { smsMessageSid: text, dateCreated: text } }],
	['landingCalls', { LandingCall: CALL }],
	['voiceVerifyDefault', { VoiceVerify: CALL }],
	['voiceVerifyCustom', { VoiceVerify: CALL }],
])('%s succeeds', (operation, answer) => {
	expect(answers[operation]).toMatchObject({ statusCode: '000000', ...answer });
});

test('the service accepted one sub-account, one SMS and three calls', () => {
	expect(simulator.accepted().map(({ kind }) => kind)).toEqual([
		'subAccount',
		'message',
		'call',
		'call',
		'call',
	]);
	expect(simulator.accepted()[1]).toMatchObject({ to: ['13800000000'], datas: ['42', '5'] });
});

test('the rules that the client breaks are recorded', () => {
	const found = simulator.violations();
	expect(found.filter(({ isRefused }) => isRefused)).toEqual([]);
	expect(new Set(found.map(({ rule }) => rule))).toEqual(
		new Set(['Content-Type', 'contentLength', 'query', 'unknownField']),
	);
});

test('the certificate of the simulator is verified', async () => {
	const { accountInfo } = await everyOperation('');
	expect(accountInfo).toEqual({ error: expect.stringContaining('certificate') });
});
