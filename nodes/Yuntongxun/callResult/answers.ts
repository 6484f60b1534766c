import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** What the service wants to hear once it has delivered a notification. Specification section 6. */
const ACKNOWLEDGEMENT =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';

/** HTTP status of each answer. */
const STATUS = {
	acknowledged: 200,
	notANotification: 400,
	notSigned: 403,
	unavailable: 503,
};

const BODIES: Record<keyof typeof STATUS, readonly [contentType: string, body: string]> = {
	acknowledged: ['application/xml', ACKNOWLEDGEMENT],
	notANotification: ['text/plain', 'This address takes results of Yuntongxun calls only.'],
	notSigned: ['text/plain', 'This address is not signed, or its signature has expired.'],
	unavailable: ['text/plain', 'The result cannot be taken right now.'],
};

/** Answers a delivery at once: n8n would label the answer itself. Starts and resumes nothing. */
export function answer(
	context: IWebhookFunctions,
	name: keyof typeof STATUS,
): IWebhookResponseData {
	const [contentType, body] = BODIES[name];
	context.getResponseObject().status(STATUS[name]).type(contentType).send(body);
	return { noWebhookResponse: true };
}
