import type { IExecuteFunctions, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { findRefusal } from '../callbacks/accountSignature';
import { getOutcome } from '../callbacks/callEvent';
import { getExecutionId } from '../callbacks/callbackUrl';
import type { ResumeAddress } from '../callbacks/callbackUrl';
import { undoIfN8nFails } from '../callbacks/n8nAnswer';
import { isCallResult, parseNotification, toItemJson } from '../callbacks/notification';
import type { Notification } from '../callbacks/notification';
import { answerQuestion } from '../callbacks/triggerQuestion';
import { acknowledge, readRequest, reject } from '../callbacks/webhookExchange';
import { hasRoom } from '../waiting/deliveries';
import { Inbox } from '../waiting/inbox';
import { forgetNotification, rememberNotification } from './deduplication';
import { logUnstarted, toPrintable } from './unstartedEvents';

interface TriggerOptions {
	outcomes?: string[];
	requireSignedUrl?: boolean;
	ignoreDuplicates?: boolean;
}

/**
 * Answers a request to the trigger. Starts the workflow if the trigger listens for the event. A
 * result for a waiting execution, which the URL names, goes to the relay instead.
 */
export async function receiveNotification(
	context: IWebhookFunctions,
): Promise<IWebhookResponseData> {
	// Any request makes the relay go on with what was stored before n8n started.
	const inbox = await Inbox.open(context);
	const { address, body } = await readRequest(context);
	const receivedAt = Date.now();
	const answered = await answerQuestion(context, address, receivedAt);
	if (answered) return answered;

	const { resume } = address;
	const options = context.getNodeParameter('options', {}) as TriggerOptions;

	if (resume || options.requireSignedUrl) {
		const refusal = await findRefusal(context, address, receivedAt);
		if (refusal !== undefined) return reject(context, refusal);
	}

	const notification = parseNotification(body);
	if (!notification) return reject(context, 'notANotification');

	if (resume) return await relay(context, inbox, resume, notification, receivedAt);

	return startWorkflow(context, notification, options, receivedAt);
}

/** Takes the result of a call for a waiting execution, and acknowledges anything else. */
async function relay(
	context: IWebhookFunctions,
	inbox: Inbox,
	resume: ResumeAddress,
	notification: Notification,
	receivedAt: number,
): Promise<IWebhookResponseData> {
	if (!isCallResult(notification)) {
		const callSid = notification.event === 'other' ? notification.callSid : '';
		logLoss(context, resume, callSid, 'was dropped: it is not the result of a call');
		return acknowledge(context);
	}
	const { callSid } = notification;
	if (!hasRoom()) {
		logLoss(context, resume, callSid, 'was refused: too many results wait to be handed over');
		return reject(context, 'unavailable');
	}
	const result = { callEvent: notification, at: receivedAt };
	switch (await inbox.take(context, resume, result)) {
		case 'taken':
		case 'over':
			return acknowledge(context);
		case 'unavailable':
			logLoss(context, resume, callSid, "was refused: the trigger's credential could not be read");
			return reject(context, 'unavailable');
	}
}

/** Tells n8n's log what a waiting execution misses, but never a number. */
function logLoss(
	context: IWebhookFunctions,
	resume: ResumeAddress,
	callSid: string,
	what: string,
): void {
	const execution = getExecutionId(resume);
	context.logger.warn(
		`Yuntongxun: a notification for waiting execution ${execution} ${what} (callSid "${toPrintable(callSid)}")`,
	);
}

/** Starts the workflow for a notification that the trigger listens for; acknowledges any other. */
function startWorkflow(
	context: IWebhookFunctions,
	notification: Notification,
	options: TriggerOptions,
	receivedAt: number,
): IWebhookResponseData {
	const events = context.getNodeParameter('events', []) as string[];
	if (!events.includes(notification.event)) {
		logUnstarted(context, notification);
		return acknowledge(context);
	}
	if (!hasChosenOutcome(notification, options)) return acknowledge(context);
	if (!reserveStart(context, notification, options)) return acknowledge(context);

	const json = toItemJson(notification, receivedAt);
	return { ...acknowledge(context), workflowData: [[{ json }]] };
}

/** Outcomes apply to results of calls only. */
function hasChosenOutcome(notification: Notification, { outcomes = [] }: TriggerOptions): boolean {
	if (!isCallResult(notification)) return true;
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

	void undoIfN8nFails(context, () => forgetNotification(context, notification));
	return true;
}

/** Passes the item of a notification through. */
export function passThrough(context: IExecuteFunctions) {
	return [context.getInputData().map((item) => ({ ...item }))];
}
