import { NodeOperationError } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { isSignedByAccount } from './accountSignature';
import { isRepeated, keepDuplicates } from './duplicates';
import { inboundRequest } from './inboundRequest';
import type { InboundRequest } from './inboundRequest';
import { outcomeOf, parseNotification } from './notification';
import type { EventName, Notification, OutcomeName } from './notification';
import { Relay } from './relay';
import { mayHandOn, resumeAddressIn } from './resultAddress';
import { resultItem } from './resultItem';
import { isSignedUrl } from './signedUrl';
import { isRegistered } from './triggerUrls';
import { acknowledge, refuse } from './webhookReplies';

interface TriggerOptions {
	outcomes?: OutcomeName[];
	requireSignedUrl?: boolean;
	ignoreDuplicates?: boolean;
}

/** Answers one delivery to the trigger, and starts the workflow if the delivery asks for that. */
export async function receiveNotification(
	context: IWebhookFunctions,
): Promise<IWebhookResponseData> {
	const request = await inboundRequest(context);
	const resumeAddress = resumeAddressIn(request.url);
	if (resumeAddress !== undefined) return await relay(context, request, resumeAddress);

	const options = context.getNodeParameter('options', {}) as TriggerOptions;
	const now = new Date();
	if (
		options.requireSignedUrl &&
		!(await isSigned(context, (authToken) => isSignedUrl(request.url, authToken, now.getTime())))
	) {
		return refuse(context, 'notSigned');
	}
	const notification = parseNotification(request.body);
	if (!notification) return refuse(context, 'notANotification');
	const isNews =
		isWanted(context, notification, options) &&
		!((options.ignoreDuplicates ?? true) && isCopy(context, notification, now));
	if (!isNews) return acknowledge(context);
	return {
		...acknowledge(context),
		workflowData: [[{ json: resultItem(notification, now) }]],
	};
}

/**
 * Lets n8n save what the trigger remembers, in the execution that a delivery has started: n8n 2
 * drops what was changed before. Static data is written whole, so the relay's part goes along.
 *
 * @returns the item of the delivery, as it is
 */
export function passOn(context: IExecuteFunctions): INodeExecutionData[][] {
	keepDuplicates(context);
	Relay.keep(context);
	return [context.getInputData().map((item) => ({ ...item }))];
}

/** Takes a result for a waiting execution: this trigger only hands it on. */
async function relay(
	context: IWebhookFunctions,
	{ url, body }: InboundRequest,
	resumeAddress: string,
): Promise<IWebhookResponseData> {
	if (!(await isSigned(context, (authToken) => mayHandOn(url, authToken, Date.now())))) {
		return refuse(context, 'notSigned');
	}
	const notification = parseNotification(body);
	if (!notification) return refuse(context, 'notANotification');
	if (notification.event === 'other') return acknowledge(context);
	const relay = Relay.of(context);
	if (!relay.hasRoom()) return refuse(context, 'unavailable');
	await relay.take(context, resumeAddress, notification, body.toString('utf8'));
	return acknowledge(context);
}

/**
 * Whether n8n need not call `create`: the trigger is registered. n8n 1 asks when it starts, too,
 * so the relay goes on here with what it had gathered.
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
	Relay.of(context);
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

/** While a workflow is tested by hand, the same result may be sent again and again. */
function isCopy(context: IWebhookFunctions, { action, callSid }: Notification, now: Date): boolean {
	return (
		context.getMode() !== 'manual' &&
		callSid !== '' &&
		isRepeated(context, [action, callSid], now.getTime())
	);
}

function isWanted(
	context: IWebhookFunctions,
	notification: Notification,
	{ outcomes = [] }: TriggerOptions,
): boolean {
	const events = context.getNodeParameter('events', []) as EventName[];
	return (
		events.includes(notification.event) &&
		(notification.event === 'other' ||
			outcomes.length === 0 ||
			outcomes.includes(outcomeOf(notification)))
	);
}
