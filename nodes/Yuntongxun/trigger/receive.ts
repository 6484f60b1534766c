import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { getOutcome } from '../callbacks/callEvent';
import { isAboutSms, isCallResult, toItemJson } from '../callbacks/notification';
import type { Notification } from '../callbacks/notification';
import { hasCredential, openOwnToken } from '../callbacks/ownToken';
import { readNotifications } from '../callbacks/readNotifications';
import { findToken } from '../callbacks/sealedToken';
import type { SealedToken } from '../callbacks/sealedToken';
import {
	acknowledge,
	readRequest,
	reject,
	rejectQuietly,
	undoIfN8nFails,
} from '../callbacks/webhookExchange';
import { findDoors } from '../waiting/knock';
import { mailbox } from '../waiting/mailbox';
import { unpackResumeKey } from '../waiting/resumeKey';
import { rememberNotification } from './deduplication';

interface TriggerOptions {
	outcomes?: string[];
}

/**
 * Answers a request to the trigger. Its address says what it is for: to start the workflow, or to resume
 * an execution that waits.
 */
export async function receiveNotification(
	context: IWebhookFunctions,
): Promise<IWebhookResponseData> {
	const { url, body } = await readRequest(context);
	// A node that makes calls by hand looks whether n8n knows the trigger.
	const isEmpty = context.getRequestObject().rawBody?.length === 0;
	if (isEmpty) return rejectQuietly(context, 'notANotification');

	const receivedAt = Date.now();
	const sealed = findToken(url);
	if (sealed?.purpose !== 'wait') return await startIfOurs(context, sealed, body, receivedAt);
	return await withToken(context, sealed, receivedAt, (payload) =>
		putIntoMailbox(context, payload, body, receivedAt),
	);
}

/** Answers a request whose address this account must have made. */
async function withToken(
	context: IWebhookFunctions,
	sealed: SealedToken | undefined,
	now: number,
	answer: (payload: Buffer) => IWebhookResponseData,
): Promise<IWebhookResponseData> {
	const reading = await openOwnToken(context, sealed, now);
	if (reading.state === 'opened') return answer(reading.payload);
	// The credential is gone, or n8n has no database just now.
	return reading.state === 'notOurs'
		? reject(context, 'notOurs', sealed && ', since its token is forged or has expired')
		: reject(context, 'unavailable', ', since n8n could not read the credential');
}

/** Keeps the result of a call for the execution that waits for it. */
function putIntoMailbox(
	context: IWebhookFunctions,
	payload: Buffer,
	body: Buffer,
	receivedAt: number,
): IWebhookResponseData {
	const notifications = readNotifications(body);
	if (!notifications) return reject(context, 'notANotification');

	const results = notifications
		.filter((notification) => !isAboutSms(notification))
		.map((callEvent) => ({ callEvent, at: receivedAt }));
	const key = unpackResumeKey(payload);
	return mailbox.put(context, findDoors(context), key, results)
		? acknowledge(context)
		: reject(context, 'unavailable', ', since too many results wait for their executions');
}

/**
 * Starts the workflow. With a credential only at an address that its account made; SMS come to an address
 * that is set in the service's console, so they are taken anyway.
 */
async function startIfOurs(
	context: IWebhookFunctions,
	sealed: SealedToken | undefined,
	body: Buffer,
	receivedAt: number,
): Promise<IWebhookResponseData> {
	const notifications = readNotifications(body);
	if (!notifications) return reject(context, 'notANotification');

	const start = () => startWorkflow(context, notifications, receivedAt);
	return hasCredential(context) && !notifications.every(isAboutSms)
		? await withToken(context, sealed, receivedAt, start)
		: start();
}

/**
 * Starts the workflow, once for all notifications of a request that the trigger listens for;
 * acknowledges any others.
 */
function startWorkflow(
	context: IWebhookFunctions,
	notifications: readonly Notification[],
	receivedAt: number,
): IWebhookResponseData {
	const options = context.getNodeParameter('options', {}) as TriggerOptions;
	const events = context.getNodeParameter('events', []) as string[];
	const starting = notifications
		.filter(({ event }) => events.includes(event))
		.filter((notification) => hasChosenOutcome(notification, options))
		.filter((notification) => reserveStart(context, notification));
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
function reserveStart(context: IWebhookFunctions, notification: Notification): boolean {
	if (context.getMode() === 'manual') return true;
	const forget = rememberNotification(context, notification);
	if (forget) undoIfN8nFails(context, forget);
	return forget !== undefined;
}
