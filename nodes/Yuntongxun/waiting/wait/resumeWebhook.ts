import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { CallResult } from '../../callbacks/callEvent';
import { holdsSecret, RESUME_PATH } from '../../callbacks/callbackUrl';
import { isEnvelope, readEnvelope } from '../../callbacks/envelope';
import type { DeliveryAnswer } from '../../callbacks/envelope';
import { isAboutSms } from '../../callbacks/notification';
import type { Notification } from '../../callbacks/notification';
import { decodeBody, readNotifications } from '../../callbacks/readNotifications';
import { logRefusal } from '../../callbacks/refusalLog';
import {
	undoIfN8nFails,
	ACKNOWLEDGEMENT,
	acknowledge,
	answerJson,
	readRequest,
	reject,
	rejectQuietly,
} from '../../callbacks/webhookExchange';
import { mapYielding } from '../../util/concurrency';
import { getWords } from '../../util/text';
import { isComplete, openWait, takeResult } from './gatheredResults';
import type { GatheredResults } from './gatheredResults';
import { findParkedRun, removeParkedWait } from './parkedWait';
import { describeCalls, toResultJson } from './waitItems';

/** The webhook that resumes a waiting call. */
export const RESUME_WEBHOOKS: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		// n8n sends this when the execution resumes, not what the node returns.
		responseData: ACKNOWLEDGEMENT,
		path: RESUME_PATH,
		isFullPath: true,
		restartWebhook: true,
	},
];

/**
 * Answers a request to a waiting execution, from the service or from a trigger that passes results on,
 * and resumes the execution if its wait is over. Never throws: that would end the execution.
 */
export async function resumeWithResults(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await takeResults(context);
	} catch (thrown) {
		context.logger.warn(
			`Yuntongxun: waiting execution ${context.getExecutionId()} could not take a result: ${getWords(thrown)}`,
		);
		return rejectQuietly(context, 'unavailable');
	}
}

async function takeResults(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	// Routing: a trigger passes results on in an envelope, the service sends one as it is.
	const { url, body } = await readRequest(context);
	const isRelayed = isEnvelope(body);
	const answer = (words: DeliveryAnswer) =>
		isRelayed ? answerJson(context, words) : acknowledge(context);

	// Authentication: the address holds the secret of the wait.
	const parked = findParkedRun(context);
	if (!parked || !holdsSecret(url, parked.wait.secretHash)) {
		if (!isRelayed) return reject(context, 'notOurs');
		// It may be early for a later wait of this execution.
		logRefusal(context, 200, ', since its address is that of another wait');
		return answer({ wait: 'other' });
	}

	// Reading.
	const now = Date.now();
	const results = await readResults(body, now);
	if (!results) return reject(context, 'notANotification');

	// Side effects: no await between check and claim, so that only one of several copies passes.
	const { wait } = parked;
	const gathered = openWait(wait, now);
	for (const result of results) takeResult(gathered, result);
	const isResuming = gathered.resumedAt !== undefined;
	// Only n8n's own timer can end it so late.
	if (isResuming || now >= wait.resumableUntil) return acknowledge(context);
	const isOver = isComplete(gathered) || now >= wait.until;
	if (!isOver) return answer({ wait: 'waiting', leftMs: wait.until - now });
	startResume(context, gathered, now);

	// Response.
	const items = describeCalls(parked.items, wait.callSids, (call, callSid) =>
		toResultJson(call, gathered.results.get(callSid)),
	);
	return { ...acknowledge(context), workflowData: [items] };
}

/** Keeps other requests from resuming the execution, unless n8n fails to. */
function startResume(context: IWebhookFunctions, gathered: GatheredResults, now: number): void {
	gathered.resumedAt = now;
	removeParkedWait(context);
	undoIfN8nFails(context, () => {
		gathered.resumedAt = undefined;
	});
}

/** Reads what came; undefined if it is neither a whole envelope nor a notification. */
async function readResults(body: Buffer, now: number): Promise<CallResult[] | undefined> {
	if (!isEnvelope(body)) {
		const notifications = readNotifications(decodeBody(body));
		return notifications && toCallResults(notifications, now);
	}
	const delivered = readEnvelope(body, now);
	if (!delivered) return undefined;
	const results = await mapYielding(delivered, ({ body: text, receivedAt }) =>
		toCallResults(readNotifications(text) ?? [], receivedAt),
	);
	return results.flat();
}

/** What may be the result of a call: all but news of SMS. */
function toCallResults(notifications: readonly Notification[], at: number): CallResult[] {
	return notifications.flatMap((notification) =>
		isAboutSms(notification) ? [] : [{ callEvent: notification, at }],
	);
}
