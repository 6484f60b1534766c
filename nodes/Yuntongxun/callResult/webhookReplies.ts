import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** The answer to a notification that was taken. Specification section 6. */
export const ACKNOWLEDGEMENT =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';

const REFUSALS = {
	notANotification: [400, 'This address takes results of Yuntongxun calls only.'],
	notSigned: [403, 'This address is not signed, or its signature has expired.'],
	unavailable: [503, 'The result cannot be taken right now.'],
} as const;

/** What a refused delivery reads, by its reason. */
export const REFUSAL_TEXTS = {
	notSigned: REFUSALS.notSigned[1],
};

/**
 * Acknowledges a delivery through n8n, which saves the workflow's static data first. Add
 * `workflowData` to start or resume an execution; the description of the webhook then has to name
 * the same answer as its `responseData`.
 */
export function acknowledge(context: IWebhookFunctions): IWebhookResponseData {
	context.getResponseObject().type('application/xml');
	return { webhookResponse: ACKNOWLEDGEMENT };
}

/** Tells the relay, through n8n, how the wait stands. Resumes nothing. */
export function tellRelay(context: IWebhookFunctions, standing: IDataObject): IWebhookResponseData {
	context.getResponseObject().type('application/json');
	return { webhookResponse: JSON.stringify(standing) };
}

/** Refuses a delivery. Starts and resumes nothing; n8n could not answer with this status. */
export function refuse(
	context: IWebhookFunctions,
	reason: keyof typeof REFUSALS,
): IWebhookResponseData {
	const [status, text] = REFUSALS[reason];
	context.getResponseObject().status(status).type('text/plain').send(text);
	return { noWebhookResponse: true };
}
