import type { INodeParameters } from 'n8n-workflow';

import { findOperation } from '../../nodes/Yuntongxun/operation/defineOperation';
import { RESOURCES } from '../../nodes/Yuntongxun/resources';
import { PAST_CALL } from '../../simulator/index';
import type { OperationName } from '../../simulator/index';

/** One filled-in form of an operation, and what tests of every operation need to know of it. */
export interface ExampleForm {
	resource: string;
	operation: string;
	/** The least that the form must hold. */
	parameters: INodeParameters;
	/** The first operation of the service that it calls; undefined if it makes no request. */
	endpoint?: OperationName;
	/** Whether it calls, sends, creates or closes: its failures say what was accepted. */
	changes: boolean;
	/** Field of the answer without which a success tells nothing. */
	essential?: string;
}

/** No result ever comes from the simulator for a call to a number that ends in 5. */
export const EXAMPLE_NUMBER = '13800000005';

/** Name of the first sub-account that the simulator makes. */
export const FIRST_NAME = '北京分公司0001';

/** The form of an operation that reads. @param essential the field without which its answer tells nothing */
function reading(
	name: string,
	endpoint: OperationName | undefined,
	parameters: INodeParameters,
	essential?: string,
): ExampleForm {
	const [resource, operation] = name.split('.');
	return { resource, operation, endpoint, parameters, essential, changes: false };
}

/** The same of one that calls, sends, creates or closes. */
const acting = (...about: Parameters<typeof reading>): ExampleForm => ({
	...reading(...about),
	changes: true,
});

const to = EXAMPLE_NUMBER;
const NOTICE = { to, content: 'text', mediaTxt: '您的订单 <42> & 已发货' };
const SMS = { to, templateId: '100002', datas: ['王 & Söhne', '10'] };
const FORGED = { verificationToken: 'a token of somebody else', code: '048213' };

/** One form of every operation. Tests of all operations take theirs from here. */
export const EXAMPLE_FORMS: readonly ExampleForm[] = [
	acting('call.notify', 'LandingCalls', NOTICE, 'callSid'),
	acting('call.verify', 'VoiceVerify', { to, voice: 'default', verifyCode: '048213' }, 'callSid'),
	acting('sms.send', 'TemplateSMS', SMS, 'smsMessageSid'),
	reading('call.getResult', 'CallResult', { callSid: PAST_CALL }),
	reading('smsTemplate.getAll', 'QuerySMSTemplate', { limit: 1 }),
	reading('account.get', 'AccountInfo', {}, 'friendlyName'),
	acting(
		'subAccount.create',
		'SubAccounts',
		{ friendlyName: 'shop1@example.com' },
		'subAccountSid',
	),
	reading(
		'subAccount.getByName',
		'QuerySubAccountByName',
		{ friendlyName: FIRST_NAME },
		'subAccountSid',
	),
	reading('subAccount.getAll', 'GetSubAccounts', {}, 'totalCount'),
	acting('subAccount.close', 'CloseSubAccount', { subAccountSid: 'a'.repeat(32) }),
	acting('verificationCode.send', 'VoiceVerify', { to, channel: 'call' }, 'callSid'),
	reading('verificationCode.check', undefined, FORGED),
];

/** The form of an operation. @throws Error if the table has none */
export function exampleForm(resource: string, operation: string): ExampleForm {
	const form = EXAMPLE_FORMS.find(
		(each) => each.resource === resource && each.operation === operation,
	);
	if (form) return form;
	throw new Error(`test/support/exampleForms.ts has no form for ${resource}.${operation}`);
}

/** Whether an operation, such as `sms.send`, sends the ID of an application. */
export function takesAppId(name: string): boolean {
	const [resource, operation] = name.split('.');
	return Object.hasOwn(findOperation(RESOURCES, resource, operation)?.fields ?? {}, 'appId');
}

/** A form as the node's parameters. */
export const toParameters = (
	{ resource, operation, parameters }: ExampleForm,
	options: INodeParameters = {},
): INodeParameters => ({ resource, operation, ...parameters, options });
