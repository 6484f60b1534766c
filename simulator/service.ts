import {
	ACCOUNT_INFO,
	findApplicationState,
	isRegisteredNumber,
	TEMPLATES,
	type Template,
} from './accounts';
import { refusal, success, type Answer, type AnswerFields, type AnswerMember } from './answers';
import { planResults } from './callResults';
import { compactTime, spacedTime } from './clock';
import { makeMessageId, makeOrderId } from './ids';
import { recipients, type OperationName, type RequestContent } from './operations';
import { findCall, type Acceptance, type AcceptedCall } from './record';
import type { ServiceState } from './state';
import { makeSubAccount, type SubAccount } from './subAccounts';
import { broken, type Violation } from './violation';

/** Records that a list returns without `offset` (not stated by the service). */
const DEFAULT_PAGE_SIZE = 10;

/** A well-formed request, and what the service knows when it comes. */
export interface ServiceRequest extends RequestContent {
	readonly state: ServiceState;
	/** Everything that was accepted before. */
	readonly accepted: readonly Acceptance[];
}

/** What came of a request. */
export interface Outcome {
	readonly answer: Answer;
	/** The accepted call, SMS or sub-account. */
	readonly acceptance?: Acceptance;
	/** A broken rule that only the service's own data shows. */
	readonly violation?: Violation;
}

/** Ends an operation with the code of a refusal. */
class Refused extends Error {
	override readonly name = 'Refused';

	constructor(
		readonly statusCode: string,
		readonly violation?: Violation,
	) {
		super(statusCode);
	}
}

const refuseIf = (condition: boolean, statusCode: string): void => {
	if (condition) throw new Refused(statusCode);
};

type Operate = (request: ServiceRequest) => Outcome;

const getField = ({ fields }: ServiceRequest, name: string): string => fields.get(name) ?? '';

/** The application that a request names. */
function findApplication(request: ServiceRequest) {
	const appId = getField(request, 'appId');
	const state = findApplicationState(appId);
	if (!state) throw new Refused('111181');
	return { appId, isLive: state === 'live' };
}

const acceptCall =
	(operation: 'VoiceVerify' | 'LandingCalls', name: string): Operate =>
	(request) => {
		const { isLive } = findApplication(request);
		const { fields, state } = request;
		const to = getField(request, 'to');
		refuseIf(!isLive && !isRegisteredNumber(to), '111212');
		const now = state.now();
		const callSid = makeMessageId(now);
		// Optional, and when it comes is not shown (specification 2.2).
		const hasOrderId = operation === 'LandingCalls' && fields.has('mediaName');
		const value = {
			callSid,
			dateCreated: spacedTime(now),
			...(hasOrderId && { orderid: makeOrderId(now) }),
		};
		return {
			answer: success({ name, value }),
			acceptance: {
				kind: 'call',
				at: now,
				operation,
				callSid,
				to,
				respUrl: fields.get('respUrl'),
				userData: fields.get('userData'),
			},
		};
	};

function findTemplate(request: ServiceRequest, appId: string): Template {
	const templateId = getField(request, 'templateId');
	const found = TEMPLATES.find((one) => one.templateId === templateId);
	if (!found) throw new Refused('112311');
	refuseIf(found.appId !== undefined && found.appId !== appId, '160043');
	refuseIf(!found.isApproved, '112323');
	return found;
}

const isNumeric = (value: string): boolean => /^\d+$/.test(value);

function checkVariables(template: Template, datas: readonly string[] | undefined): void {
	if (template.variables === 0 && datas !== undefined) {
		const words = `datas must be left out: template ${template.templateId} has no variables`;
		throw new Refused('160052', broken('datas', words, '160052'));
	}
	refuseIf(template.variables > 0 && datas === undefined, '112308');
	refuseIf((datas ?? []).length !== template.variables, '160052');
	refuseIf(template.isTest && !(datas ?? []).every(isNumeric), '160069');
}

const sendMessage: Operate = (request) => {
	const { datas, state } = request;
	const { appId, isLive } = findApplication(request);
	const template = findTemplate(request, appId);
	const to = recipients(getField(request, 'to'));
	const allRegistered = to.every(isRegisteredNumber);
	refuseIf(template.isTest && !allRegistered, '113302');
	refuseIf(!isLive && !allRegistered, '112310');
	checkVariables(template, datas);
	const now = state.now();
	const smsMessageSid = makeMessageId(now);
	const { templateId } = template;
	return {
		answer: success({
			name: 'TemplateSMS',
			jsonName: 'templateSMS',
			value: { smsMessageSid, dateCreated: compactTime(now) },
		}),
		acceptance: {
			kind: 'message',
			smsMessageSid,
			to,
			templateId,
			datas: datas ?? [],
		},
	};
};

const accountInfo: Operate = () => ({ answer: success({ name: 'Account', value: ACCOUNT_INFO }) });

const subAccountMember = (value: AnswerMember['value']): AnswerMember => ({
	name: 'SubAccount',
	value,
});

