import type { INodeProperties } from 'n8n-workflow';

jest.mock('../../../nodes/Yuntongxun/language/texts', () => ({
	LANGUAGE: 'zh-CN',
	TEXTS: {
		To: '接收号码 (To)',
		'playTimes|Count': '播放次数',
		Count: '数量',
		Day: '天',
		day: 'never: a value',
		limit: 'never: a name',
		'Number of days': '天数',
		'{count} of {1}, {code} in {to}': '{to}：{count}/{1}，{code}',
	},
}));

import { translate, translateDescription } from '../../../nodes/Yuntongxun/language/translate';

test('A text without a translation stays English', () => {
	expect(translate('constructor')).toBe('constructor');
	expect(translate('To')).toBe('接收号码 (To)');
});

test('Values fill the blanks of a text once; other braces stay', () => {
	const values = { count: 3, to: '{count}' };
	expect(translate('{count} of {1}, {code} in {to}', values)).toBe('{count}：3/{1}，{code}');
	expect(translate('untranslated {count}, {code}', values)).toBe('untranslated 3, {code}');
});

test('A text with two meanings is translated by the name of its field', () => {
	const translateLabel = (name: string) => translateDescription({ name, displayName: 'Count' });
	expect(translateLabel('playTimes')).toEqual({ name: 'playTimes', displayName: '播放次数' });
	expect(translateLabel('limit')).toEqual({ name: 'limit', displayName: '数量' });
});

test('What people read of a field is translated at any depth, and what is stored is not', () => {
	const property: INodeProperties = {
		displayName: 'Count',
		name: 'limit',
		type: 'options',
		default: 'day',
		description: 'Number of days',
		options: [{ name: 'Day', value: 'day', description: 'Number of days' }],
		typeOptions: { multipleValueButtonText: 'To' },
		displayOptions: { show: { limit: ['day'] } },
	};
	expect(translateDescription([property])).toEqual([
		{
			displayName: '数量',
			name: 'limit',
			type: 'options',
			default: 'day',
			description: '天数',
			options: [{ name: '天', value: 'day', description: '天数' }],
			typeOptions: { multipleValueButtonText: '接收号码 (To)' },
			displayOptions: { show: { limit: ['day'] } },
		},
	]);
});
