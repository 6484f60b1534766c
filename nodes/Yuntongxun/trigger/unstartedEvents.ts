import type { IWebhookFunctions } from 'n8n-workflow';

import type { Notification } from '../callbacks/notification';
import { identifyNode } from '../util/n8nInternals';

/** The events that this process has logged, by trigger. */
const logged = new Set<string>();

/**
 * Logs the first notification of each event that a trigger does not start for. It shows users whether
 * what they set up in the service's console arrives.
 */
export function logUnstarted(context: IWebhookFunctions, { event }: Notification): void {
	const key = `${identifyNode(context)}/${event}`;
	if (logged.has(key)) return;

	logged.add(key);
	context.logger.info(
		`Yuntongxun: a notification has arrived at "${context.getNode().name}" (workflow ${context.getWorkflow().id}), which does not start for its event, ${event}`,
	);
}
