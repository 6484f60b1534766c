import type { IWebhookFunctions } from 'n8n-workflow';

/** One request to a webhook of this package. */
export interface InboundRequest {
	/** Path and query, as they arrived. */
	url: string;
	body: Buffer;
}

/** Reads a request that n8n has passed to a webhook. */
export async function inboundRequest(context: IWebhookFunctions): Promise<InboundRequest> {
	const request = context.getRequestObject();
	// n8n parses a body by its label, and loses the case of XML names. It throws for a multipart
	// form, which is not a notification.
	if (request.rawBody === undefined) await request.readRawBody().catch(() => undefined);
	return {
		url: request.originalUrl ?? request.url ?? '',
		body: request.rawBody ?? Buffer.alloc(0),
	};
}
