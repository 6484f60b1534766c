import type { Resource } from '../operation/defineOperation';
import { getAccount } from './account/get';
import { getCallResult } from './call/getResult';
import { sendNotification } from './call/notify';
import { sendOwnCode } from './call/verify';
import { sendTemplateSms } from './sms/send';
import { getTemplates } from './smsTemplate/getAll';
import { closeSubAccount } from './subAccount/close';
import { createSubAccount } from './subAccount/create';
import { getSubAccounts } from './subAccount/getAll';
import { getSubAccountByName } from './subAccount/getByName';
import { checkCode } from './verificationCode/check';
import { sendCode } from './verificationCode/send';

/**
 * Every resource of the node with its operations, in the order of the form. n8n's lint wants five or
 * more of them in alphabetical order.
 */
export const RESOURCES: readonly Resource[] = [
	{ value: 'account', name: 'Account', operations: [getAccount], defaultOperation: 'get' },
	{
		value: 'call',
		name: 'Call',
		operations: [sendNotification, sendOwnCode, getCallResult],
		defaultOperation: 'notify',
	},
	{ value: 'sms', name: 'SMS', operations: [sendTemplateSms], defaultOperation: 'send' },
	{
		value: 'smsTemplate',
		name: 'SMS Template',
		operations: [getTemplates],
		defaultOperation: getTemplates.value,
	},
	{
		value: 'subAccount',
		name: 'Sub-Account',
		operations: [createSubAccount, getSubAccountByName, getSubAccounts, closeSubAccount],
		defaultOperation: 'create',
	},
	{
		value: 'verificationCode',
		name: 'Verification Code',
		operations: [sendCode, checkCode],
		defaultOperation: 'send',
	},
];
