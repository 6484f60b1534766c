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
	/** The phone number that it reaches. */
	to?: string;
	/** Whether it calls, sends, creates or closes: its failures say what was accepted. */
	changes: boolean;
	/** Field of the answer without which a success tells nothing. */
	essential?: string;
}

/** No result ever comes from the simulator for a call to a number that ends in 5. */
export const EXAMPLE_NUMBER = '13800000005';

/** Name of the first sub-account that the simulator makes. */
export const FIRST_NAME = '北京分公司0001';

const reaching = { to: EXAMPLE_NUMBER, changes: true };

/** One form of every operation. Tests of all operations take theirs from here. */
export const EXAMPLE_FORMS: readonly ExampleForm[] = [
	{
		...reaching,
		resource: 'call',
		operation: 'notify',
		parameters: { to: EXAMPLE_NUMBER, content: 'text', mediaTxt: '您的订单 <42> & 已发货' },
		endpoint: 'LandingCalls',
		essential: 'callSid',
	},
	{
		...reaching,
		resource: 'call',
		operation: 'verify',
		parameters: { to: EXAMPLE_NUMBER, voice: 'default', verifyCode: '048213' },
		endpoint: 'VoiceVerify',
		essential: 'callSid',
	},
	{
		...reaching,
		resource: 'sms',
		operation: 'send',
		parameters: {
			to: EXAMPLE_NUMBER,
			templateId: '100002',
			datas: ['王 & Söhne', '10'],
		},
		endpoint: 'TemplateSMS',
		essential: 'smsMessageSid',
	},
	{
		resource: 'call',
		operation: 'getResult',
		parameters: { callSid: PAST_CALL },
		endpoint: 'CallResult',
		changes: false,
	},
	{
		resource: 'smsTemplate',
		operation: 'getAll',
		parameters: { limit: 1 },
		endpoint: 'QuerySMSTemplate',
		changes: false,
	},
	{
		resource: 'account',
		operation: 'get',
		parameters: {},
		endpoint: 'AccountInfo',
		changes: false,
		essential: 'friendlyName',
	},
	{
		resource: 'subAccount',
		operation: 'create',
		parameters: { friendlyName: 'shop1@example.com' },
		endpoint: 'SubAccounts',
		changes: true,
		essential: 'subAccountSid',
	},
	{
		resource: 'subAccount',
		operation: 'getByName',
		parameters: { friendlyName: FIRST_NAME },
		endpoint: 'QuerySubAccountByName',
		changes: false,
		essential: 'subAccountSid',
	},
	{
		resource: 'subAccount',
		operation: 'getAll',
		parameters: {},
		endpoint: 'GetSubAccounts',
		changes: false,
		essential: 'totalCount',
	},
	{
		resource: 'subAccount',
		operation: 'close',
		parameters: { subAccountSid: 'a'.repeat(32) },
		endpoint: 'CloseSubAccount',
		changes: true,
	},
	{
		...reaching,
		resource: 'verificationCode',
		operation: 'send',
		parameters: { to: EXAMPLE_NUMBER, channel: 'call' },
		endpoint: 'VoiceVerify',
		essential: 'callSid',
	},
	{
		resource: 'verificationCode',
		operation: 'check',
		parameters: { verificationToken: 'a token of somebody else', code: '048213' },
		changes: false,
	},
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
