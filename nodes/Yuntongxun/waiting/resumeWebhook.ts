import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isSignedByAccount } from '../callbacks/accountSignature';
import { getResultId } from '../callbacks/callEvent';
import type { CallResult } from '../callbacks/callEvent';
import { correlationIdOf, RESUME_PATH } from '../callbacks/callbackUrl';
import { isCallEvent, parseNotification } from '../callbacks/notification';
import {
	ACKNOWLEDGEMENT,
	acknowledge,
	readRequest,
	reject,
	waitForResponse,
} from '../callbacks/webhook';
import { BoundedMap } from '../util/boundedMap';
import { completeWait, getWaitStatus } from './completion';
import type { WaitStatus } from './completion';
import { aggregateOf } from './deliveries';
import { readDelivery } from './protocol';
import { findParkedRun, removeWait } from './waitingRun';

/** The webhook that resumes a waiting call. */
export const RESUME_WEBHOOKS: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		// Said when the execution resumes: n8n sends this instead of what the node returns.
		responseData: ACKNOWLEDGEMENT,
		path: RESUME_PATH,
		isFullPath: true,
		restartWebhook: true,
	},
];

/** Results that waits were given in this process, by their ids: large deliveries come in parts. */
const given = new BoundedMap<string, Map<string, CallResult>>(1000);

/** Waits whose execution was resumed: n8n 1 lets several deliveries in. */
const resumed = new BoundedMap<string, true>(10_000);

/** A delivery to a waiting execution. */
interface ResumeDelivery {
	/** The wait that it is for, by its correlation id. */
	waitId: string;
	results: CallResult[];
	/** Whether more results follow at once, so that it is too early to decide. */
	isPartial: boolean;
	/** Whether a relay delivers, which is told where the wait stands. */
	isRelayed: boolean;
	/** When it came, in milliseconds since 1970. */
	now: number;
}

/**
 * Answers one delivery to a waiting execution, from the service or from a relay, and resumes the
 * execution once its wait is over. Never throws: that would end the execution.
 */
export async function resumeWithResults(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const { url, body } = await readRequest(context);
		const now = Date.now();
		if (!(await isSignedByAccount(context, url, now))) return reject(context, 'notSigned');

		const delivery = parseDelivery(url, body, now);
		if (!delivery) return reject(context, 'notANotification');

		return addResults(context, delivery);
	} catch {
		context.logger.warn('A delivery to a waiting Yuntongxun call could not be read');
		return reject(context, 'unavailable');
	}
}

/** Reads a delivery; undefined if it is neither a relay's nor a notification. */
function parseDelivery(url: string, body: Buffer, now: number): ResumeDelivery | undefined {
	const waitId = correlationIdOf(url);
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
 * Adds the results of a delivery to those of its wait, and decides. Nothing is awaited between
 * question and claim, so only one of several copies passes.
 */
function addResults(context: IWebhookFunctions, delivery: ResumeDelivery): IWebhookResponseData {
	const { waitId, isPartial, isRelayed, now } = delivery;
	const reply = (status: WaitStatus | { wait: 'over' | 'resuming' }) =>
		acknowledge(context, isRelayed ? { ...status } : undefined);

	const parked = findParkedRun(context);
	if (parked?.wait.id !== waitId) return reply({ wait: 'over' });
	if (resumed.has(waitId)) return reply({ wait: 'resuming' });

	const results = gatherResults(delivery);
	const { wait, items } = parked;
	const completed = isPartial ? undefined : completeWait(wait, items, results, now);
	if (!completed) return reply(getWaitStatus(wait, results));

	startResume(context, waitId);
	return { ...acknowledge(context), workflowData: [completed] };
}

/** The results of a wait by their ids, those of this delivery included; the first of a call counts. */
function gatherResults({ waitId, results }: ResumeDelivery): Map<string, CallResult> {
	const added = results.map((result) => [getResultId(result.callEvent), result] as const);
	// The process that placed the calls may end the wait before the relay of this one has delivered.
	const kept = aggregateOf(waitId)?.results ?? [];
	const sum = new Map([...added, ...kept, ...(given.get(waitId) ?? [])]);
	given.set(waitId, sum);
	return sum;
}

/** Lets no other delivery resume the execution, unless n8n could not. */
function startResume(context: IWebhookFunctions, waitId: string): void {
	resumed.set(waitId, true);
	given.delete(waitId);
	removeWait(context);
	void waitForResponse(context).then((status) => {
		if (status !== undefined && status !== 200) resumed.delete(waitId);
	});
}
