import type { IWebhookFunctions } from 'n8n-workflow';

import type { Notification } from '../callbacks/notification';

/** How many actions a process logs a day: anybody can make them up. */
const MAX_ACTIONS = 20;

/** How much of a text that was delivered the log shows, in characters. */
const MAX_CHARACTERS = 40;

const DAY_MS = 24 * 60 * 60 * 1000;

/** When each action was logged last, in milliseconds since 1970. */
const namedAt = new Map<string, number>();

/**
 * Logs, once a day for each action, a notification that the trigger does not start for. It shows users
 * whether what they set up in the service's console arrives.
 */
export function logUnstarted(context: IWebhookFunctions, notification: Notification): void {
	const action = toPrintable(getAction(notification));
	forgetOld();
	if (namedAt.has(action) || namedAt.size >= MAX_ACTIONS) return;

	namedAt.set(action, Date.now());
	const name = toPrintable(context.getNode().name);
	context.logger.info(
		`Yuntongxun: a notification with the action "${action}" has arrived at "${name}" (workflow ${context.getWorkflow().id}), which does not start for the event ${notification.event}`,
	);
}

/** Makes room for what arrives a day later. */
function forgetOld(): void {
	for (const [action, at] of namedAt) {
		if (Date.now() - at >= DAY_MS) namedAt.delete(action);
	}
}

function getAction(notification: Notification): string {
	switch (notification.event) {
		case 'smsReport':
		case 'smsReply':
			return notification.texts.action;
		case 'voiceVerification':
		case 'voiceNotification':
		case 'other':
			return notification.action;
	}
}

/** Makes text safe for a line of the log: no line breaks, no invisible or direction marks. */
function toPrintable(text: string): string {
	// By code points, so that no character is cut in half; the first slice bounds the work.
	const characters = [...text.slice(0, 2 * MAX_CHARACTERS)].slice(0, MAX_CHARACTERS);
	return characters
		.join('')
		.replace(/[\p{C}\p{Z}]/gu, ' ')
		.trim();
}
