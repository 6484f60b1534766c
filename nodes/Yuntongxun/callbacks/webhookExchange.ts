import { sleep } from 'n8n-workflow';
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { logRefusal } from './refusalLog';

/** How often to look whether n8n has answered, in milliseconds. */
const LOOK_MS = 100;

/** The answer that acknowledges a notification. Specification section 6. */
export const ACKNOWLEDGEMENT =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';

/** How a request to a webhook is rejected: HTTP status and text. */
export const REJECTIONS = {
	notANotification: { status: 400, text: 'This address takes notifications of Yuntongxun only.' },
	notOurs: { status: 403, text: 'This address is not from this account, or it has expired.' },
	unavailable: { status: 503, text: 'The result cannot be taken right now.' },
} as const;

/** Reads a request to a webhook: its address, from the path on, and its body, as they arrived. */
export async function readRequest(context: IWebhookFunctions) {
	const request = context.getRequestObject();
	// n8n parses a body by its content type, and loses the case of XML names. It throws for a
	// multipart form, which is not a notification.
	if (request.rawBody === undefined) await request.readRawBody().catch(() => undefined);
	return { url: request.originalUrl, body: request.rawBody ?? Buffer.alloc(0) };
}

/**
 * Acknowledges a request through n8n. Add `workflowData` to start or resume an execution; n8n then
 * sends the webhook's `responseData`.
 */
export function acknowledge(context: IWebhookFunctions): IWebhookResponseData {
	context.getResponseObject().type('application/xml');
	return { webhookResponse: ACKNOWLEDGEMENT };
}

/**
 * Rejects a request: starts and resumes nothing, and is told in n8n's log.
 *
 * @param why what the status does not say, to go on the sentence
 */
export function reject(context: IWebhookFunctions, reason: keyof typeof REJECTIONS, why = '') {
	logRefusal(context, REJECTIONS[reason].status, why);
	return rejectQuietly(context, reason);
}

/** The same without a line in n8n's log. Answers by itself, since n8n cannot set the status. */
export function rejectQuietly(context: IWebhookFunctions, reason: keyof typeof REJECTIONS) {
	const { status, text } = REJECTIONS[reason];
	context.getResponseObject().status(status).type('text/plain').send(text);
	return { noWebhookResponse: true };
}

/**
 * Undoes what was done for a request that n8n does not answer with HTTP 200, as where it could not start or
 * resume the execution: whether or not the client has hung up meanwhile.
 */
export function undoIfN8nFails(context: IWebhookFunctions, undo: () => void): void {
	const response = context.getResponseObject();
	const watch = async () => {
		// There is no event for what is answered to nobody.
		while (!response.writableEnded) await sleep(LOOK_MS);
		if (response.statusCode !== 200) undo();
	};
	void watch();
}
