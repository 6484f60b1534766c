import { isRegisteredNumber, type Account, type Application, type Template } from './accounts';
import { refusal, success, type Answer, type AnswerFields } from './answers';
import { compactTime, spacedTime } from './clock';
import { recipients, type OperationName, type RequestContent } from './operations';
import { findCall, type Acceptance, type AcceptedCall } from './record';
import { planCall, type ServiceState } from './state';
import type { SubAccount } from './subAccountStore';
import { broken, type Violation } from './violation';

/** Records that a list returns without `offset` (not stated by the service). */
const DEFAULT_PAGE_SIZE = 10;

/** A well-formed request of a known account. */
export interface ServiceRequest {
	readonly sequence: number;
	readonly account: Account;
	readonly content: RequestContent;
}

/** What came of a request. */
export interface Outcome {
	readonly answer: Answer;
	/** The accepted call, SMS or sub-account. */
	readonly acceptance?: Acceptance;
	/** A broken rule that only the service's own data shows. */
	readonly violation?: Violation;
}

/** What the operations need. */
export interface ServiceContext extends ServiceState {
	/** Every accepted call and SMS. */
	readonly accepted: readonly Acceptance[];
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

type Operate = (request: ServiceRequest, context: ServiceContext) => Outcome;

const field = ({ content }: ServiceRequest, name: string): string => content.fields.get(name) ?? '';

function findApplication(request: ServiceRequest): Application {
	const appId = field(request, 'appId');
	const found = request.account.applications.find((one) => one.appId === appId);
	if (!found) throw new Refused('111181');
	return found;
}

const acceptanceBase = (request: ServiceRequest, context: ServiceContext) => ({
	request: request.sequence,
	at: new Date(context.now()).toISOString(),
	accountSid: request.account.accountSid,
	appId: field(request, 'appId'),
});

function acceptCall(
	operation: 'VoiceVerify' | 'LandingCalls',
	member: string,
	orderId: (callSid: string, context: ServiceContext) => AnswerFields,
): Operate {
	return (request, context) => {
		const application = findApplication(request);
		const to = field(request, 'to');
		refuseIf(application.state === 'notLive' && !isRegisteredNumber(to), '111212');
		const now = context.now();
		const callSid = context.ids.message(now);
		const { fields } = request.content;
		const value = {
			callSid,
			dateCreated: spacedTime(now),
			...orderId(callSid, context),
		};
		return {
			answer: success({ xml: member, json: member, value }),
			acceptance: {
				...acceptanceBase(request, context),
				kind: 'call',
				operation,
				callSid,
				to,
				...(fields.has('respUrl') && { respUrl: fields.get('respUrl') }),
				...(fields.has('userData') && { userData: fields.get('userData') }),
			},
		};
	};
}

function getOrderId(callSid: string, { ids, now, settings }: ServiceContext): AnswerFields {
	const { orderId } = settings;
	const isShown = orderId === 'always' || (orderId === 'sometimes' && /[13579]$/.test(callSid));
	return isShown ? { orderid: ids.order(now()) } : {};
}

function findTemplate(request: ServiceRequest, application: Application): Template {
	const templateId = field(request, 'templateId');
	const found = request.account.templates.find((one) => one.templateId === templateId);
	if (!found) throw new Refused('112311');
	refuseIf(found.appId !== undefined && found.appId !== application.appId, '160043');
	refuseIf(found.status !== '1', '112323');
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

const sendMessage: Operate = (request, context) => {
	const { content } = request;
	const application = findApplication(request);
	const template = findTemplate(request, application);
	const to = recipients(field(request, 'to'));
	const allRegistered = to.every(isRegisteredNumber);
	refuseIf(template.isTest && !allRegistered, '113302');
	refuseIf(application.state === 'notLive' && !allRegistered, '112310');
	checkVariables(template, content.datas);
	const { fields } = content;
	const now = context.now();
	const smsMessageSid = context.ids.message(now);
	return {
		answer: success({
			xml: 'TemplateSMS',
			json: 'templateSMS',
			value: { smsMessageSid, dateCreated: compactTime(now) },
		}),
		acceptance: {
			...acceptanceBase(request, context),
			kind: 'message',
			smsMessageSid,
			to,
			templateId: template.templateId,
			datas: content.datas ?? [],
			...(fields.has('reqId') && { reqId: fields.get('reqId') }),
			...(fields.has('subAppend') && { subAppend: fields.get('subAppend') }),
		},
	};
};

const accountInfo: Operate = ({ account }) => {
	const { friendlyName, type, status, balance, subBalance } = account;
	const dateCreated = spacedTime(account.dateCreated);
	const dateUpdated = spacedTime(account.dateUpdated);
	const value = { friendlyName, type, status, dateCreated, dateUpdated, balance, subBalance };
	return { answer: success({ xml: 'Account', json: 'Account', value }) };
};

function getSecrets(subAccount: SubAccount): AnswerFields {
	const { subAccountSid, subToken, dateCreated, voipAccount, voipPwd } = subAccount;
	return { subAccountSid, subToken, dateCreated, voipAccount, voipPwd };
}

const subAccountMember = (value: AnswerFields | readonly AnswerFields[]) => ({
	xml: 'SubAccount',
	json: 'SubAccount',
	value,
});

const createSubAccount: Operate = (request, context) => {
	const { appId } = findApplication(request);
	const friendlyName = field(request, 'friendlyName');
	const created = context.subAccounts.create(appId, friendlyName);
	if (!created) throw new Refused('111150');
	return {
		answer: success(subAccountMember(getSecrets(created))),
		acceptance: {
			...acceptanceBase(request, context),
			kind: 'subAccount',
			subAccountSid: created.subAccountSid,
			friendlyName,
		},
	};
};

function openSubAccount(found: SubAccount | undefined): SubAccount {
	if (!found) throw new Refused('111157');
	refuseIf(found.closed, '111156');
	return found;
}

const querySubAccount: Operate = (request, context) => {
	const { appId } = findApplication(request);
	const store = context.subAccounts;
	const found = openSubAccount(store.byName(appId, field(request, 'friendlyName')));
	return { answer: success(subAccountMember(getSecrets(found))) };
};

const listSubAccounts: Operate = (request, context) => {
	const { appId } = findApplication(request);
	const { fields } = request.content;
	const all = context.subAccounts.list(appId);
	const start = Number(fields.get('startNo') ?? 0);
	const size = Number(fields.get('offset') ?? DEFAULT_PAGE_SIZE);
	const page = all.slice(start, start + size).map((one) => {
		const { subAccountSid, subToken, ...rest } = getSecrets(one);
		return { subAccountSid, subToken, friendlyName: one.friendlyName, ...rest };
	});
	return { answer: success(subAccountMember(page), String(all.length)) };
};

const closeSubAccount: Operate = (request, context) => {
	const store = context.subAccounts;
	store.close(openSubAccount(store.bySid(field(request, 'subAccountSid'))).subAccountSid);
	return { answer: success() };
};

/** All templates that the application may use, whatever their status, or the one that is named. */
const queryTemplates: Operate = (request, context) => {
	const { account } = request;
	const application = findApplication(request);
	const templateId = field(request, 'templateId');
	const all = account.templates.filter(
		(one) => one.appId === undefined || one.appId === application.appId,
	);
	const found = all.filter((one) => templateId === '' || one.templateId === templateId);
	refuseIf(templateId !== '' && found.length === 0, '112313');
	const value = found.map(({ templateId: id, title, content, status }) => ({
		id,
		title,
		content,
		status,
		type: '0',
		dateCreated: spacedTime(account.dateCreated),
		dateUpdated: spacedTime(account.dateUpdated),
	}));
	return {
		answer: success({ xml: 'TemplateSMS', json: context.settings.templateList, value }),
	};
};

/** A call of long ago, answered and ended. */
export const PAST_CALL = '15060215502645320001000300000001';

/** How a call ended; one that still rings looks like one that nobody answered. */
const callResult: Operate = (request, context) => {
	const callSid = field(request, 'callsid');
	const call = findCall(context.accepted, callSid);
	refuseIf(callSid !== PAST_CALL && !call, '111000');
	const { state, duration } = call ? getState(call, context) : { state: '0', duration: '30' };
	const value = { callTime: duration, state };
	return { answer: success({ xml: 'CallResult', json: 'CallResult', value }) };
};

/** A call that never has a result has an empty state. */
function getState(call: AcceptedCall, context: ServiceContext) {
	const [planned] = planCall(context, call.to);
	if (!planned) return { state: '', duration: '0' };
	const wait = planned.when === 'beforeAnswer' ? 0 : planned.when;
	const isOver = context.now() >= Date.parse(call.at) + wait;
	return isOver ? planned : { state: '1', duration: '0' };
}

const OPERATE: Readonly<Record<OperationName, Operate>> = {
	VoiceVerify: acceptCall('VoiceVerify', 'VoiceVerify', () => ({})),
	LandingCalls: acceptCall('LandingCalls', 'LandingCall', getOrderId),
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
export function operate(
	operation: OperationName,
	request: ServiceRequest,
	context: ServiceContext,
): Outcome {
	try {
		return OPERATE[operation](request, context);
	} catch (error) {
		if (!(error instanceof Refused)) throw error;
		return {
			answer: refusal(error.statusCode),
			...(error.violation && { violation: error.violation }),
		};
	}
}
