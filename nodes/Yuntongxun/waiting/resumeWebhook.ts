import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isSignedByAccount } from '../callbacks/accountSignature';
import { resultKey } from '../callbacks/callEvent';
import type { CallResult } from '../callbacks/callEvent';
import { correlationIdOf, RESUME_PATH } from '../callbacks/callbackUrl';
import { isCallEvent, parseNotification } from '../callbacks/notification';
import {
	ACKNOWLEDGEMENT,
	acknowledge,
	readRequest,
	refuse,
	responseFinished,
} from '../callbacks/webhook';
import { aggregateOf } from './deliveries';
import { readDelivery } from './protocol';
import type { WaitStatus } from './protocol';
import { BoundedMap } from '../util/boundedMap';
import { completedItems, statusOf } from './completion';
import { parkedRun } from './waitingRun';

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

/** Results that waits were given in this process, by their keys: large deliveries come in parts. */
const given = new BoundedMap<string, Map<string, CallResult>>(1000);

/** Waits whose execution was resumed: n8n 1 lets several deliveries in. */
const resumed = new BoundedMap<string, true>(10_000);

/**
 * Answers one delivery to a waiting execution, from the service or from a relay, and resumes the
 * execution once its wait is over. Never throws: that would end the execution.
 */
export async function resumeWithResults(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const { url, body } = await readRequest(context);
		const now = Date.now();
		if (!(await isSignedByAccount(context, url, now))) return refuse(context, 'notSigned');
		const relayed = readDelivery(body);
		const notification = relayed ? undefined : parseNotification(body);
		if (!relayed && !notification) return refuse(context, 'notANotification');
		const direct = notification && isCallEvent(notification) ? [notification] : [];
		const results = relayed?.results ?? direct.map((callEvent) => ({ callEvent, at: now }));
		const reply = (status: WaitStatus | { wait: 'over' | 'resuming' }) =>
			acknowledge(context, relayed && { ...status });

		const parked = parkedRun(context);
		if (parked?.wait.id !== correlationIdOf(url)) return reply({ wait: 'over' });
		const { wait, items } = parked;
		// Nothing is awaited between question and claim, so only one of several copies passes.
		if (resumed.has(wait.id)) return reply({ wait: 'resuming' });
		const added = results.map((result) => [resultKey(result.callEvent), result] as const);
		// The process that placed the calls may end the wait before the relay of this one has delivered.
		const kept = aggregateOf(wait.id)?.results ?? [];
		const sum = new Map([...added, ...kept, ...(given.get(wait.id) ?? [])]);
		given.set(wait.id, sum);
		const completed = relayed?.more ? undefined : completedItems(wait, items, sum, now);
		if (!completed) return reply(statusOf(wait, sum));
		resumed.set(wait.id, true);
		given.delete(wait.id);
		void responseFinished(context).then((status) => {
			if (status !== undefined && status !== 200) resumed.delete(wait.id);
		});
		return { ...acknowledge(context), workflowData: [completed] };
	} catch {
		context.logger.warn('A delivery to a waiting Yuntongxun call could not be read');
		return refuse(context, 'unavailable');
	}
}
