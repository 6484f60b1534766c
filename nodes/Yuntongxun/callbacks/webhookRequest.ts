import type { IWebhookFunctions } from 'n8n-workflow';

import { parseCallbackAddress } from './callbackUrl';

/** Reads a request to a webhook: its address, from the path on, and its body, as they arrived. */
export async function readRequest(context: IWebhookFunctions) {
	const request = context.getRequestObject();
	// n8n parses a body by its content type, and loses the case of XML names. It throws for a
	// multipart form, which is not a notification.
	if (request.rawBody === undefined) await request.readRawBody().catch(() => undefined);
	const address = parseCallbackAddress(request.originalUrl);
	return { address, body: request.rawBody ?? Buffer.alloc(0) };
}
