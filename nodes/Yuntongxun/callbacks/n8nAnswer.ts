import type { IWebhookFunctions } from 'n8n-workflow';

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
 * Waits until n8n has answered a request, or the client has disconnected.
 *
 * @returns the HTTP status; undefined if the client disconnected before, whatever n8n does then
 */
export async function waitForResponse(context: IWebhookFunctions): Promise<number | undefined> {
	const response = context.getResponseObject();
	// No event would follow.
	if (response.closed) return undefined;
	return await new Promise((resolve) => {
		response.once('finish', () => resolve(response.statusCode));
		response.once('close', () => resolve(undefined));
	});
}
