import type { IExecuteFunctions, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isSignedByAccount } from '../callbacks/accountSignature';
import { itemJson, outcomeOf, parseCallEvent } from '../callbacks/callEvent';
import type { CallEvent } from '../callbacks/callEvent';
import { resumeAddressIn } from '../callbacks/callbackUrl';
import { acknowledge, readRequest, refuse, responseFinished } from '../callbacks/webhook';
import { hasRoom } from '../waiting/deliveries';
import { Inbox } from '../waiting/inbox';
import { answerQuestion } from '../waiting/triggerQuestion';
import { forgetDuplicate, isDuplicate, writeDuplicates } from './deduplication';

type Options = { outcomes?: string[]; requireSignedUrl?: boolean; ignoreDuplicates?: boolean };

/**
 * Answers one delivery to the trigger. Starts the workflow if the trigger asks for such an event; a
 * result for a waiting execution, whose resume address the URL carries, goes to the relay instead.
 */
export async function receiveCallEvent(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	// Whatever comes, the relay delivers what was stored before n8n started.
	const inbox = Inbox.of(context);
	const { url, body } = await readRequest(context);
	const at = Date.now();
	const resumeAddress = resumeAddressIn(url);
	const answered = await answerQuestion(context, url, at);
	if (answered) return answered;
	const options = context.getNodeParameter('options', {}) as Options;
	if (resumeAddress !== undefined || options.requireSignedUrl) {
		// Nobody has signed without a usable credential.
		const isSigned = await isSignedByAccount(context, url, at).catch(() => false);
		if (!isSigned) return refuse(context, 'notSigned');
	}
	const callEvent = parseCallEvent(body);
	if (!callEvent) return refuse(context, 'notACallEvent');
	const result = { callEvent, at };
	if (resumeAddress === undefined) {
		if (!isWanted(context, callEvent, options)) return acknowledge(context);
		return { ...acknowledge(context), workflowData: [[{ json: itemJson(result) }]] };
	}
	if (callEvent.event === 'other') return acknowledge(context);
	if (!hasRoom()) return refuse(context, 'unavailable');
	const writes = await inbox.take(context, resumeAddress, result);
	if (writes) writeDuplicates(context);
	return acknowledge(context);
}

/**
 * Whether an event starts the workflow. From then on a further copy does not, unless n8n could not
 * start an execution: the service may send it again then.
 */
function isWanted(context: IWebhookFunctions, callEvent: CallEvent, options: Options) {
	const { outcomes = [], ignoreDuplicates = true } = options;
	const { event, callSid } = callEvent;
	const events = context.getNodeParameter('events', []) as string[];
	if (!events.includes(event)) return false;
	const isChosen = event === 'other' || outcomes.length === 0;
	if (!isChosen && !outcomes.includes(outcomeOf(callEvent))) return false;
	// By hand the same result may be sent again and again.
	if (!ignoreDuplicates || context.getMode() === 'manual' || callSid === '') return true;
	if (isDuplicate(context, callEvent)) return false;
	writeDuplicates(context);
	Inbox.write(context);
	void responseFinished(context).then((status) => {
		if (status !== undefined && status !== 200) forgetDuplicate(context, callEvent);
	});
	return true;
}

/** Passes on the item of a delivery. n8n 2 drops what was written before this execution. */
export function passOn(context: IExecuteFunctions) {
	if (Inbox.write(context)) writeDuplicates(context);
	return [context.getInputData().map((item) => ({ ...item }))];
}
