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
 * Every resource of the node with its operations, in the order of the form; the first operation of each is selected
 * at first. With five or more, n8n's lint wants alphabetical order, but what is selected at first must never change:
 * n8n stores no parameter that equals its default, so saved nodes would change. Give the resource its own default then.
 */
export const RESOURCES: readonly Resource[] = [
	{ value: 'account', name: 'Account', operations: [getAccount] },
	{ value: 'call', name: 'Call', operations: [sendNotification, sendOwnCode, getCallResult] },
	{ value: 'sms', name: 'SMS', operations: [sendTemplateSms] },
	{ value: 'smsTemplate', name: 'SMS Template', operations: [getTemplates] },
	{
		value: 'subAccount',
		name: 'Sub-Account',
		operations: [createSubAccount, getSubAccountByName, getSubAccounts, closeSubAccount],
	},
	{ value: 'verificationCode', name: 'Verification Code', operations: [sendCode, checkCode] },
];
