import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isSignedByAccount } from './accountSignature';
import { dropOldest } from './dropOldest';
import { handedOver } from './handOver';
import type { Standing } from './handOver';
import { inboundRequest } from './inboundRequest';
import { parseNotification } from './notification';
import { RESUME_PATH, waitIn } from './resultAddress';
import { isSignedUrl } from './signedUrl';
import { decide } from './waitDecision';
import type { ArrivedResult, ParkedWait } from './waitDecision';
import { parkedRun } from './waitingRun';
import { ACKNOWLEDGEMENT, acknowledge, refuse, tellRelay } from './webhookReplies';

/** The webhook that resumes a waiting call. */
export const RESUME_WEBHOOKS: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		// Said once the execution goes on: n8n sends this instead of what the node returns.
		responseData: ACKNOWLEDGEMENT,
		path: RESUME_PATH,
		isFullPath: true,
		restartWebhook: true,
	},
];

/** Results that waits have been given in this process, by `callSid`: several relays add up. */
const given = new Map<string, Map<string, ArrivedResult>>();
const MOST_WAITS = 300;

/** When executions were sent on, in milliseconds since 1970: n8n 1 lets several deliveries in. */
const sentOn = new Map<string, number>();
const MOST_SENT_ON = 10_000;

/** After this time, in milliseconds, an execution that is still parked may be sent on again. */
const SENT_ON_FOR_MS = 60_000;

/**
 * Answers one delivery to a waiting execution, a single notification or a hand-over of the relay,
 * and resumes the execution once its wait is over. Never throws: that would end the execution.
 */
export async function resumeWithResults(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const { url, body } = await inboundRequest(context);
		const now = Date.now();
		const isSigned = (authToken: string) => isSignedUrl(url, authToken, now);
		if (!(await isSignedByAccount(context, isSigned))) return refuse(context, 'notSigned');
		const set = handedOver(body);
		const notification = set ? undefined : parseNotification(body);
		if (!set && !notification) return refuse(context, 'notANotification');
		const reply = (standing: Standing) =>
			set ? tellRelay(context, { ...standing }) : acknowledge(context);

		const parked = parkedRun(context);
		if (parked?.wait.id !== waitIn(url)) return reply({ wait: 'over' });
		const { wait, items } = parked;
		const results = givenTo(wait, set ?? (notification ? [{ notification, at: now }] : []));
		const decision = decide(wait, items, results, now);
		if ('missing' in decision) {
			return reply({
				wait: 'waiting',
				missing: decision.missing,
				until: wait.until,
				firstAnswered: wait.continueWhen === 'firstAnswered',
			});
		}
		// Nothing is awaited between question and claim, so only one of several copies passes.
		if (!mayGoOn(wait.id, now)) return reply({ wait: 'goingOn' });
		given.delete(wait.id);
		return { ...acknowledge(context), workflowData: [decision.items] };
	} catch {
		context.logger.warn('A delivery to a waiting Yuntongxun call could not be read');
		return refuse(context, 'unavailable');
	}
}

/** Adds results of the awaited kind to those a wait was given. The first report of a call counts. */
function givenTo(wait: ParkedWait, results: ArrivedResult[]): ReadonlyMap<string, ArrivedResult> {
	const known = given.get(wait.id) ?? new Map<string, ArrivedResult>();
	given.set(wait.id, known);
	dropOldest(given, MOST_WAITS);
	for (const result of results) {
		const { event, callSid } = result.notification;
		if (event === wait.event && !known.has(callSid)) known.set(callSid, result);
	}
	return known;
}

function mayGoOn(wait: string, now: number): boolean {
	if (now - (sentOn.get(wait) ?? 0) < SENT_ON_FOR_MS) return false;
	sentOn.delete(wait);
	sentOn.set(wait, now);
	dropOldest(sentOn, MOST_SENT_ON);
	return true;
}
