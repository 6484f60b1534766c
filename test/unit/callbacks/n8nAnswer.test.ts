import type { IWebhookFunctions } from 'n8n-workflow';

import { undoIfN8nFails, waitForResponse } from '../../../nodes/Yuntongxun/callbacks/n8nAnswer';

/** A request that n8n answers with a status, and the events of its response. */
function requestWith(statusCode: number, closed = false) {
	const listeners = new Map<string, () => void>();
	const response = {
		closed,
		statusCode,
		once: (event: string, listener: () => void) => listeners.set(event, listener),
	};
	const context = { getResponseObject: () => response } as unknown as IWebhookFunctions;
	return { context, end: (event: string) => listeners.get(event)?.() };
}

it.each([
	['n8n could not go on', 500, 'finish', 1],
	['n8n has gone on', 200, 'finish', 0],
	['the client has left, so that nobody knows', 500, 'close', 0],
])('What was done for a request is undone only if n8n fails: %s', async (_, ...rest) => {
	const [status, event, undone] = rest;
	const { context, end } = requestWith(status);
	const undo = jest.fn();
	const undoing = undoIfN8nFails(context, undo);
	expect(undo).not.toHaveBeenCalled();
	end(event);
	await undoing;
	expect(undo).toHaveBeenCalledTimes(undone);
});

it('A response has no status if the client disconnected before', async () => {
	expect(await waitForResponse(requestWith(500, true).context)).toBeUndefined();
});
