import { createHash } from 'crypto';
import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { LazyValue } from '../callbacks/lazyValue';
import { nodeKey } from '../util/nodeKey';

/** Where the memory is kept, in the static data of the trigger. */
const KEY = 'recentResults';

/** How long, in milliseconds, and how many call events are remembered. */
const MEMORY_MS = 24 * 60 * 60 * 1000;
const MEMORY_SIZE = 5000;

/** Characters of Base64, 72 bits: no two remembered events are alike by chance. */
const FINGERPRINT_LENGTH = 12;

/** Digits of a moment in milliseconds, to the base of 36. */
const MOMENT_LENGTH = 9;

const RECORD_LENGTH = FINGERPRINT_LENGTH + MOMENT_LENGTH;

/** What one trigger has seen, as known in this process. */
interface Memory {
	/** When each call event was first seen, by its fingerprint; oldest first. */
	seen: Map<string, number>;
	/** The text that was read from or written to the database last. */
	text: string;
}

const memories = new Map<string, Memory>();

/**
 * Whether a call event was seen before; from now on it was. Exact within one process: nothing is
 * awaited, so copies at the same moment cannot both be new. n8n writes the memory to its database,
 * for the next start and for other processes. If two processes write at the same moment, one
 * record can be missing there until the process that made it writes again.
 *
 * @param identity what makes two call events the same
 * @param now milliseconds since 1970
 */
export function isDuplicate(context: IWebhookFunctions, identity: string[], now: number): boolean {
	const stored = context.getWorkflowStaticData('node')[KEY];
	const memory = memories.get(nodeKey(context)) ?? { seen: new Map<string, number>(), text: '' };
	memories.set(nodeKey(context), memory);
	learn(memory, typeof stored === 'string' ? stored : '');
	const fingerprint = fingerprintOf(identity);
	const seen = memory.seen.get(fingerprint);
	if (seen !== undefined && now - seen < MEMORY_MS) return true;
	memory.seen.delete(fingerprint);
	memory.seen.set(fingerprint, now);
	forgetOld(memory.seen, now);
	writeDuplicates(context);
	return false;
}

/**
 * Takes a call event as not seen: n8n could not start the execution. An older text may still hold it,
 * so its record stays, with a moment long ago.
 */
export function forgetDuplicate(context: IWebhookFunctions, identity: string[]): void {
	memories.get(nodeKey(context))?.seen.set(fingerprintOf(identity), 0);
}

/**
 * Has n8n write what this process has seen; does nothing if it has seen nothing. Called in the
 * execution that a call event starts, too: n8n 2 drops a change made before that.
 */
export function writeDuplicates(context: IWebhookFunctions | IExecuteFunctions): void {
	const memory = memories.get(nodeKey(context));
	if (memory === undefined) return;
	context.getWorkflowStaticData('node')[KEY] = new LazyValue(() => {
		memory.text = [...memory.seen].map(recordOf).join('');
		return memory.text;
	});
}

function fingerprintOf(identity: string[]): string {
	return createHash('sha256')
		.update(JSON.stringify(identity))
		.digest('base64')
		.slice(0, FINGERPRINT_LENGTH);
}

function recordOf([fingerprint, at]: [string, number]): string {
	return fingerprint + at.toString(36).padStart(MOMENT_LENGTH, '0');
}

/** Adds what was read from the database: written before the last start, or by other processes. */
function learn(memory: Memory, text: string): void {
	if (text === memory.text) return;
	memory.text = text;
	for (let start = 0; start < text.length; start += RECORD_LENGTH) {
		const fingerprint = text.slice(start, start + FINGERPRINT_LENGTH);
		const moment = parseInt(text.slice(start + FINGERPRINT_LENGTH, start + RECORD_LENGTH), 36);
		if (!memory.seen.has(fingerprint)) memory.seen.set(fingerprint, moment);
	}
}

/** Drops what is too old or too much, oldest first. */
function forgetOld(seen: Map<string, number>, now: number): void {
	for (const [fingerprint, at] of seen) {
		if (seen.size <= MEMORY_SIZE && now - at < MEMORY_MS) break;
		seen.delete(fingerprint);
	}
}
