import { createHash } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import type { CallEvent } from '../callbacks/callEvent';
import type { StaticContext } from '../waiting/inbox';
import { BoundedMap } from '../util/boundedMap';
import { nodeKey } from '../util/nodeKey';

/** Where the memories are kept: in the static data of the workflow, by trigger. */
const KEY = 'yuntongxunSeen';

/** How many call events are remembered, and for how long, in milliseconds. */
const MAX_RECORDS = 5000;
const MEMORY_MS = 24 * 60 * 60 * 1000;

/** A record: a fingerprint of 72 bits in Base64, and a moment in milliseconds, to the base of 36. */
const RECORD = /(.{12})(.{9})/g;

/** What a trigger has seen: when, by fingerprint, and the text that was read or written last. */
type Memory = { seen: Map<string, number>; text: string };

/** The memories of this process, by trigger. */
const memories = new Map<string, Memory>();

/**
 * Whether a call event was seen before; from now on it was. Exact within one process: nothing is
 * awaited, so copies at the same moment cannot both be new.
 */
export function isDuplicate(context: IWebhookFunctions, event: CallEvent): boolean {
	absorbStored(context);
	const { seen } = memoryOf(nodeKey(context));
	const fingerprint = fingerprintOf(event);
	if (isRecent(seen.get(fingerprint) ?? 0)) return true;
	seen.set(fingerprint, Date.now());
	return false;
}

/** Takes a call event as seen long ago, whatever an older text says: n8n could start nothing. */
export function forgetDuplicate(context: IWebhookFunctions, event: CallEvent): void {
	memoryOf(nodeKey(context)).seen.set(fingerprintOf(event), 0);
}

/**
 * Has n8n write what the triggers of a workflow have seen by then: a copy made now would undo what
 * comes since.
 */
export function writeDuplicates(context: StaticContext): void {
	absorbStored(context);
	const toJSON = () => {
		const own = [...memories].filter(([key]) => key.startsWith(`${context.getWorkflow().id}/`));
		return Object.fromEntries(own.map(([key, memory]) => [key, textOf(memory)]));
	};
	context.getWorkflowStaticData('global')[KEY] = { toJSON };
}

function memoryOf(key: string): Memory {
	const memory = memories.get(key) ?? { seen: new BoundedMap(MAX_RECORDS), text: '' };
	memories.set(key, memory);
	return memory;
}

function textOf(memory: Memory): string {
	const recent = [...memory.seen].filter(([, at]) => isRecent(at));
	const records = recent.map(([print, at]) => print + at.toString(36).padStart(9, '0'));
	return (memory.text = records.join(''));
}

/** Takes in what was seen by other processes, or before the last start, as the database tells. */
function absorbStored(context: StaticContext): void {
	for (const [key, text] of Object.entries(context.getWorkflowStaticData('global')[KEY] ?? {})) {
		if (typeof text !== 'string') continue;
		const memory = memoryOf(key);
		if (text === memory.text) continue;
		memory.text = text;
		const records = [...text.matchAll(RECORD)].filter(([, print]) => !memory.seen.has(print));
		if (records.length === 0) continue;
		const others = records.map(([, print, moment]) => [print, parseInt(moment, 36)] as const);
		// The text may be an older one: what it adds must not evict anything newer.
		const all = [...others, ...memory.seen].sort(([, one], [, other]) => one - other);
		memory.seen.clear();
		for (const [print, at] of all.slice(-MAX_RECORDS)) memory.seen.set(print, at);
	}
}

const isRecent = (at: number) => Date.now() - at < MEMORY_MS;

function fingerprintOf({ action, callSid }: CallEvent): string {
	const hash = createHash('sha256').update(JSON.stringify([action, callSid]));
	return hash.digest('base64').slice(0, 12);
}
