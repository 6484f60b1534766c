import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';

jest.mock('../../../nodes/Yuntongxun/language/texts', () => ({
	LANGUAGE: 'zh-CN',
	TEXTS: JSON.parse(
		readFileSync(join(__dirname, '../../../translations/zh-CN.json'), 'utf8'),
	) as object,
}));

import { YuntongxunApi } from '../../../credentials/YuntongxunApi.credentials';
import { parseCredential } from '../../../nodes/Yuntongxun/client/credential';
import { buildCredentialTestRules } from '../../../nodes/Yuntongxun/client/credentialTestRules';
import { toServiceFailure } from '../../../nodes/Yuntongxun/client/failure';
import { quoteService } from '../../../nodes/Yuntongxun/client/serviceFailure';
import { describeStatusCode } from '../../../nodes/Yuntongxun/client/statusCodes';
import { getRunHints } from '../../../nodes/Yuntongxun/executor/runHints';
import { buildLimitError } from '../../../nodes/Yuntongxun/executor/errors';
import { warnOfRepeating } from '../../../nodes/Yuntongxun/executor/runReport';
import { TEXTS } from '../../../nodes/Yuntongxun/language/texts';
import { translateDescription } from '../../../nodes/Yuntongxun/language/translate';
import { searchTemplates } from '../../../nodes/Yuntongxun/listSearch/searchTemplates';
import { getForeignHints, smsNumbers } from '../../../nodes/Yuntongxun/operation/phoneNumber';
import { ValidationError } from '../../../nodes/Yuntongxun/operation/validationError';
import { findOperation } from '../../../nodes/Yuntongxun/operation/defineOperation';
import { RESOURCES } from '../../../nodes/Yuntongxun/resources';
import { findResultRoutes } from '../../../nodes/Yuntongxun/waiting/routes';
import { Yuntongxun } from '../../../nodes/Yuntongxun/Yuntongxun.node';
import { YuntongxunTrigger } from '../../../nodes/Yuntongxun/YuntongxunTrigger.node';
import { buildForm, buildProperty, toPhoneNumber } from '../../support/form';
import {
	call,
	done,
	failed,
	inTotal,
	buildItem,
	showItem,
	sms,
	UNKNOWN,
} from '../../support/messages';
import { nodeContext } from '../../support/fakeN8n';
import { CREDENTIAL } from '../../support/trip';
import { answering } from '../../support/http';

/** What is thrown. */
function thrownBy(act: () => unknown): ValidationError {
	try {
		act();
	} catch (error) {
		if (error instanceof ValidationError) return error;
		throw error;
	}
	throw new Error('Nothing was thrown');
}

const to = buildProperty({ displayName: '接收号码 (To)' });

test('No text of the forms is left that has a translation, and every label is Chinese but for what is called so in any language', () => {
	const forms = [new Yuntongxun(), new YuntongxunTrigger()].map(({ description }) => description);
	const text = JSON.stringify([...forms, new YuntongxunApi().properties]);
	const texts: string[] = [];
	JSON.parse(text, (_key, value: unknown) => {
		if (typeof value === 'string' && value.includes(' ')) texts.push(value);
		return value;
	});
	expect(texts.filter((each) => (TEXTS[each] ?? each) !== each)).toEqual([]);
	const labels = [...text.matchAll(/"displayName":"([^"]+)"/g)].map(([, label]) => label);
	expect(labels.length).toBeGreaterThan(100);
	const foreign = labels.filter((label) => !/\p{Script=Han}/u.test(label));
	expect(foreign.sort()).toEqual([
		...['Account SID', 'Auth Token', 'Events', 'Rest URL (Base URL)', 'Software Version'],
		...['Yuntongxun', 'Yuntongxun Trigger'],
	]);
});

test('A refused number says in Chinese what is wrong, and what to do', () => {
	const send = findOperation(RESOURCES, 'sms', 'send');
	const { message } = thrownBy(() => send?.fields.to.read(buildForm({ to: '1.38E+10' })));
	expect(message).toBe(
		'“接收号码 (To)”是科学计数法，例如 1.38E+10。号码被表格软件缩写了。请把这一列设为文本格式，再读一次文件。',
	);
});

test('Several refused numbers share one sentence', () => {
	const numbers = ['abc', '13800000001', '01012345678'];
	expect(thrownBy(() => smsNumbers(numbers, to, buildForm())).message).toBe(
		'“接收号码 (To)”里有 2 项不能用：第 1 项不是本节点能用的号码，第 3 项不是手机号。可以填大陆手机号、带区号的固定电话（例如 01012345678 或 01012345678-801）、400 和 800 号码，以及以 + 或 00 和国家代码开头的境外号码。短信发不到固定电话、400 和 800 号码。',
	);
});

const SMS = { name: 'TemplateSMS', hasSideEffects: true };

