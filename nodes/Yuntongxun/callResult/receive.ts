import { NodeOperationError } from 'n8n-workflow';
import type { IHookFunctions, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { accountOf } from '../service/account';
import { answer } from './answers';
import { deliveryTo } from './delivery';
import type { Delivery } from './delivery';
import { isRepeated } from './duplicates';
import { notificationItem } from './item';
import { outcomeOf } from './notification';
import type { EventName, Notification, OutcomeName } from './notification';
import { isRegistered } from './registry';
import { canHandOn, handOn, mayHandOn, resumeUrlIn } from './relay';
import { isSignedUrl } from './signedUrl';

interface TriggerOptions {
	outcomes?: OutcomeName[];
	requireSignedUrl?: boolean;
	ignoreDuplicates?: boolean;
}

/** Answers one delivery to the trigger's address and starts the workflow where it asks for that. */
export async function receiveNotification(
	context: IWebhookFunctions,
): Promise<IWebhookResponseData> {
	const delivery = await deliveryTo(context);
	const resumeUrl = resumeUrlIn(delivery.url);
	if (resumeUrl !== undefined) return await relay(context, delivery, resumeUrl);

	const options = context.getNodeParameter('options', {}) as TriggerOptions;
	const now = new Date();
	if (options.requireSignedUrl) {
		const authToken = await authTokenOf(context);
		if (authToken === undefined || !isSignedUrl(delivery.url, authToken, now.getTime())) {
			return answer(context, 'notSigned');
		}
	}
	const { notification } = delivery;
	if (!notification) return answer(context, 'notANotification');
	const isNews =
		isWanted(context, notification, options) &&
		!((options.ignoreDuplicates ?? true) && isCopy(context, notification, now));
	const acknowledged = answer(context, 'acknowledged');
	return isNews
		? { ...acknowledged, workflowData: [[{ json: notificationItem(notification, now) }]] }
		: acknowledged;
}

/** A result that a waiting execution is to get: this trigger only hands it on. */
async function relay(
	context: IWebhookFunctions,
	{ url, body, notification }: Delivery,
	resumeUrl: string,
): Promise<IWebhookResponseData> {
	const authToken = await authTokenOf(context);
	if (authToken === undefined || !mayHandOn(url, resumeUrl, authToken, Date.now())) {
		return answer(context, 'notSigned');
	}
	if (!notification) return answer(context, 'notANotification');
	if (!canHandOn()) return answer(context, 'unavailable');
	void handOn(context, resumeUrl, body.toString('utf8'));
	return answer(context, 'acknowledged');
}

/**
 * Whether n8n need not call `create`: the address is registered. A trigger that is to check
 * signatures without a credential is refused here, when its workflow is activated.
 *
 * @throws NodeOperationError
 */
export async function checkTrigger(context: IHookFunctions): Promise<boolean> {
	const { requireSignedUrl } = context.getNodeParameter('options', {}) as TriggerOptions;
	if (requireSignedUrl && !context.getNode().credentials?.yuntongxunApi) {
		throw new NodeOperationError(
			context.getNode(),
			'Require Signed URL needs a Yuntongxun API credential: choose the account that makes the calls',
		);
	}
	return isRegistered(context);
}

/** The token of the trigger's account; undefined for a trigger without a usable credential. */
async function authTokenOf(context: IWebhookFunctions): Promise<string | undefined> {
	try {
		return accountOf(await context.getCredentials('yuntongxunApi')).authToken;
	} catch {
		return undefined;
	}
}

/** While a workflow is tried by hand, the same result may be sent again and again. */
function isCopy(context: IWebhookFunctions, { action, callSid }: Notification, now: Date): boolean {
	return (
		context.getMode() !== 'manual' &&
		callSid !== '' &&
		isRepeated(context, [action, callSid], now.getTime())
	);
}

function isWanted(
	context: IWebhookFunctions,
	notification: Notification,
	{ outcomes = [] }: TriggerOptions,
): boolean {
	const events = context.getNodeParameter('events', []) as EventName[];
	return (
		events.includes(notification.event) &&
		(notification.event === 'other' ||
			outcomes.length === 0 ||
			outcomes.includes(outcomeOf(notification)))
	);
}
