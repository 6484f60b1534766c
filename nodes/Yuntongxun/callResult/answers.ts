import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/** What the service wants to hear once it has delivered a notification. Specification section 6. */
const ACKNOWLEDGEMENT =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';

const ANSWERS = {
	acknowledged: [200, 'application/xml', ACKNOWLEDGEMENT],
	notANotification: [400, 'text/plain', 'This address takes results of Yuntongxun calls only.'],
	notSigned: [403, 'text/plain', 'This address is not signed, or its signature has expired.'],
	unavailable: [503, 'text/plain', 'The result cannot be taken right now.'],
} as const;

/** Answers a delivery at once: n8n would label the answer itself. Starts and resumes nothing. */
export function answer(
	context: IWebhookFunctions,
	name: keyof typeof ANSWERS,
): IWebhookResponseData {
	const [status, contentType, body] = ANSWERS[name];
	context.getResponseObject().status(status).type(contentType).send(body);
	return { noWebhookResponse: true };
}
