import { createHash } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import type { Notification } from '../callbacks/notification';
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
 * @returns forgets it, since n8n failed to start an execution and it may come again; undefined if the
 * trigger has seen it before
 */
export function rememberNotification(
	context: IWebhookFunctions,
	notification: Notification,
): (() => void) | undefined {
	const memory = getMemory(context);
	const fingerprint = toFingerprint(notification);
	const seenAt = memory.get(fingerprint);
	if (seenAt !== undefined && Date.now() - seenAt < MEMORY_MS) return undefined;

	memory.set(fingerprint, Date.now());
	return () => memory.delete(fingerprint);
}

function getMemory(context: IWebhookFunctions): Memory {
	const key = identifyNode(context);
	const memory = memories.get(key) ?? new BoundedMap<string, number>(MAX_REMEMBERED);
	memories.set(key, memory);
	return memory;
}

/** All that was delivered, with its members in any order. */
function toFingerprint({ members }: Notification): string {
	const identity = Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1));
	return createHash('sha256').update(JSON.stringify(identity)).digest('base64');
}
