import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { CallResult } from '../callbacks/notification';
import { undoIfN8nFails } from '../callbacks/webhookExchange';
import { getWords } from '../util/text';
import { saysHowItEnded } from './box';
import type { KnockReply } from './knock';
import { mailbox } from './mailbox';
import { describeCalls, findParkedRun, clearParkedWait, toResultJson } from './parkedWait';
import type { ParkedWait } from './parkedWait';
import { getWaitId, RESUME_PATH } from './resumeKey';

/**
 * How long after the limit a process without any results leaves the end of a wait to others, in
 * milliseconds: another process may have some.
 */
const OTHERS_FIRST_MS = 20_000;

const RESUMED: KnockReply = { wait: 'resumed' };

/** The webhook that resumes a waiting call. */
export const RESUME_WEBHOOKS: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		// n8n sends this when the execution resumes, not what the node returns.
		responseData: JSON.stringify(RESUMED),
		path: RESUME_PATH,
		isFullPath: true,
		restartWebhook: true,
	},
];

/**
 * Answers a knock at a waiting execution, and resumes the execution if its wait is over. What the
 * request holds does not matter: results are in the mailbox of this process, or nowhere. Never throws:
 * that would end the execution.
 */
export async function answerKnock(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return resumeIfOver(context);
	} catch (thrown) {
		context.logger.warn(
			`Yuntongxun: waiting execution ${context.getExecutionId()} could not go on: ${getWords(thrown)}`,
		);
		return reply(context, { wait: 'soon' });
	}
}

/** No await in here: of several knocks at the same moment only one may resume the execution. */
function resumeIfOver(context: IWebhookFunctions): IWebhookResponseData {
	const parked = findParkedRun(context);
	if (parked?.wait.id !== getWaitId(context.getRequestObject().originalUrl)) {
		return reply(context, { wait: 'other' });
	}

	const now = Date.now();
	const { wait, items } = parked;
	if (mailbox.hasEnded(wait.id) || now >= wait.resumableUntil) {
		return reply(context, { wait: 'soon' });
	}

	const results = mailbox.getResults(wait.id);
	if (!isWaitOver(wait, results, now)) {
		const leftMs = Math.max(0, wait.until - now);
		return reply(context, { wait: 'waiting', leftMs, results: results.size });
	}

	clearParkedWait(context);
	undoIfN8nFails(context, mailbox.noteEnded(wait.id));
	const output = describeCalls(items, wait.callSids, (call, callSid) =>
		toResultJson(call, results.get(callSid)),
	);
	return { ...reply(context, RESUMED), workflowData: [output] };
}

/** Whether a wait is over: every awaited call has a result that says how it ended, or it is time. */
function isWaitOver(
	{ callSids, until }: ParkedWait,
	results: ReadonlyMap<string, CallResult>,
	now: number,
): boolean {
	const awaited = callSids.filter((callSid) => callSid !== null);
	const isComplete = awaited.every((callSid) => {
		const result = results.get(callSid);
		return result !== undefined && saysHowItEnded(result);
	});
	return isComplete || now >= until + (results.size === 0 ? OTHERS_FIRST_MS : 0);
}

function reply(context: IWebhookFunctions, words: KnockReply): IWebhookResponseData {
	context.getResponseObject().type('application/json');
	return { webhookResponse: JSON.stringify(words) };
}