function getSecrets(subAccount: SubAccount): AnswerFields {
	const { subAccountSid, subToken, dateCreated, voipAccount, voipPwd } = subAccount;
	return { subAccountSid, subToken, dateCreated, voipAccount, voipPwd };
}

const createSubAccount: Operate = (request) => {
	const { appId } = findApplication(request);
	const { subAccounts, now } = request.state;
	const friendlyName = getField(request, 'friendlyName');
	refuseIf(
		subAccounts.some((one) => one.friendlyName === friendlyName),
		'111150',
	);
	const created = makeSubAccount(appId, friendlyName, now());
	subAccounts.push(created);
	return {
		answer: success(subAccountMember(getSecrets(created))),
		acceptance: { kind: 'subAccount', friendlyName },
	};
};

/** The open sub-account that has these members. */
function findSubAccount({ state }: ServiceRequest, members: Partial<SubAccount>): SubAccount {
	const wanted = Object.entries(members);
	const found = state.subAccounts.find((one) =>
		wanted.every(([name, value]) => one[name as keyof SubAccount] === value),
	);
	if (!found) throw new Refused('111157');
	refuseIf(found.isClosed, '111156');
	return found;
}

const querySubAccount: Operate = (request) => {
	const { appId } = findApplication(request);
	const friendlyName = getField(request, 'friendlyName');
	const found = findSubAccount(request, { appId, friendlyName });
	return { answer: success(subAccountMember(getSecrets(found))) };
};

const listSubAccounts: Operate = (request) => {
	const { appId } = findApplication(request);
	const { fields, state } = request;
	const all = state.subAccounts.filter((one) => one.appId === appId && !one.isClosed);
	const start = Number(fields.get('startNo') ?? 0);
	const size = Number(fields.get('offset') ?? DEFAULT_PAGE_SIZE);
	const page = all.slice(start, start + size).map((one) => {
		const { subAccountSid, subToken, ...rest } = getSecrets(one);
		return { subAccountSid, subToken, friendlyName: one.friendlyName, ...rest };
	});
	return { answer: { ...success(subAccountMember(page)), totalCount: String(all.length) } };
};

const closeSubAccount: Operate = (request) => {
	const subAccountSid = getField(request, 'subAccountSid');
	findSubAccount(request, { subAccountSid }).isClosed = true;
	return { answer: success() };
};

/** All templates that the application may use, whatever their status, or the one that is named. */
const queryTemplates: Operate = (request) => {
	const { appId } = findApplication(request);
	const templateId = getField(request, 'templateId');
	const found = TEMPLATES.filter(
		(one) => (one.appId ?? appId) === appId && (templateId === '' || one.templateId === templateId),
	);
	refuseIf(templateId !== '' && found.length === 0, '112313');
	const { dateCreated, dateUpdated } = ACCOUNT_INFO;
	const value = found.map(({ templateId: id, title, content, isApproved }) => ({
		id,
		title,
		content,
		status: isApproved ? '1' : '0',
		type: '0',
		dateCreated,
		dateUpdated,
	}));
	return { answer: success({ name: 'TemplateSMS', value }) };
};

/** A call of long ago, answered and ended. */
export const PAST_CALL = '15060215502645320001000300000001';

/** How a call ended; one that still rings looks like one that nobody answered. */
const callResult: Operate = (request) => {
	const callSid = getField(request, 'callsid');
	const call = findCall(request.accepted, callSid);
	refuseIf(callSid !== PAST_CALL && !call, '111000');
	const { state, duration } = call
		? getResult(call, request.state)
		: { state: '0', duration: '30' };
	const value = { callTime: duration, state };
	return { answer: success({ name: 'CallResult', value }) };
};

/** A call that never has a result has an empty state. */
function getResult(call: AcceptedCall, { settings, now }: ServiceState) {
	const [planned] = planResults(call.to, settings.callResultDelayMs);
	if (!planned) return { state: '', duration: '0' };
	const wait = planned.when === 'beforeAnswer' ? 0 : planned.when;
	const isOver = now() >= call.at + wait;
	return isOver ? planned : { state: '1', duration: '0' };
}

const OPERATE: Readonly<Record<OperationName, Operate>> = {
	VoiceVerify: acceptCall('VoiceVerify', 'VoiceVerify'),
	LandingCalls: acceptCall('LandingCalls', 'LandingCall'),
	TemplateSMS: sendMessage,
	AccountInfo: accountInfo,
	SubAccounts: createSubAccount,
	QuerySubAccountByName: querySubAccount,
	GetSubAccounts: listSubAccounts,
	CloseSubAccount: closeSubAccount,
	QuerySMSTemplate: queryTemplates,
	CallResult: callResult,
};

/**
 * Carries out a request that keeps every rule of form (specification 2 to 4).
 * @returns the answer, and what was accepted; nothing if the answer is a refusal
 */
export function operate(operation: OperationName, request: ServiceRequest): Outcome {
	try {
		return OPERATE[operation](request);
	} catch (error) {
		if (!(error instanceof Refused)) throw error;
		return { answer: refusal(error.statusCode), violation: error.violation };
	}
}
