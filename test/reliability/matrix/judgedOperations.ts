import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Acceptance, Alteration, OperationName, Simulator } from '../../../simulator/index';
import { EXAMPLE_FORMS, toParameters } from '../../support/exampleForms';
import type { ExampleForm } from '../../support/exampleForms';

/** The two formats, as a credential's field and as the service's answers. */
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
	/** Answers without a whole result that say enough, and whether the output is right then. */
	readonly enough?: Partial<Record<Alteration, (judged: Judged) => boolean>>;
	parameters(format: Format, before: Before): INodeParameters;
	/** Whether a result is the one that the service's own record knows of. */
	isRight(judged: Judged): boolean;
}

const acceptedId = (accepted: Acceptance | undefined): string => {
	if (accepted?.kind === 'call') return accepted.callSid;
	if (accepted?.kind === 'message') return accepted.smsMessageSid;
	return accepted?.subAccountSid ?? 'nothing was accepted';
};

/** Which of the sub-accounts there are is closed with which format. */
const closedWith = (format: Format, { subAccounts }: Before): string =>
	subAccounts[1 + FORMATS.indexOf(format)];

/** What judges an operation, beside its example form. */
type Judging = Partial<Pick<MatrixOperation, 'isRecorded' | 'enough' | 'parameters'>> &
	Pick<MatrixOperation, 'isRight'>;

const givesId =
	(name: string) =>
	({ json, accepted }: Judged) =>
		json.length === 1 && json[0][name] === acceptedId(accepted);

/** Closing has no result: `000000` says everything. */
const isClosed = ({ json, before, format }: Judged) =>
	json.length === 1 &&
	json[0].closed === true &&
	json[0].subAccountSid === closedWith(format, before);

/** No state that can be read. */
const isUnknown = ({ json }: Judged) =>
	json.length === 1 && json[0].outcome === 'unknown' && json[0].answered === false;

/** By `<resource>.<operation>`. An operation that makes a request and is not here fails the matrix. */
const JUDGING: Record<string, Judging> = {
	'call.notify': { isRecorded: true, isRight: givesId('callSid') },
	'call.verify': { isRecorded: true, isRight: givesId('callSid') },
	'verificationCode.send': { isRecorded: true, isRight: givesId('callSid') },
	'sms.send': { isRecorded: true, isRight: givesId('smsMessageSid') },
	'call.getResult': {
		isRight: ({ json }) =>
			json.length === 1 && json[0].outcome === 'completed' && json[0].durationSeconds === 30,
		enough: { withoutValues: isUnknown },
	},
	'smsTemplate.get': {
		isRight: ({ json }) => json.length === 1 && json[0].id === '100002' && json[0].variables === 2,
	},
	'smsTemplate.getAll': {
		isRight: ({ json }) =>
			json.length === 1 && json[0].id === '1' && json[0].statusName === 'Approved',
		enough: { statusAlone: ({ json }) => json.length === 0 },
	},
	'account.get': {
		isRight: ({ json, simulator }) =>
			json.length === 1 && json[0].friendlyName === simulator.account().friendlyName,
	},
	'subAccount.create': {
		isRecorded: true,
		parameters: (format) => ({
			resource: 'subAccount',
			operation: 'create',
			friendlyName: `new-${format}`,
		}),
		isRight: (judged) => givesId('subAccountSid')(judged) && judged.json[0].created === true,
	},
	'subAccount.getByName': {
		isRight: ({ json, before }) =>
			json.length === 1 && json[0].subAccountSid === before.subAccounts[0],
	},
	'subAccount.getAll': {
		isRight: ({ json, before }) =>
			json.some(({ subAccountSid }) => subAccountSid === before.subAccounts[0]) &&
			json.every(({ subAccountSid }) => /^[0-9a-f]{32}$/.test(String(subAccountSid))),
	},
	'subAccount.close': {
		enough: { statusAlone: isClosed, withoutValues: isClosed },
		parameters: (format, before) => ({
			resource: 'subAccount',
			operation: 'close',
			subAccountSid: { __rl: true, mode: 'id', value: closedWith(format, before) },
		}),
		isRight: isClosed,
	},
};

function matrixOperation(form: ExampleForm, endpoint: OperationName): MatrixOperation {
	const name = `${form.resource}.${form.operation}`;
	const judging = JUDGING[name];
	if (judging === undefined) throw new Error(`The matrix cannot judge ${name}: add it to JUDGING`);
	return {
		name,
		endpoint,
		to: form.to,
		changes: form.changes,
		isRecorded: false,
		parameters: () => toParameters(form),
		...judging,
	};
}

/** All operations of the node that make a request. */
export const OPERATIONS: readonly MatrixOperation[] = EXAMPLE_FORMS.flatMap((form) =>
	form.endpoint === undefined ? [] : [matrixOperation(form, form.endpoint)],
);
