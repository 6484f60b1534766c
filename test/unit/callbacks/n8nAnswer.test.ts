import type { IWebhookFunctions } from 'n8n-workflow';

import { undoIfN8nFails } from '../../../nodes/Yuntongxun/callbacks/webhookExchange';

it.each<[string, object, string, number]>([
	['n8n could not go on', { statusCode: 500 }, 'finish', 1],
	['n8n has gone on', { statusCode: 200 }, 'finish', 0],
	['the client has left, so that nobody knows', { statusCode: 500 }, 'close', 0],
	['n8n failed after the client has left', { statusCode: 500, closed: true }, 'finish', 0],
])('What was done for a request is undone only if n8n fails: %s', (_, answer, ...rest) => {
	const [event, undone] = rest;
	const listeners = new Map<string, () => void>();
	const once = (event: string, listener: () => void) => listeners.set(event, listener);
	const context = {
		getResponseObject: () => ({ closed: false, once, ...answer }),
	} as unknown as IWebhookFunctions;
	const undo = jest.fn();
	undoIfN8nFails(context, undo);
	listeners.get(event)?.();
	expect(undo).toHaveBeenCalledTimes(undone);
});
