import { createHash } from 'crypto';
import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { CallEvent } from '../callbacks/callEvent';
import { BoundedMap } from '../util/boundedMap';
import { nodeKey } from '../util/nodeKey';

/** Where the memory is kept, in the static data of the trigger. */
const KEY = 'recentResults';

/** How many call events are remembered, and for how long, in milliseconds. */
const MAX_RECORDS = 5000;
const MEMORY_MS = 24 * 60 * 60 * 1000;

/** A record: a fingerprint of 72 bits in Base64, and a moment in milliseconds, to the base of 36. */
const RECORD = /(.{12})(.{9})/g;

/** What each trigger has seen: when, by fingerprint, and the text that was read or written last. */
const memories = new Map<string, { seen: Map<string, number>; text: string }>();

/**
 * Whether a call event was seen before; from now on it was. Exact within one process: nothing is
 * awaited, so copies at the same moment cannot both be new.
 */
export function isDuplicate(context: IWebhookFunctions, event: CallEvent): boolean {
	const { seen } = memoryOf(context);
	const fingerprint = fingerprintOf(event);
	if (isRecent(seen.get(fingerprint) ?? 0)) return true;
	seen.set(fingerprint, Date.now());
	return false;
}

/** Takes a call event as seen long ago, whatever an older text says: n8n could start nothing. */
export function forgetDuplicate(context: IWebhookFunctions, event: CallEvent): void {
	memoryOf(context).seen.set(fingerprintOf(event), 0);
}

/** Has n8n write what this process has seen by then: a copy made now would undo what comes since. */
export function writeDuplicates(context: IWebhookFunctions | IExecuteFunctions): void {
	const memory = memories.get(nodeKey(context));
	if (memory === undefined) return;
	const toJSON = () => {
		const recent = [...memory.seen].filter(([, at]) => isRecent(at));
		const records = recent.map(([print, at]) => print + at.toString(36).padStart(9, '0'));
		memory.text = records.join('');
		return memory.text;
	};
	context.getWorkflowStaticData('node')[KEY] = { toJSON };
}

/** What was seen by this process, and by others or before the last start, as the database tells. */
function memoryOf(context: IWebhookFunctions) {
	const key = nodeKey(context);
	const memory = memories.get(key) ?? { seen: new BoundedMap(MAX_RECORDS), text: '' };
	memories.set(key, memory);
	const text = context.getWorkflowStaticData('node')[KEY];
	if (typeof text !== 'string' || text === memory.text) return memory;
	memory.text = text;
	const own = [...memory.seen];
	for (const [, fingerprint, moment] of text.matchAll(RECORD)) {
		memory.seen.set(fingerprint, parseInt(moment, 36));
	}
	// The text may be an older one: what it adds must not evict what this process has seen.
	for (const [fingerprint, at] of own) memory.seen.set(fingerprint, at);
	return memory;
}

const isRecent = (at: number) => Date.now() - at < MEMORY_MS;

function fingerprintOf({ action, callSid }: CallEvent): string {
	const hash = createHash('sha256').update(JSON.stringify([action, callSid]));
	return hash.digest('base64').slice(0, 12);
}
