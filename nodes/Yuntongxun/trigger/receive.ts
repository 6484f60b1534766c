import type { IExecuteFunctions, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isSignedByAccount } from '../callbacks/accountSignature';
import { getOutcome } from '../callbacks/callEvent';
import type { ResumeAddress } from '../callbacks/callbackUrl';
import { isCallEvent, parseNotification, toItemJson } from '../callbacks/notification';
import type { Notification } from '../callbacks/notification';
import { acknowledge, readRequest, reject, waitForResponse } from '../callbacks/webhook';
import { hasRoom } from '../waiting/deliveries';
import { Inbox } from '../waiting/inbox';
import { answerQuestion } from '../waiting/triggerQuestion';
import { forgetNotification, isDuplicate } from './deduplication';
import { logUnstarted } from './unstartedEvents';

interface TriggerOptions {
	outcomes?: string[];
	requireSignedUrl?: boolean;
	ignoreDuplicates?: boolean;
}

/**
 * Answers a delivery to the trigger. Starts the workflow if the trigger listens for the event. A
 * result for a waiting execution, which the URL names, goes to the relay instead.
 */
export async function receiveNotification(
	context: IWebhookFunctions,
): Promise<IWebhookResponseData> {
	// Any delivery makes the relay go on with what was stored before n8n started.
	const inbox = await Inbox.open(context);
	const { address, body } = await readRequest(context);
	const receivedAt = Date.now();
	const answered = await answerQuestion(context, address, receivedAt);
	if (answered) return answered;

	const { resume } = address;
	const options = context.getNodeParameter('options', {}) as TriggerOptions;

	if (resume || options.requireSignedUrl) {
		// Without a usable credential no signature can be right.
		const isSigned = await isSignedByAccount(context, address, receivedAt).catch(() => false);
		if (!isSigned) return reject(context, 'notSigned');
	}

	const notification = parseNotification(body);
	if (!notification) return reject(context, 'notANotification');

	if (resume) return await relay(context, inbox, resume, notification, receivedAt);

	if (!isWanted(context, notification, options)) return acknowledge(context);
	const json = toItemJson(notification, receivedAt);
	return { ...acknowledge(context), workflowData: [[{ json }]] };
}

/** Takes the result of a call for a waiting execution, and acknowledges anything else. */
async function relay(
	context: IWebhookFunctions,
	inbox: Inbox,
	resume: ResumeAddress,
	notification: Notification,
	receivedAt: number,
): Promise<IWebhookResponseData> {
	if (!isCallEvent(notification) || notification.event === 'other') return acknowledge(context);
	if (!hasRoom()) return reject(context, 'unavailable');

	const result = { callEvent: notification, at: receivedAt };
	await inbox.take(context, resume, result);
	return acknowledge(context);
}

/** Whether a notification starts the workflow. A later copy of it will not. */
function isWanted(
	context: IWebhookFunctions,
	notification: Notification,
	options: TriggerOptions,
): boolean {
	const events = context.getNodeParameter('events', []) as string[];
	if (!events.includes(notification.event)) {
		logUnstarted(context, notification);
		return false;
	}

	if (!hasChosenOutcome(notification, options)) return false;
	return !isRepeated(context, notification, options);
}

/** Outcomes apply to results of calls only. */
function hasChosenOutcome(notification: Notification, { outcomes = [] }: TriggerOptions): boolean {
	if (!isCallEvent(notification) || notification.event === 'other') return true;
	return outcomes.length === 0 || outcomes.includes(getOutcome(notification));
}

/** Whether a copy has started the workflow. Test events may be sent again and again. */
function isRepeated(
	context: IWebhookFunctions,
	notification: Notification,
	{ ignoreDuplicates = true }: TriggerOptions,
): boolean {
	if (!ignoreDuplicates || context.getMode() === 'manual') return false;
	if (isDuplicate(context, notification)) return true;

	void waitForResponse(context).then((status) => {
		if (status !== undefined && status !== 200) forgetNotification(context, notification);
	});
	return false;
}

/** Passes the item of a delivery through. */
export function passThrough(context: IExecuteFunctions) {
	return [context.getInputData().map((item) => ({ ...item }))];
}
