import type {
	IDataObject,
	IExecuteFunctions,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { accountOf } from '../service/account';
import { answer } from './answers';
import { deliveryTo } from './delivery';
import { notificationItem } from './item';
import { isSignedUrl } from './signedUrl';

/** The webhook that resumes a waiting call. */
export const RESUME_WEBHOOKS: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		path: '',
		isFullPath: true,
		restartWebhook: true,
	},
];

/** What the item says while the call waits, and in the end where no result comes. */
const NO_RESULT = { outcome: 'timeout', answered: false };

/**
 * Parks the execution until the result of a call arrives or time is up. n8n then goes on with the
 * input of the node, so that is what gets the call's fields; the input itself, which other nodes
 * may share, stays as it is.
 *
 * @param call output of the accepted call
 */
export async function park(
	context: IExecuteFunctions,
	call: IDataObject,
	until: Date,
): Promise<IDataObject> {
	const json = { ...call, ...NO_RESULT };
	const executeData = context.getExecuteData();
	executeData.data = { ...executeData.data, main: [[{ json, pairedItem: { item: 0 } }]] };
	await context.putExecutionToWait(until);
	return json;
}

/** Executions of this process whose result has been taken: n8n 1 lets copies through. */
const resumed = new Set<string>();
const MOST_REMEMBERED = 10_000;

/**
 * Answers one delivery to a waiting call's own address, and resumes the execution where it is the
 * result of that call. Never throws: that would end the execution.
 *
 * @param action what the service calls the results of this kind of call
 */
export async function resumeWithResult(
	context: IWebhookFunctions,
	action: string,
): Promise<IWebhookResponseData> {
	try {
		const { url, notification } = await deliveryTo(context);
		const { authToken } = accountOf(await context.getCredentials('yuntongxunApi'));
		const now = new Date();
		if (!isSignedUrl(url, authToken, now.getTime())) return answer(context, 'notSigned');
		if (!notification) return answer(context, 'notANotification');
		const call = context.evaluateExpression('{{ $json }}') as IDataObject;
		const { outcome, answered, ...others } = notificationItem(notification, now);
		const item = { json: { ...others, ...call, outcome, answered }, pairedItem: { item: 0 } };
		const isAwaited = notification.callSid === call.callSid && notification.action === action;
		const resumes = isAwaited && isFirst(`${context.getExecutionId()}/${notification.callSid}`);
		const acknowledged = answer(context, 'acknowledged');
		return resumes ? { ...acknowledged, workflowData: [[item]] } : acknowledged;
	} catch {
		context.logger.warn('A delivery to a waiting Yuntongxun call could not be read');
		return answer(context, 'unavailable');
	}
}

/** Nothing is awaited between the question and the claim, so of copies only one is the first. */
function isFirst(call: string): boolean {
	if (resumed.has(call)) return false;
	resumed.add(call);
	if (resumed.size > MOST_REMEMBERED) resumed.delete(resumed.values().next().value ?? '');
	return true;
}
