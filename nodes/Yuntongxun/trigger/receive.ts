import { NodeOperationError } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { isSignedByAccount } from '../callbacks/accountSignature';
import { itemJson, outcomeOf, parseCallEvent } from '../callbacks/callEvent';
import type { CallEvent, EventName, OutcomeName } from '../callbacks/callEvent';
import { isSignedRelay, resumeAddressIn } from '../callbacks/callbackUrl';
import { isSignedUrl } from '../callbacks/signedUrl';
import { acknowledge, readRequest, refuse, responseFinished } from '../callbacks/webhook';
import type { InboundRequest } from '../callbacks/webhook';
import { hasRoom } from '../relay/deliveries';
import { Inbox } from '../relay/inbox';
import { forgetDuplicate, isDuplicate, writeDuplicates } from './deduplication';
import { isRegistered, writeRegistry } from './registration';

interface TriggerOptions {
	outcomes?: OutcomeName[];
	requireSignedUrl?: boolean;
	ignoreDuplicates?: boolean;
}

/** Answers one delivery to the trigger, and starts the workflow if the delivery asks for that. */
export async function receiveCallEvent(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	// Whatever comes, the relay delivers what was stored before n8n started.
	Inbox.of(context);
	const request = await readRequest(context);
	const resumeAddress = resumeAddressIn(request.url);
	if (resumeAddress !== undefined) return await relay(context, request, resumeAddress);

	const options = context.getNodeParameter('options', {}) as TriggerOptions;
	const at = Date.now();
	if (
		options.requireSignedUrl &&
		!(await isSigned(context, (authToken) => isSignedUrl(request.url, authToken, at)))
	) {
		return refuse(context, 'notSigned');
	}
	const callEvent = parseCallEvent(request.body);
	if (!callEvent) return refuse(context, 'notACallEvent');
	if (!isWanted(context, callEvent, options)) return acknowledge(context);
	if ((options.ignoreDuplicates ?? true) && isCopy(context, callEvent, at)) {
		return acknowledge(context);
	}
	return { ...acknowledge(context), workflowData: [[{ json: itemJson({ callEvent, at }) }]] };
}

/**
 * Lets n8n save what the trigger remembers, in the execution that a delivery has started: n8n 2
 * drops what was changed before.
 *
 * @returns the item of the delivery, as it is
 */
export function passOn(context: IExecuteFunctions): INodeExecutionData[][] {
	writeTriggerData(context);
	Inbox.write(context);
	return [context.getInputData().map((item) => ({ ...item }))];
}

/** Static data is written whole: what has changed since n8n read it has to go along. */
function writeTriggerData(context: IWebhookFunctions | IExecuteFunctions): void {
	writeDuplicates(context);
	writeRegistry(context);
}

/** Takes a result for a waiting execution; it starts no execution of its own. */
async function relay(
	context: IWebhookFunctions,
	{ url, body }: InboundRequest,
	resumeAddress: string,
): Promise<IWebhookResponseData> {
	const at = Date.now();
	if (!(await isSigned(context, (authToken) => isSignedRelay(url, authToken, at)))) {
		return refuse(context, 'notSigned');
	}
	const callEvent = parseCallEvent(body);
	if (!callEvent) return refuse(context, 'notACallEvent');
	if (callEvent.event === 'other') return acknowledge(context);
	const inbox = Inbox.of(context);
	if (!hasRoom()) return refuse(context, 'unavailable');
	const writes = await inbox.take(context, resumeAddress, { callEvent, at });
	if (writes) writeTriggerData(context);
	return acknowledge(context);
}

/**
 * Whether n8n need not call `create`: the trigger is registered. n8n 1 asks when it starts, too,
 * so the relay resumes delivering here what is stored.
 *
 * @throws NodeOperationError if the trigger is to check signatures without a credential, which
 * keeps its workflow from being activated
 */
export async function checkTrigger(context: IHookFunctions): Promise<boolean> {
	const { requireSignedUrl } = context.getNodeParameter('options', {}) as TriggerOptions;
	if (requireSignedUrl && !context.getNode().credentials?.yuntongxunApi) {
		throw new NodeOperationError(
			context.getNode(),
			'Require Signed URL needs a Yuntongxun API credential: choose the account that makes the calls',
		);
	}
	Inbox.of(context);
	return await isRegistered(context);
}

/** Whether the trigger's account has signed; nobody has without a usable credential. */
async function isSigned(
	context: IWebhookFunctions,
	check: (authToken: string) => boolean,
): Promise<boolean> {
	try {
		return await isSignedByAccount(context, check);
	} catch {
		return false;
	}
}

/**
 * Whether this is a copy of an earlier call event. One that n8n could not start an execution for is
 * not: the service may send it again. By hand the same result may be sent again and again.
 */
function isCopy(context: IWebhookFunctions, { action, callSid }: CallEvent, at: number): boolean {
	if (context.getMode() === 'manual' || callSid === '') return false;
	const identity = [action, callSid];
	if (isDuplicate(context, identity, at)) return true;
	writeTriggerData(context);
	Inbox.write(context);
	void responseFinished(context).then((status) => {
		if (status !== undefined && status !== 200) forgetDuplicate(context, identity);
	});
	return false;
}

function isWanted(
	context: IWebhookFunctions,
	callEvent: CallEvent,
	{ outcomes = [] }: TriggerOptions,
): boolean {
	const events = context.getNodeParameter('events', []) as EventName[];
	return (
		events.includes(callEvent.event) &&
		(callEvent.event === 'other' ||
			outcomes.length === 0 ||
			outcomes.includes(outcomeOf(callEvent)))
	);
}
