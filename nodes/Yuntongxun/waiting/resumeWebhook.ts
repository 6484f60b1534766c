import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isSignedByAccount } from '../callbacks/accountSignature';
import { getResultId } from '../callbacks/callEvent';
import type { CallResult } from '../callbacks/callEvent';
import { RESUME_PATH } from '../callbacks/callbackUrl';
import type { ResumeAddress } from '../callbacks/callbackUrl';
import { undoIfN8nFails } from '../callbacks/n8nAnswer';
import { isCallResult, parseNotification } from '../callbacks/notification';
import {
	ACKNOWLEDGEMENT,
	acknowledge,
	answerJson,
	readRequest,
	reject,
} from '../callbacks/webhookExchange';
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

/** Waits whose execution was resumed: n8n 1 lets more than one request in. */
const resumed = new BoundedMap<string, true>(10_000);

/** What a request to a waiting execution brings. */
interface ResumeRequest {
	/** Id of its wait. */
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
 * Answers a request to a waiting execution, from the service or from a relay, and resumes the
 * execution if its wait is over. Never throws: that would end the execution.
 */
export async function resumeWithResults(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const { address, body } = await readRequest(context);
		const now = Date.now();
		if (!(await isSignedByAccount(context, address, now))) return reject(context, 'notSigned');

		const request = parseRequest(address, body, now);
		if (!request) return reject(context, 'notANotification');

		return addResults(context, request);
	} catch (thrown) {
		const message = thrown instanceof Error ? thrown.message : 'no reason was given';
		context.logger.warn(
			`Yuntongxun: a delivery to waiting execution ${context.getExecutionId()} failed: ${message}`,
		);
		return reject(context, 'unavailable');
	}
}

/** Reads a request; undefined if it is neither a delivery of a relay nor a notification. */
function parseRequest(
	{ waitId }: ResumeAddress,
	body: Buffer,
	now: number,
): ResumeRequest | undefined {
	const relayed = readDelivery(body);
	if (relayed) {
		const { results, more } = relayed;
		return { waitId, results, isPartial: more, isRelayed: true, now };
	}

	const notification = parseNotification(body);
	if (!notification) return undefined;
	const results = isCallResult(notification) ? [{ callEvent: notification, at: now }] : [];
	return { waitId, results, isPartial: false, isRelayed: false, now };
}

/**
 * Adds the results of a request to those of its wait, and decides. No await between check and set:
 * only one of several copies passes.
 */
function addResults(context: IWebhookFunctions, request: ResumeRequest): IWebhookResponseData {
	const { waitId, isPartial, isRelayed, now } = request;
	const reply = (status: WaitReply) =>
		isRelayed ? answerJson(context, { ...status }) : acknowledge(context);

	const parked = findParkedRun(context);
	if (parked?.wait.id !== waitId) return reply({ wait: 'other' });
	if (resumed.has(waitId)) return reply({ wait: 'resuming' });

	const results = gatherResults(request);
	const { wait, items } = parked;
	const completed = isPartial ? undefined : completeWait(wait, items, results, now);
	if (!completed) return reply(getWaitStatus(wait, results));

	startResume(context, waitId);
	return { ...acknowledge(context), workflowData: [completed] };
}

/** All results of a wait so far, by their ids; the first report of a call counts. */
function gatherResults({ waitId, results }: ResumeRequest): Map<string, CallResult> {
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

/** Keeps other requests from resuming the execution, unless n8n fails to. */
function startResume(context: IWebhookFunctions, waitId: string): void {
	resumed.set(waitId, true);
	collected.delete(waitId);
	removeWait(context);
	void undoIfN8nFails(context, () => resumed.delete(waitId));
}
