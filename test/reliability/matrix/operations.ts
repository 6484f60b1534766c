import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Acceptance, OperationName, Simulator } from '../../../simulator/index';
import { EXAMPLE_NUMBER, exampleForm, toParameters } from '../../support/exampleForms';

/** The two formats, as a credential's field and as the service's answers. */
export const FORMATS = ['json', 'xml'] as const;
export type Format = (typeof FORMATS)[number];

/** What is to be judged about a result. */
export interface Judged {
	json: Array<INodeExecutionData['json']>;
	simulator: Simulator;
	/** What the service took on by this request. */
	accepted: Acceptance | undefined;
}

/** One operation of the node, as the matrix drives it. */
export interface MatrixOperation {
	readonly name: string;
	readonly endpoint: OperationName;
	/** Whom it reaches; in the error item under `to`. */
	readonly to?: string;
	/** Whether it calls or sends: its failures say what was accepted. */
	readonly changes: boolean;
	readonly parameters: INodeParameters;
	/** Whether a result is the one that the service's own record knows of. */
	isRight(judged: Judged): boolean;
}

const SEVERAL = [EXAMPLE_NUMBER, '13900000005', '13700000005'].join(',');

/**
 * One of each kind: a call, an SMS to several numbers, and a request that only reads. All operations
 * share one client, which lint holds, so that what it makes of a fault is the same for the others.
 */
export const OPERATIONS: readonly MatrixOperation[] = [
	{
		name: 'call.notify',
		endpoint: 'LandingCalls',
		to: EXAMPLE_NUMBER,
		changes: true,
		parameters: toParameters(exampleForm('call', 'notify')),
		isRight: ({ json, accepted }) =>
			json.length === 1 && accepted?.kind === 'call' && json[0].callSid === accepted.callSid,
	},
	{
		name: 'sms.send',
		endpoint: 'TemplateSMS',
		to: SEVERAL,
		changes: true,
		parameters: { ...toParameters(exampleForm('sms', 'send')), to: SEVERAL },
		isRight: ({ json, accepted }) =>
			json.length === 1 &&
			accepted?.kind === 'message' &&
			json[0].smsMessageSid === accepted.smsMessageSid,
	},
	{
		name: 'account.get',
		endpoint: 'AccountInfo',
		changes: false,
		parameters: toParameters(exampleForm('account', 'get')),
		isRight: ({ json, simulator }) =>
			json.length === 1 && json[0].friendlyName === simulator.account().friendlyName,
	},
];
