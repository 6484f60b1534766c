import { readFileSync } from 'node:fs';
import { join } from 'node:path';

jest.mock('../../../nodes/Yuntongxun/language/texts', () => ({
	LANGUAGE: 'zh-CN',
	TEXTS: JSON.parse(
		readFileSync(join(__dirname, '../../../translations/zh-CN.json'), 'utf8'),
	) as object,
}));

import { YuntongxunApi } from '../../../credentials/YuntongxunApi.credentials';
import { toServiceFailure } from '../../../nodes/Yuntongxun/client/failureTable';
import { quoteService } from '../../../nodes/Yuntongxun/client/serviceFailure';
import { describeStatusCode } from '../../../nodes/Yuntongxun/client/statusCodes';
import { getRunHints, warnOfRepeating } from '../../../nodes/Yuntongxun/executor/outputs';
import { buildLimitError } from '../../../nodes/Yuntongxun/executor/errors';
import { TEXTS } from '../../../nodes/Yuntongxun/language/texts';
import { getForeignHints } from '../../../nodes/Yuntongxun/operation/phoneNumber';
import { ValidationError } from '../../../nodes/Yuntongxun/operation/validationError';
import { findOperation } from '../../../nodes/Yuntongxun/operation/defineOperation';
import { RESOURCES } from '../../../nodes/Yuntongxun/resources';
import { Yuntongxun } from '../../../nodes/Yuntongxun/Yuntongxun.node';
import { YuntongxunTrigger } from '../../../nodes/Yuntongxun/YuntongxunTrigger.node';
import { buildForm, toPhoneNumber } from '../../support/form';
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

test('Every text of the forms with a translation is translated', () => {
	const forms = [new Yuntongxun(), new YuntongxunTrigger()].map(({ description }) => description);
	const text = JSON.stringify([...forms, new YuntongxunApi().properties]);
	const texts: string[] = [];
	JSON.parse(text, (_key, value: unknown) => {
		if (typeof value === 'string' && value.includes(' ')) texts.push(value);
		return value;
	});
	expect(texts.filter((each) => (TEXTS[each] ?? each) !== each)).toEqual([]);
});

test('A refused number says in Chinese what is wrong, and what to do', () => {
	const send = findOperation(RESOURCES, 'sms', 'send');
	const { message } = thrownBy(() => send?.fields.to.read(buildForm({ to: '01012345678' })));
	expect(message).toBe('“接收号码 (To)”不是手机号。短信发不到固定电话、400 和 800 号码。');
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

test('The hints of a run are Chinese, those of an operation among them', () => {
	const called = buildItem(1, call(['1']));
	called.message.hints = getForeignHints([toPhoneNumber('+85212345678')]);
	expect(getRunHints([called])).toEqual([
		'有号码是境外号码。还没有人用本节点试过：请先用自己的号码试一次，再正式使用。',
	]);
});
test('A reached limit and what was sent in part are told in Chinese', () => {
	const limited = buildItem(0, call(['1']));
	const limit = { reason: 'limit', limit: inTotal(3), end: '2026-01-02 24:00' } as const;
	limited.status = failed(buildLimitError(limit));
	expect(showItem(limited).outputs[0].error).toMatchObject({
		message:
			'本节点的呼叫和短信，连同正在进行的，已达到“次数限制 (Limits)”的上限。请在 2026-01-02 24:00 (UTC+8) 之后再发。 [item 0]',
	});
	const others = [done({}, 2), failed(UNKNOWN), { state: 'planned' } as const].map(
		(status, index) => ({ ...buildItem(index + 1, sms(['1'])), status }),
	);
	expect(warnOfRepeating([limited, ...others], limited, true)).toBe(
		'已受理：2 个。可能已受理：1 个。请不要把全部数据项再运行一遍（“同一编号只发一次 (Send Once per ID)”可以防止重发）。第一个没有发送或没有全部发送的数据项是 3。',
	);
});
