import type { Operation, Resource } from '../operation/defineOperation';
import { get } from './account/get';
import { getResult } from './call/getResult';
import { notify } from './call/notify';
import { verify } from './call/verify';
import { send as sendTemplate } from './sms/send';
import { getTemplate } from './smsTemplate/get';
import { listTemplates } from './smsTemplate/getAll';
import { close } from './subAccount/close';
import { create } from './subAccount/create';
import { getAll } from './subAccount/getAll';
import { getByName } from './subAccount/getByName';
import { check } from './verificationCode/check';
import { send as sendCode } from './verificationCode/send';

/** Every resource of the node with its operations, in the order of the form. */
export const RESOURCES: readonly Resource[] = [
	{ value: 'account', name: 'Account', operations: [get], defaultOperation: 'get' },
	{ value: 'sms', name: 'SMS', operations: [sendTemplate], defaultOperation: 'send' },
	{
		value: 'smsTemplate',
		name: 'SMS Template',
		operations: [getTemplate, listTemplates],
		defaultOperation: listTemplates.value,
	},
	{
		value: 'subAccount',
		name: 'Sub-Account',
		operations: [create, getByName, getAll, close],
		defaultOperation: 'create',
	},
	{
		value: 'verificationCode',
		name: 'Verification Code',
		operations: [sendCode, check],
		defaultOperation: 'send',
	},
	{
		value: 'call',
		name: 'Voice Call',
		operations: [notify, verify, getResult],
		defaultOperation: 'notify',
	},
];

/** The operation of a resource by their values; undefined if there is none. */
export function findOperation(resource: string, operation: string): Operation | undefined {
	return RESOURCES.find(({ value }) => value === resource)?.operations.find(
		({ value }) => value === operation,
	);
}
