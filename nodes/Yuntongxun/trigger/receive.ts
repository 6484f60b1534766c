import { sleep } from 'n8n-workflow';
import type { IExecuteFunctions, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { findRefusal } from '../callbacks/accountSignature';
import { getOutcome } from '../callbacks/callEvent';
import { getExecutionId } from '../callbacks/callbackUrl';
import type { ResumeAddress } from '../callbacks/callbackUrl';
import type { DeliveredResult } from '../callbacks/envelope';
import { isCallResult, toItemJson } from '../callbacks/notification';
import type { Notification } from '../callbacks/notification';
import { decodeBody, readNotifications } from '../callbacks/readNotifications';
import { answerQuestion } from '../callbacks/triggerQuestion';
import { undoIfN8nFails, acknowledge, readRequest, reject } from '../callbacks/webhookExchange';
import { relay } from '../waiting/relay/relay';
import { forgetNotification, rememberNotification } from './deduplication';
import { logUnstarted } from './unstartedEvents';

/** How long the service waits for its answer at most, in milliseconds, while a result is passed on. */
const ANSWER_WITHIN_MS = 2000;

interface TriggerOptions {
	outcomes?: string[];
	requireSignedUrl?: boolean;
	ignoreDuplicates?: boolean;
}

/**
 * Answers a request to the trigger. Starts the workflow if the trigger listens for the event. A result
 * for a waiting execution, which the URL names, is passed on to it instead.
 */
export async function receiveNotification(
	context: IWebhookFunctions,
): Promise<IWebhookResponseData> {
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

	const text = decodeBody(body);
	const notifications = readNotifications(text);
	if (!notifications) return reject(context, 'notANotification');

	// As it was delivered: the waiting node reads it.
	if (resume) return await passOn(context, resume, { body: text, receivedAt });

	return startWorkflow(context, notifications, options, receivedAt);
}

/** Passes a result on, and answers once it is taken or has taken too long. */
async function passOn(
	context: IWebhookFunctions,
	resume: ResumeAddress,
	result: DeliveredResult,
): Promise<IWebhookResponseData> {
	const settled = relay.passOn(context, resume, result);
	if (!settled) {
		context.logger.warn(
			`Yuntongxun: a result for waiting execution ${getExecutionId(resume)} was refused: too many are on their way`,
		);
		return reject(context, 'unavailable');
	}

	await Promise.race([settled, sleep(ANSWER_WITHIN_MS)]);
	return acknowledge(context);
}

/**
 * Starts the workflow, once for all notifications of a request that the trigger listens for;
 * acknowledges any others.
 */
function startWorkflow(
	context: IWebhookFunctions,
	notifications: readonly Notification[],
	options: TriggerOptions,
	receivedAt: number,
): IWebhookResponseData {
	const events = context.getNodeParameter('events', []) as string[];
	for (const notification of notifications) {
		if (!events.includes(notification.event)) logUnstarted(context, notification);
	}

	const starting = notifications
		.filter(({ event }) => events.includes(event))
		.filter((notification) => hasChosenOutcome(notification, options))
		.filter((notification) => reserveStart(context, notification, options));
	if (starting.length === 0) return acknowledge(context);

	const items = starting.map((notification) => ({ json: toItemJson(notification, receivedAt) }));
	return { ...acknowledge(context), workflowData: [items] };
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

	undoIfN8nFails(context, () => forgetNotification(context, notification));
	return true;
}

/** Passes the items of notifications through. */
export function passThrough(context: IExecuteFunctions) {
	return [context.getInputData().map((item) => ({ ...item }))];
}
