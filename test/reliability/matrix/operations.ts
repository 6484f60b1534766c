import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { operation } from '../../engine/support/expectations';
import type { Acceptance, OperationName, Simulator } from '../../simulator';

/** The two formats, as a node's option and as the service's answers. */
export const FORMATS = ['json', 'xml'] as const;
export type Format = (typeof FORMATS)[number];

/** What the service holds before the requests of one wave come. */
export interface Before {
	/** Open sub-accounts: the first one is looked up, the others are closed, one a format. */
	subAccounts: string[];
}

/** What is to be judged about a result. */
export interface Judged {
	json: Array<INodeExecutionData['json']>;
	simulator: Simulator;
	before: Before;
	/** What the service took on by this request. */
	accepted: Acceptance | undefined;
	format: Format;
}

/** One operation of the node, as the matrix drives it. */
export interface MatrixOperation {
	readonly name: string;
	readonly endpoint: OperationName;
	/** Whom it reaches; in the error item under `to`. */
	readonly to?: string;
	/** Whether it calls, sends, creates or closes: its failures say what was accepted. */
	readonly changes: boolean;
	/** Whether the service's record shows what came of it. */
	readonly isRecorded: boolean;
	/** Whether `000000` alone says everything. */
	readonly needsNoResult?: boolean;
	parameters(format: Format, before: Before): INodeParameters;
	/** Whether a result is the one that the service's own record knows of. */
	isRight(judged: Judged): boolean;
}

const NUMBER = '13800000005';

const idOf = (accepted: Acceptance | undefined): string => {
	if (accepted?.kind === 'call') return accepted.callSid;
	if (accepted?.kind === 'message') return accepted.smsMessageSid;
	return accepted?.subAccountSid ?? 'nothing was accepted';
};

/** Which of the sub-accounts there are is closed with which format. */
const closedWith = (format: Format, { subAccounts }: Before): string =>
	subAccounts[1 + FORMATS.indexOf(format)];

/** Name of the first sub-account that the simulator makes. */
const FIRST_NAME = '北京分公司0001';

/** All operations of the node. */
export const OPERATIONS: readonly MatrixOperation[] = [
	{
		name: 'call.notify',
		endpoint: 'LandingCalls',
		to: NUMBER,
		changes: true,
		isRecorded: true,
		parameters: (wireFormat) =>
			operation('call', 'notify', { to: NUMBER, mediaTxt: 'Hello' }, { wireFormat }),
		isRight: ({ json, accepted }) => json.length === 1 && json[0].callSid === idOf(accepted),
	},
	{
		name: 'call.verify',
		endpoint: 'VoiceVerify',
		to: NUMBER,
		changes: true,
		isRecorded: true,
		parameters: (wireFormat) =>
			operation('call', 'verify', { to: NUMBER, verifyCode: '1234' }, { wireFormat }),
		isRight: ({ json, accepted }) => json.length === 1 && json[0].callSid === idOf(accepted),
	},
	{
		name: 'sms.send',
		endpoint: 'TemplateSMS',
		to: NUMBER,
		changes: true,
		isRecorded: true,
		parameters: (wireFormat) =>
			operation('sms', 'send', { to: NUMBER, templateId: '100000' }, { wireFormat }),
		isRight: ({ json, accepted }) => json.length === 1 && json[0].smsMessageSid === idOf(accepted),
	},
	{
		name: 'account.get',
		endpoint: 'AccountInfo',
		changes: false,
		isRecorded: false,
		parameters: (wireFormat) => operation('account', 'get', {}, { wireFormat }),
		isRight: ({ json, simulator }) =>
			json.length === 1 && json[0].friendlyName === simulator.accounts.get('default')?.friendlyName,
	},
	{
		name: 'subAccount.create',
		endpoint: 'SubAccounts',
		changes: true,
		isRecorded: true,
		parameters: (wireFormat) =>
			operation('subAccount', 'create', { friendlyName: `new-${wireFormat}` }, { wireFormat }),
		isRight: ({ json, accepted }) =>
			json.length === 1 && json[0].subAccountSid === idOf(accepted) && json[0].created === true,
	},
	{
		name: 'subAccount.getByName',
		endpoint: 'QuerySubAccountByName',
		changes: false,
		isRecorded: false,
		parameters: (wireFormat) =>
			operation('subAccount', 'getByName', { friendlyName: FIRST_NAME }, { wireFormat }),
		isRight: ({ json, before }) =>
			json.length === 1 && json[0].subAccountSid === before.subAccounts[0],
	},
	{
		name: 'subAccount.getAll',
		endpoint: 'GetSubAccounts',
		changes: false,
		isRecorded: false,
		parameters: (wireFormat) => operation('subAccount', 'getAll', {}, { wireFormat }),
		isRight: ({ json, before }) =>
			json.some(({ subAccountSid }) => subAccountSid === before.subAccounts[0]) &&
			json.every(({ subAccountSid }) => /^[0-9a-f]{32}$/.test(String(subAccountSid))),
	},
	{
		name: 'subAccount.close',
		endpoint: 'CloseSubAccount',
		changes: true,
		isRecorded: false,
		needsNoResult: true,
		parameters: (wireFormat, before) => {
			const value = closedWith(wireFormat, before);
			return operation(
				'subAccount',
				'close',
				{ subAccountSid: { __rl: true, mode: 'id', value } },
				{ wireFormat },
			);
		},
		isRight: ({ json, before, format }) =>
			json.length === 1 &&
			json[0].closed === true &&
			json[0].subAccountSid === closedWith(format, before),
	},
];
