import type { IDataObject } from 'n8n-workflow';

/**
 * The vendor's own template, the only one that a trial account may send. The list of an account's
 * templates lacks it. Its text is publicly known; untried against the live service.
 */
export const VENDOR_TEMPLATE: Readonly<IDataObject> = {
	id: '1',
	content: '【云通讯】您使用的是云通讯短信模板，您的验证码是{1}，请于{2}分钟内正确输入',
};
