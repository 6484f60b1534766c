import type { IWebhookFunctions } from 'n8n-workflow';

/**
 * Undoes what was done for a request that n8n does not answer with HTTP 200, as where it could not start
 * or resume the execution. Of a client that hung up nothing is known: n8n may have gone on, and going
 * on twice would be worse.
 */
export function undoIfN8nFails(context: IWebhookFunctions, undo: () => void): void {
	const response = context.getResponseObject();
	response.once('finish', () => {
		if (!response.closed && response.statusCode !== 200) undo();
	});
}
