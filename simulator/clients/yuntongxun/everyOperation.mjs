/**
 * Makes every operation with the npm package `yuntongxun` and prints the answers as JSON:
 * `node everyOperation.mjs <folder with node_modules>`, with the credential in the environment.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import tls from 'node:tls';

// The client switches the verification of certificates off, without a setting for it.
const { connect } = tls;
tls.connect = (options) => connect({ ...options, rejectUnauthorized: true });

const { ACCOUNT_SID, AUTH_TOKEN, APP_ID, BASE_URL } = process.env;
const client = createRequire(join(process.argv[2], 'package.json'))('yuntongxun').init({
	accountSid: ACCOUNT_SID,
	authToken: AUTH_TOKEN,
	appId: APP_ID,
	baseUrl: BASE_URL,
	softVersion: '2013-12-26',
	log: () => undefined,
});

/** What the client gives to its callback: the body of the answer, or its error as text. */
const answerTo = async (operation, parameters) =>
	await new Promise((resolve) =>
		client[operation](parameters, (error, _response, body) =>
			resolve(error ? { error: String(error) } : body),
		),
	);

const to = '13800000000';
const friendlyName = 'someone@example.com';
const created = await answerTo('createSubAccount', { friendlyName });
const { subAccountSid } = created.SubAccount ?? {};
const answers = {
	accountInfo: await answerTo('accountInfo', {}),
	createSubAccount: created,
	querySubAccountByName: await answerTo('querySubAccountByName', { friendlyName }),
	getSubAccounts: await answerTo('getSubAccounts', { startNo: '0', offset: '10' }),
	closeSubAccount: await answerTo('closeSubAccount', { subAccountSid }),
	templateSMS: await answerTo('templateSMS', { to, templateId: '100002', datas: ['42', '5'] }),
	landingCalls: await answerTo('landingCalls', { to, mediaTxt: 'Order 42 is ready.' }),
	voiceVerifyDefault: await answerTo('voiceVerify', { to, verifyCode: '1234' }),
	voiceVerifyCustom: await answerTo('voiceVerify', { to, playVerifyCode: '1.wav;2.wav' }),
};
process.stdout.write(JSON.stringify(answers));
