import type { IWebhookFunctions } from 'n8n-workflow';

import { parseNotification } from './notification';
import type { Notification } from './notification';

/** Asks for a decision about a call that is about to start: a receipt would be a yes. */
const ASKS_FOR_DECISION = 'CallAuth';

/** One request to a webhook of this package. */
export interface Delivery {
	/** Path and query, as they arrived. */
	url: string;
	body: Buffer;
	/** Undefined where the body is no notification, or one that only the application can answer. */
	notification?: Notification;
}

/** Reads what was delivered to a webhook. */
export async function deliveryTo(context: IWebhookFunctions): Promise<Delivery> {
	const request = context.getRequestObject();
	// n8n's own reading of the body depends on its label, and loses the case of XML names.
	// A form is refused with an exception, and is no notification.
	if (request.rawBody === undefined) await request.readRawBody().catch(() => undefined);
	const body = request.rawBody ?? Buffer.alloc(0);
	const notification = parseNotification(body);
	return {
		url: request.originalUrl ?? request.url ?? '',
		body,
		...(notification?.action !== ASKS_FOR_DECISION && { notification }),
	};
}
