import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isSignedByAccount } from '../callbacks/accountSignature';
import { parseCallEvent } from '../callbacks/callEvent';
import type { CallResult } from '../callbacks/callEvent';
import { correlationIdOf, RESUME_PATH } from '../callbacks/callbackUrl';
import {
	ACKNOWLEDGEMENT,
	acknowledge,
	readRequest,
	refuse,
	responseFinished,
} from '../callbacks/webhook';
import { deliveredResults } from '../relay/protocol';
import type { WaitStatus } from '../relay/protocol';
import { BoundedMap } from '../util/boundedMap';
import { completionOf, waitStatus } from './completion';
import type { ParkedWait } from './completion';
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

/** Results that waits were given in this process, by `callSid`: large deliveries come in parts. */
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
		const delivered = deliveredResults(body);
		const callEvent = delivered ? undefined : parseCallEvent(body);
		if (!delivered && !callEvent) return refuse(context, 'notACallEvent');
		const reply = (status: WaitStatus) => acknowledge(context, delivered && { ...status });

		const parked = parkedRun(context);
		if (parked?.wait.id !== correlationIdOf(url)) return reply({ wait: 'over' });
		const { wait, items } = parked;
		// Nothing is awaited between question and claim, so only one of several copies passes.
		if (resumed.has(wait.id)) return reply({ wait: 'resuming' });
		const results = applyResults(wait, delivered ?? (callEvent ? [{ callEvent, at: now }] : []));
		const completion = completionOf(wait, items, results, now);
		if ('missing' in completion) return reply(waitStatus(wait, completion.missing));
		resumed.set(wait.id, true);
		given.delete(wait.id);
		void responseFinished(context).then((status) => {
			if (status !== undefined && status !== 200) resumed.delete(wait.id);
		});
		return { ...acknowledge(context), workflowData: [completion.items] };
	} catch {
		context.logger.warn('A delivery to a waiting Yuntongxun call could not be read');
		return refuse(context, 'unavailable');
	}
}

/** Adds results of the awaited kind to those a wait was given. The first report of a call counts. */
function applyResults(wait: ParkedWait, results: CallResult[]): ReadonlyMap<string, CallResult> {
	const known = given.get(wait.id) ?? new Map<string, CallResult>();
	given.set(wait.id, known);
	for (const result of results) {
		const { event, callSid } = result.callEvent;
		if (event === wait.event && !known.has(callSid)) known.set(callSid, result);
	}
	return known;
}
