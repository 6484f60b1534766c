import { createHash } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import type { CallEvent } from '../callbacks/callEvent';
import type { Notification } from '../callbacks/notification';
import type { SmsEvent } from '../callbacks/smsEvent';
import { BoundedMap } from '../util/boundedMap';
import { identifyNode } from '../util/n8nInternals';

/** How many notifications a trigger remembers, and for how long. */
const MAX_REMEMBERED = 5000;
const MEMORY_MS = 24 * 60 * 60 * 1000;

/** When each notification was seen, in milliseconds since 1970, by fingerprint. */
type Memory = BoundedMap<string, number>;

/**
 * The memories of this process, by trigger. A restart forgets them; nothing else may, or a copy would
 * start the workflow again.
 */
const memories = new Map<string, Memory>();

/**
 * Has a trigger remember a notification. Exact within one process: with no await in between, only one
 * of several copies can be new.
 *
 * @returns false if the trigger has seen it before
 */
export function rememberNotification(
	context: IWebhookFunctions,
	notification: Notification,
): boolean {
	const identity = getIdentity(notification);
	if (identity === undefined) return true;

	const memory = getMemory(context);
	const fingerprint = toFingerprint(identity);
	const seenAt = memory.get(fingerprint);
	if (seenAt !== undefined && Date.now() - seenAt < MEMORY_MS) return false;

	memory.set(fingerprint, Date.now());
	return true;
}

/** Forgets a notification: n8n failed to start an execution, so it may come again. */
export function forgetNotification(context: IWebhookFunctions, notification: Notification): void {
	const identity = getIdentity(notification);
	if (identity !== undefined) getMemory(context).delete(toFingerprint(identity));
}

function getMemory(context: IWebhookFunctions): Memory {
	const key = identifyNode(context);
	const memory = memories.get(key) ?? new BoundedMap<string, number>(MAX_REMEMBERED);
	memories.set(key, memory);
	return memory;
}

/** What makes a notification unique; undefined if it never counts as a duplicate. */
function getIdentity(notification: Notification): unknown[] | undefined {
	switch (notification.event) {
		case 'smsReport':
		case 'smsReply':
			return getSmsIdentity(notification);
		case 'voiceVerification':
		case 'voiceNotification':
		case 'other':
			return getCallIdentity(notification);
	}
}

function getSmsIdentity({ texts }: SmsEvent): string[] | undefined {
	const { action, content, fromNum, status, dateSent } = texts;
	return content === '' ? undefined : [action.toLowerCase(), content, fromNum, status, dateSent];
}

/**
 * Each state of a call, with its duration, counts once. Of an unknown notification everything must be
 * the same.
 */
function getCallIdentity(callEvent: CallEvent): unknown[] | undefined {
	const { event, action, callSid, number, state, duration, userData, others } = callEvent;
	if (callSid === '') return undefined;

	const identity = [action.toLowerCase(), callSid, state, duration];
	if (event !== 'other') return identity;

	// Members may come in any order.
	const members = Object.entries(others).sort(([one], [another]) => (one < another ? -1 : 1));
	return [...identity, number, userData, members];
}

function toFingerprint(identity: unknown[]): string {
	return createHash('sha256').update(JSON.stringify(identity)).digest('base64');
}
