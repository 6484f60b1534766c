import { sleep } from 'n8n-workflow';
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { BoundedMap } from '../util/boundedMap';
import { identifyNode } from '../util/n8nInternals';

/** The answer that acknowledges a notification. Specification section 6. */
export const ACKNOWLEDGEMENT =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';

/** How a request to a webhook is rejected: HTTP status and text. */
const REJECTIONS = {
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
 * Acknowledges a request through n8n. Add `workflowData` to start an execution; n8n then sends the webhook's
 * `responseData`.
 */
export function acknowledge(context: IWebhookFunctions): IWebhookResponseData {
	context.getResponseObject().type('application/xml');
	return { webhookResponse: ACKNOWLEDGEMENT };
}

/**
 * Rejects a request: starts nothing, and is told in n8n's log.
 *
 * @param why what the status does not say; continues the sentence
 */
export function reject(context: IWebhookFunctions, reason: keyof typeof REJECTIONS, why = '') {
	logRefusal(context, `HTTP ${REJECTIONS[reason].status}${why}`);
	return rejectQuietly(context, reason);
}

/** The same without a line in n8n's log. Answers by itself, since n8n cannot set the status. */
export function rejectQuietly(context: IWebhookFunctions, reason: keyof typeof REJECTIONS) {
	const { status, text } = REJECTIONS[reason];
	context.getResponseObject().status(status).type('text/plain').send(text);
	return { noWebhookResponse: true };
}

/** How long the same refusal is not logged again, in milliseconds. */
const SILENCE_MS = 10 * 60_000;

/** How many names of members a line shows. */
const MAX_NAMES = 20;

/** How much of a body is looked at for names, in characters; notifications have less. */
const SCANNED_CHARACTERS = 4096;

/** The name of a member of JSON or XML, by which no text that a person typed is shown. */
const MEMBER_NAME = /"([A-Za-z_][\w.-]{0,39})"\s*:|<\/([A-Za-z_][\w.-]{0,39})>/g;

/** When each refusal was last logged, in milliseconds since 1970, by node and reason. */
const toldAt = new BoundedMap<string, number>(1000);

/**
 * Tells n8n's log that a request was refused, so that nobody takes it for one that never came: for each
 * trigger and reason at most every ten minutes. Shows no values.
 */
function logRefusal(context: IWebhookFunctions, reason: string): void {
	const key = `${identifyNode(context)}/${reason}`;
	if (Date.now() - (toldAt.get(key) ?? -Infinity) < SILENCE_MS) return;

	toldAt.set(key, Date.now());
	const { rawBody = Buffer.alloc(0) } = context.getRequestObject();
	const names = findNames(rawBody.toString('utf8', 0, SCANNED_CHARACTERS)).join(', ') || 'none';
	context.logger.warn(
		`Yuntongxun: a request to "${context.getNode().name}" (workflow ${context.getWorkflow().id}) was refused with ${reason}: ${rawBody.length} bytes, names ${names}. Others within ten minutes are not logged`,
	);
}

function findNames(text: string): string[] {
	const names = [...text.matchAll(MEMBER_NAME)].map(([, json, xml]) => json ?? xml);
	return [...new Set(names)].slice(0, MAX_NAMES);
}

/** How often to look whether n8n has answered, in milliseconds. */
const LOOK_MS = 100;

/**
 * Undoes what was done for a request that n8n does not answer with HTTP 200, as where it could not start or
 * resume the execution: whether or not the client has hung up meanwhile.
 */
export function undoIfN8nFails(context: IWebhookFunctions, undo: () => void): void {
	const response = context.getResponseObject();
	const watch = async () => {
		// Once the client has hung up, an answer emits no event.
		while (!response.writableEnded) await sleep(LOOK_MS);
		if (response.statusCode !== 200) undo();
	};
	void watch();
}
