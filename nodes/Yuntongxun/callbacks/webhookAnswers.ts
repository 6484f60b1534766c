import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** The answer that acknowledges a notification. Specification section 6. */
export const ACKNOWLEDGEMENT =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';

/** How a request to a webhook is rejected: HTTP status and text. */
export const REJECTIONS = {
	notANotification: { status: 400, text: 'This address takes notifications of Yuntongxun only.' },
	notSigned: { status: 403, text: 'This address is not signed, or its signature has expired.' },
	unavailable: { status: 503, text: 'The result cannot be taken right now.' },
} as const;

/**
 * Acknowledges a request through n8n, which saves static data first. Add `workflowData` to start or
 * resume an execution; n8n then sends the webhook's `responseData`.
 */
export function acknowledge(context: IWebhookFunctions): IWebhookResponseData {
	context.getResponseObject().type('application/xml');
	return { webhookResponse: ACKNOWLEDGEMENT };
}

/** Answers a request with JSON through n8n, which saves static data first. */
export function answerJson(context: IWebhookFunctions, json: IDataObject): IWebhookResponseData {
	context.getResponseObject().type('application/json');
	return { webhookResponse: JSON.stringify(json) };
}

/** Rejects a request: starts and resumes nothing. Answers by itself, since n8n cannot set the status. */
export function reject(context: IWebhookFunctions, reason: keyof typeof REJECTIONS) {
	const { status, text } = REJECTIONS[reason];
	context.getResponseObject().status(status).type('text/plain').send(text);
	return { noWebhookResponse: true };
}

/**
 * Undoes what was done for a request that n8n does not answer with HTTP 200, as where it could not start
 * or resume the execution. Of a client that hung up nothing is known: n8n may have gone on, and going
 * on twice would be worse.
 */
export async function undoIfN8nFails(context: IWebhookFunctions, undo: () => void): Promise<void> {
	const status = await waitForResponse(context);
	if (status !== undefined && status !== 200) undo();
}

/**
 * Waits until n8n has answered a request, and so has saved static data.
 *
 * @returns the HTTP status; undefined if the client disconnected before, whatever n8n does then
 */
export async function waitForResponse(context: IWebhookFunctions): Promise<number | undefined> {
	const response = context.getResponseObject();
	// The client may have disconnected while another request was saving; no event would follow.
	if (response.closed) return undefined;
	return await new Promise((resolve) => {
		response.once('finish', () => resolve(response.statusCode));
		response.once('close', () => resolve(undefined));
	});
}