test('A status code says in Chinese what happened, and what to do', () => {
	const { facts, message } = toServiceFailure({ kind: 'statusCode', statusCode: '160032' }, SMS);
	expect(facts.summary).toBe('模板或要播放的内容对这个应用无效');
	expect(facts.remedy).toBe('请在容联云控制台查看它有哪些模板和语音文件，是否通过了审核。');
	expect(message).toBe(
		'模板或要播放的内容对这个应用无效（错误码 160032）。请在容联云控制台查看它有哪些模板和语音文件，是否通过了审核。',
	);
	expect(quoteService({ ...facts, statusMsg: '【短信】模板无效' })).toBe(
		'平台的原话：【短信】模板无效',
	);
});

test('A lost answer says in Chinese that nobody knows what became of it', () => {
	const { message } = toServiceFailure({ kind: 'noAnswer', traces: ['ETIMEDOUT'] }, SMS);
	expect(message).toBe(
		'平台没有及时响应。选项“请求超时”决定等多久。不知道平台有没有受理：再次发送之前，请先在容联云控制台查一查。',
	);
});

test('Every known status code has one sentence that says what happened, and others behind it', () => {
	const codes = Array.from({ length: 100_000 }, (_each, at) => String(100_000 + at));
	const meanings = codes.flatMap((code) => describeStatusCode(code) ?? []);
	expect(meanings.length).toBeGreaterThan(300);
	const odd = meanings.filter(
		({ summary, remedy }) =>
			!/^[^。]*\p{Script=Han}[^。]*$/u.test(summary) || !/\p{Script=Han}.*。$/u.test(remedy),
	);
	expect(odd).toEqual([]);
});

test('The test of the credential answers in Chinese', () => {
	const messages = translateDescription(buildCredentialTestRules()).map(
		({ properties }) => properties.message,
	);
	expect(messages).toContain('账号被暂停。原因请看容联云控制台，或问平台客服。');
	expect(messages).toContain('请求的签名已过期（错误码 111106）。请校准 n8n 服务器的时钟。');
});

test('An unusable credential is refused in Chinese', () => {
	expect(() => parseCredential({ accountSid: ' ' })).toThrow(
		'Yuntongxun API 凭证里没有填 Account SID',
	);
});

test('The hints of a run are Chinese, those of an operation among them', () => {
	const sent = buildItem(0, { ...sms(['1', '2']), emptyVariables: [2] });
	const called = buildItem(1, call(['1']));
	called.task.hints = getForeignHints([toPhoneNumber('+85212345678')]);
	expect(getRunHints([sent, called], true)).toEqual([
		'有号码是境外号码。还没有人用本节点试过：请先用自己的号码试一次，再正式使用。',
		'变量 {2} 没有值，发送时为空（数据项 0）',
	]);
});
test('A reached limit and what was sent in part are told in Chinese', () => {
	const limited = buildItem(0, call(['1']));
	const limit = { reason: 'limit', limit: inTotal(3), end: '2026-01-02 24:00' } as const;
	limited.status = failed(buildLimitError(limit));
	expect(showItem(limited).outputs[0].error).toMatchObject({
		message:
			'本节点的呼叫和短信，连同正在进行的，已达到“次数限制 (Limits)”的上限（今天 3 次）。请在 2026-01-02 24:00 (UTC+8) 之后再发。 [item 0]',
	});
	const others = [done({}, 2), failed(UNKNOWN), { state: 'planned' } as const].map(
		(status, index) => ({ ...buildItem(index + 1, sms(['1'])), status }),
	);
	expect(warnOfRepeating([limited, ...others], limited, true)).toBe(
		'已受理：2 个。可能已受理：1 个。请不要把全部数据项再运行一遍（“同一编号只发一次 (Send Once per ID)”可以防止重发）。第一个没有发送的数据项是 3。',
	);
});

test('A call whose result cannot arrive is refused in Chinese', async () => {
	const routes = await findResultRoutes(
		{ ...nodeContext({}), workflow: { nodes: {} } } as unknown as IExecuteFunctions,
		parseCredential({ accountSid: 'a', authToken: 'b', baseUrl: 'https://example.com' }),
		{ acceptedCalls: 0, getResumeKey: () => ({ execution: '7', waitId: 'w' }) },
		[{ wish: { kind: 'trigger', event: 'voiceNotification' }, isDryRun: true }],
	);
	expect(routes[0]).toMatchObject({
		ok: false,
		summary: '这个工作流没有 Yuntongxun Trigger，所以通话结果启动不了这个工作流',
	});
});

test('A list that cannot be shown says so in Chinese', async () => {
	const context = {
		...nodeContext({ appId: 'app' }),
		getCredentials: async () => CREDENTIAL,
		getCurrentNodeParameter: () => 'app',
		helpers: { httpRequestWithAuthentication: answering(200, '{"statusCode":"111106"}').http },
	};
	await expect(
		searchTemplates.call(context as unknown as ILoadOptionsFunctions),
	).rejects.toMatchObject({
		message: '请求的签名已过期（错误码 111106）',
		description: '请选“按 ID”，填模板的编号。请校准 n8n 服务器的时钟。',
	});
});
