import { readFileSync } from 'node:fs';
import { join } from 'node:path';

jest.mock('../../../nodes/Yuntongxun/language/texts', () => ({
	LANGUAGE: 'zh-CN',
	TEXTS: JSON.parse(
		readFileSync(join(__dirname, '../../../translations/zh-CN.json'), 'utf8'),
	) as object,
}));

import { smsNumbers, callNumber } from '../../../nodes/Yuntongxun/operation/phoneNumber';
import { ValidationError } from '../../../nodes/Yuntongxun/operation/validationError';
import { findOperation } from '../../../nodes/Yuntongxun/resources';
import { formOf, propertyOf } from '../../support/form';

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

const to = propertyOf({ displayName: '接收号码 (To)' });

test('A refused number says in Chinese what is wrong, and what to do', () => {
	const send = findOperation('sms', 'send');
	const { message } = thrownBy(() => send?.fields.to.read(formOf({ to: '1.38E+10' })));
	expect(message).toBe(
		'“接收号码 (To)”是科学计数法。号码被表格软件缩写了。请把这一列设为文本格式，再读一次文件。',
	);
});

test('Several refused numbers share one sentence', () => {
	const numbers = ['abc', '1380000000', '13800000001'];
	expect(thrownBy(() => smsNumbers(numbers, to, formOf())).message).toBe(
		'“接收号码 (To)”里有 2 项不能用：第 1 项含有字母，第 2 项有 10 位数字。请填 5 到 20 位的号码。手机号有 11 位。',
	);
});

test.each<[unknown, string]>([
	['', '没有填'],
	[['13800000000'], '是列表'],
	['13800000000,13800000001', '里不止一个号码'],
	['undefined', '的值是“undefined”这个词'],
	['110', '是紧急号码'],
	['12', '有 2 位数字'],
])('A call to %j is refused in Chinese', (value, flaw) => {
	const { summary, remedy } = thrownBy(() => callNumber(value, to, formOf()));
	expect(summary).toBe(`“接收号码 (To)”${flaw}`);
	expect(remedy).not.toMatch(/[A-Za-z]+ [a-z]+ [a-z]+/);
});
