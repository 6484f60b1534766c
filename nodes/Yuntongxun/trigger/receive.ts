import { sleep } from 'n8n-workflow';
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { getOutcome } from '../callbacks/callEvent';
import { buildResumeUrl, unpackResumeKey } from '../callbacks/callbackUrl';
import type { DeliveredResult } from '../callbacks/envelope';
import { isAboutSms, isCallResult, toItemJson } from '../callbacks/notification';
import type { Notification } from '../callbacks/notification';
import { hasCredential, openOwnToken } from '../callbacks/ownToken';
import { decodeBody, readNotifications } from '../callbacks/readNotifications';
import { findToken } from '../callbacks/sealedToken';
import type { SealedToken } from '../callbacks/sealedToken';
import { answerQuestion } from '../callbacks/triggerQuestion';
import {
	acknowledge,
	readRequest,
	reject,
	rejectQuietly,
	undoIfN8nFails,
} from '../callbacks/webhookExchange';
import { getWaitingBaseUrl } from '../util/n8nInternals';
import { relay } from '../waiting/relay/relay';
import { rememberNotification } from './deduplication';
import { logUnstarted } from './unstartedEvents';

/** How long the service waits for its answer at most, in milliseconds, while a result is passed on. */
const ANSWER_WITHIN_MS = 2000;

interface TriggerOptions {
	outcomes?: string[];
	ignoreDuplicates?: boolean;
}

/**
 * Answers a request to the trigger. Its address says what it is for: to start the workflow, to be passed
 * on to a waiting execution, or to ask what the trigger starts for.
 */
export async function receiveNotification(
	context: IWebhookFunctions,
): Promise<IWebhookResponseData> {
	const { url, body } = await readRequest(context);
	const receivedAt = Date.now();
	const sealed = findToken(url);
	switch (sealed?.purpose) {
		case 'ask':
			return await withToken(context, sealed, receivedAt, (payload) =>
				answerQuestion(context, payload),
			);
		case 'wait':
			return await withToken(context, sealed, receivedAt, async (payload) => {
				// As it was delivered: the waiting node reads it.
				const text = decodeBody(body);
				return readNotifications(text)
					? await passOn(context, payload, { body: text, receivedAt })
					: reject(context, 'notANotification');
			});
		case 'start':
		case undefined:
			return await startIfOurs(context, sealed, body, receivedAt);
	}
}

/**
 * Answers a request whose address this account must have made. A question that is refused is not logged:
 * whoever has asked says what to do.
 */
async function withToken(
	context: IWebhookFunctions,
	sealed: SealedToken | undefined,
	now: number,
	answer: (payload: Buffer) => IWebhookResponseData | Promise<IWebhookResponseData>,
): Promise<IWebhookResponseData> {
	const reading = await openOwnToken(context, sealed, now);
	if (reading.state === 'opened') return await answer(reading.payload);
	if (sealed?.purpose === 'ask') return rejectQuietly(context, reading.state);
	// The credential is gone, or n8n has no database just now.
	return reading.state === 'notOurs'
		? reject(context, 'notOurs')
		: reject(context, 'unavailable', ', since n8n could not read the credential');
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
	const notifications = readNotifications(decodeBody(body));
	if (!notifications) return reject(context, 'notANotification');

	const start = () => startWorkflow(context, notifications, receivedAt);
	return hasCredential(context) && !notifications.every(isAboutSms)
		? await withToken(context, sealed, receivedAt, start)
		: start();
}

/** Passes a result on, and answers once it is taken or has taken too long. */
async function passOn(
	context: IWebhookFunctions,
	payload: Buffer,
	result: DeliveredResult,
): Promise<IWebhookResponseData> {
	const url = buildResumeUrl(getWaitingBaseUrl(context), unpackResumeKey(payload));
	const settled = relay.passOn(context, url, result);
	if (!settled) {
		return reject(context, 'unavailable', ', since it is too large, or too many are on their way');
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
	receivedAt: number,
): IWebhookResponseData {
	const options = context.getNodeParameter('options', {}) as TriggerOptions;
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
	const forget = rememberNotification(context, notification);
	if (forget) undoIfN8nFails(context, forget);
	return forget !== undefined;
}
