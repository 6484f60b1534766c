import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isSignedByAccount } from '../callbacks/accountSignature';
import { getResultId } from '../callbacks/callEvent';
import type { CallResult } from '../callbacks/callEvent';
import { RESUME_PATH } from '../callbacks/callbackUrl';
import type { ResumeAddress } from '../callbacks/callbackUrl';
import { isCallEvent, parseNotification } from '../callbacks/notification';
import { ACKNOWLEDGEMENT, acknowledge, reject, waitForResponse } from '../callbacks/webhookAnswers';
import { readRequest } from '../callbacks/webhookRequest';
import { BoundedMap } from '../util/boundedMap';
import { completeWait, getWaitStatus } from './completion';
import { findAggregate } from './deliveries';
import { readDelivery } from './protocol';
import type { WaitReply } from './protocol';
import { findParkedRun, removeWait } from './waitingRun';

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

/** Results by wait that came to this process, by their ids: large deliveries come in parts. */
const collected = new BoundedMap<string, Map<string, CallResult>>(1000);

/** Waits whose execution was resumed: n8n 1 lets more than one delivery in. */
const resumed = new BoundedMap<string, true>(10_000);

/** A delivery to a waiting execution. */
interface ResumeDelivery {
	/** Correlation id of its wait. */
	waitId: string;
	results: CallResult[];
	/** Whether more results follow at once, so that it is too early for a decision. */
	isPartial: boolean;
	/** Whether it comes from a relay, which gets the status of the wait as an answer. */
	isRelayed: boolean;
	/** When it came, in milliseconds since 1970. */
	now: number;
}

/**
 * Answers a delivery to a waiting execution, from the service or from a relay, and resumes the
 * execution if its wait is over. Never throws: that would end the execution.
 */
export async function resumeWithResults(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const { address, body } = await readRequest(context);
		const now = Date.now();
		if (!(await isSignedByAccount(context, address, now))) return reject(context, 'notSigned');

		const delivery = parseDelivery(address, body, now);
		if (!delivery) return reject(context, 'notANotification');

		return addResults(context, delivery);
	} catch {
		context.logger.warn('A delivery to a waiting Yuntongxun call could not be read');
		return reject(context, 'unavailable');
	}
}

/** Reads a delivery; undefined if it is neither from a relay nor a notification. */
function parseDelivery(
	{ waitId }: ResumeAddress,
	body: Buffer,
	now: number,
): ResumeDelivery | undefined {
	const relayed = readDelivery(body);
	if (relayed) {
		const { results, more } = relayed;
		return { waitId, results, isPartial: more, isRelayed: true, now };
	}

	const notification = parseNotification(body);
	if (!notification) return undefined;
	const results = isCallEvent(notification) ? [{ callEvent: notification, at: now }] : [];
	return { waitId, results, isPartial: false, isRelayed: false, now };
}

/**
 * Adds the results of a delivery to those of its wait, and decides. No await between check and set:
 * only one of several copies passes.
 */
function addResults(context: IWebhookFunctions, delivery: ResumeDelivery): IWebhookResponseData {
	const { waitId, isPartial, isRelayed, now } = delivery;
	const reply = (status: WaitReply) => acknowledge(context, isRelayed ? { ...status } : undefined);

	const parked = findParkedRun(context);
	if (parked?.wait.id !== waitId) return reply({ wait: 'other' });
	if (resumed.has(waitId)) return reply({ wait: 'resuming' });

	const results = gatherResults(delivery);
	const { wait, items } = parked;
	const completed = isPartial ? undefined : completeWait(wait, items, results, now);
	if (!completed) return reply(getWaitStatus(wait, results));

	startResume(context, waitId);
	return { ...acknowledge(context), workflowData: [completed] };
}

/** All results of a wait so far, by their ids; the first report of a call counts. */
function gatherResults({ waitId, results }: ResumeDelivery): Map<string, CallResult> {
	const gathered = new Map(collected.get(waitId));
	// Another process may end the wait before the relay in this one has delivered.
	const kept = findAggregate(waitId)?.results.values() ?? [];
	for (const result of [...kept, ...results]) {
		const id = getResultId(result.callEvent);
		if (!gathered.has(id)) gathered.set(id, result);
	}
	collected.set(waitId, gathered);
	return gathered;
}

/** Keeps other deliveries from resuming the execution, unless n8n fails to. */
function startResume(context: IWebhookFunctions, waitId: string): void {
	resumed.set(waitId, true);
	collected.delete(waitId);
	removeWait(context);
	void waitForResponse(context).then((status) => {
		if (status !== undefined && status !== 200) resumed.delete(waitId);
	});
}
