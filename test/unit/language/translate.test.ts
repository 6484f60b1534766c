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
	},
}));

import { translate, translateDescription } from '../../../nodes/Yuntongxun/language/translate';

test('A text without a translation stays English', () => {
	expect(translate('constructor')).toBe('constructor');
	expect(translate('To')).toBe('接收号码 (To)');
});

test('The name of a field decides between two meanings', () => {
	expect(translate('Count', 'playTimes')).toBe('播放次数');
	expect(translate('Count', 'limit')).toBe('数量');
});

test('What people read of a field is translated, at any depth, and what is stored is not', () => {
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
