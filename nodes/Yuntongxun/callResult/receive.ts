import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { notificationItem } from './item';
import { outcomeOf, parseNotification } from './notification';
import type { EventName, Notification, OutcomeName } from './notification';

/** What the service wants to hear once it has delivered a notification. Specification section 6. */
const ACKNOWLEDGEMENT =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';

/** Asks for a decision about a call that is about to start: a receipt would be a yes. */
const ASKS_FOR_DECISION = 'CallAuth';

/** Answers one delivery to the trigger's address and starts the workflow where it asks for that. */
export async function receiveNotification(
	context: IWebhookFunctions,
): Promise<IWebhookResponseData> {
	const notification = parseNotification(await rawBodyOf(context));
	if (!notification || notification.action === ASKS_FOR_DECISION) {
		return answer(
			context,
			400,
			'text/plain',
			'This address takes results of Yuntongxun calls only.',
		);
	}
	const acknowledged = answer(context, 200, 'application/xml', ACKNOWLEDGEMENT);
	if (!isWanted(context, notification)) return acknowledged;
	const item = { json: notificationItem(notification, new Date()) };
	return { ...acknowledged, workflowData: [[item]] };
}

/** n8n's own reading of the body depends on its label, and loses the case of XML names. */
async function rawBodyOf(context: IWebhookFunctions): Promise<Buffer> {
	const request = context.getRequestObject();
	if (request.rawBody === undefined) await request.readRawBody();
	return request.rawBody ?? Buffer.alloc(0);
}

/** Answers at once, since n8n would label the answer itself. */
function answer(
	context: IWebhookFunctions,
	status: number,
	contentType: string,
	body: string,
): IWebhookResponseData {
	context.getResponseObject().status(status).type(contentType).send(body);
	return { noWebhookResponse: true };
}

function isWanted(context: IWebhookFunctions, notification: Notification): boolean {
	const events = context.getNodeParameter('events', []) as EventName[];
	const { outcomes = [] } = context.getNodeParameter('options', {}) as IDataObject & {
		outcomes?: OutcomeName[];
	};
	return (
		events.includes(notification.event) &&
		(notification.event === 'other' ||
			outcomes.length === 0 ||
			outcomes.includes(outcomeOf(notification)))
	);
}
