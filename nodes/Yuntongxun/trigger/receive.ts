import type { IExecuteFunctions, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isSignedByAccount } from '../callbacks/accountSignature';
import { getOutcome } from '../callbacks/callEvent';
import type { ResumeAddress } from '../callbacks/callbackUrl';
import { isCallEvent, parseNotification, toItemJson } from '../callbacks/notification';
import type { Notification } from '../callbacks/notification';
import { acknowledge, reject, waitForResponse } from '../callbacks/webhookAnswers';
import { readRequest } from '../callbacks/webhookRequest';
import { hasRoom } from '../waiting/deliveries';
import { Inbox } from '../waiting/inbox';
import { answerQuestion } from '../waiting/triggerQuestion';
import { forgetNotification, rememberNotification } from './deduplication';
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

	const isStarting =
		isChosen(context, notification, options) && reserveStart(context, notification, options);
	if (!isStarting) return acknowledge(context);

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
	switch (await inbox.take(context, resume, result)) {
		case 'taken':
		case 'over':
			return acknowledge(context);
		case 'unavailable':
			return reject(context, 'unavailable');
	}
}

/** Whether the trigger starts for a notification; logs an event that it does not start for. */
function isChosen(
	context: IWebhookFunctions,
	notification: Notification,
	options: TriggerOptions,
): boolean {
	const events = context.getNodeParameter('events', []) as string[];
	if (!events.includes(notification.event)) {
		logUnstarted(context, notification);
		return false;
	}
	return hasChosenOutcome(notification, options);
}

/** Outcomes apply to results of calls only. */
function hasChosenOutcome(notification: Notification, { outcomes = [] }: TriggerOptions): boolean {
	if (!isCallEvent(notification) || notification.event === 'other') return true;
	return outcomes.length === 0 || outcomes.includes(getOutcome(notification));
}

/**
 * Reserves the start of the workflow for a notification: a later copy cannot, unless n8n fails
 * to start it. Test events may be sent again and again.
 *
 * @returns false if a copy has reserved it
 */
function reserveStart(
	context: IWebhookFunctions,
	notification: Notification,
	{ ignoreDuplicates = true }: TriggerOptions,
): boolean {
	if (!ignoreDuplicates || context.getMode() === 'manual') return true;
	if (!rememberNotification(context, notification)) return false;

	void waitForResponse(context).then((status) => {
		if (status !== undefined && status !== 200) forgetNotification(context, notification);
	});
	return true;
}

/** Passes the item of a delivery through. */
export function passThrough(context: IExecuteFunctions) {
	return [context.getInputData().map((item) => ({ ...item }))];
}
