import { createHash } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

/** How long, in milliseconds, and how many notifications are remembered. */
const MEMORY_MS = 24 * 60 * 60 * 1000;
const MEMORY_SIZE = 5000;

/** Characters of Base64, 72 bits: no two of the remembered ones will be alike by chance. */
const FINGERPRINT_LENGTH = 12;

/** Digits of a moment in milliseconds, to the base of 36. */
const MOMENT_LENGTH = 9;

const RECORD_LENGTH = FINGERPRINT_LENGTH + MOMENT_LENGTH;

/** When each notification was first seen, by its fingerprint; oldest first. */
type Memory = Map<string, number>;

/** What one trigger of one workflow has seen. Shared by all calls within this process. */
const memories = new Map<string, Memory>();

/**
 * Whether a notification was seen before, and remembers it. Exact within one process, also for
 * copies at the same moment, since nothing is awaited; the memory is written to the workflow's
 * static data, so that it outlives a restart.
 *
 * @param identity what makes two notifications the same
 * @param now milliseconds since 1970
 */
export function isRepeated(context: IWebhookFunctions, identity: string[], now: number): boolean {
	const stored = context.getWorkflowStaticData('node');
	const text = typeof stored.recentResults === 'string' ? stored.recentResults : '';
	const memory = memoryOf(`${context.getWorkflow().id}/${context.getNode().id}`, text);
	const fingerprint = createHash('sha256')
		.update(JSON.stringify(identity))
		.digest('base64')
		.slice(0, FINGERPRINT_LENGTH);
	const seen = memory.get(fingerprint);
	if (seen !== undefined && now - seen < MEMORY_MS) return true;

	// Writing all of it anew for each notification would cost more than everything else here.
	const isComplete = text.length === memory.size * RECORD_LENGTH && seen === undefined;
	memory.delete(fingerprint);
	memory.set(fingerprint, now);
	const forgotten = forget(memory, now);
	stored.recentResults = isComplete
		? (text + recordOf([fingerprint, now])).slice(forgotten * RECORD_LENGTH)
		: [...memory].map(recordOf).join('');
	return false;
}

function recordOf([fingerprint, at]: [string, number]): string {
	return fingerprint + at.toString(36).padStart(MOMENT_LENGTH, '0');
}

/** The memory of this process, with what other processes have written since. */
function memoryOf(trigger: string, text: string): Memory {
	const memory = memories.get(trigger) ?? new Map<string, number>();
	memories.set(trigger, memory);
	const fingerprintAt = (start: number) => text.slice(start, start + FINGERPRINT_LENGTH);
	if (text === '' || memory.has(fingerprintAt(text.length - RECORD_LENGTH))) return memory;
	for (let start = 0; start < text.length; start += RECORD_LENGTH) {
		const fingerprint = fingerprintAt(start);
		if (memory.has(fingerprint)) continue;
		const moment = text.slice(start + FINGERPRINT_LENGTH, start + RECORD_LENGTH);
		memory.set(fingerprint, parseInt(moment, 36));
	}
	return memory;
}

/** Drops what is too old or too much, oldest first, and tells how many that were. */
function forget(memory: Memory, now: number): number {
	let forgotten = 0;
	for (const [key, at] of memory) {
		if (memory.size <= MEMORY_SIZE && now - at < MEMORY_MS) break;
		memory.delete(key);
		forgotten++;
	}
	return forgotten;
}
